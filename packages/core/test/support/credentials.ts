/** A provider of credentials for tests: one name and one password are right. */
import type { CredentialsConfig } from "../../src/types/provider.js"

/** Lets `ada` in with the password `right`, unless `authorize` says otherwise. */
export function credentialsProvider(authorize?: (fields: Record<string, unknown>) => unknown): CredentialsConfig {
  return {
    id: "credentials",
    name: "Password",
    type: "credentials",
    credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
    authorize: (authorize ??
      (({ name, password }) =>
        name === "ada" && password === "right"
          ? { id: "7", name: "Ada", email: "ada@app.test" }
          : null)) as CredentialsConfig["authorize"],
  }
}

/** What is typed by somebody who knows the password. */
export const rightCredentials = { name: "ada", password: "right" }
