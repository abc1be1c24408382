/** What tests of sign-ins configure again and again: providers for passwords and mailed links, and settings that keep out of the way. */
import { skipCSRFCheck } from "../../src/index.js"
import type { AuthConfig } from "../../src/types/config.js"

/** Everybody's password is `right`; with `down` it cannot be checked. `onCheck` gets the name of each check. */
export function passwordProvider(onCheck: (username: string, password: string) => void = () => {}) {
  return {
    id: "password",
    name: "Password",
    type: "credentials" as const,
    credentials: { username: {}, password: { type: "password" } },
    authorize({ username, password }: Readonly<Record<string, unknown>>) {
      onCheck(String(username), String(password))
      if (password === "down") throw new Error("the directory is away")
      return password === "right" ? { id: String(username).trim().toLowerCase() } : null
    },
  }
}

/** Hands over what it would send. */
export function mailProvider(onMail: (mail: { readonly identifier: string; readonly url: string }) => void): never {
  return { id: "mail", name: "Mail", type: "email", from: "app@app.test", sendVerificationRequest: onMail } as never
}

/** Sessions in cookies, no CSRF token asked of forms, and nothing on the console. */
export const plainSettings = {
  secret: "0123456789abcdef0123456789abcdef",
  trustHost: true,
  skipCSRFCheck,
  session: { strategy: "jwt" },
  logger: { error: () => {}, warn: () => {}, debug: () => {} },
} satisfies Partial<AuthConfig>
