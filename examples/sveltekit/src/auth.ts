/** The whole configuration. It is read at each request's time, so building the application needs no secret. */

import { CredentialsSignin, SvelteKitAuth } from "@latchkey/sveltekit"
import { Credentials } from "@latchkey/sveltekit/providers/credentials"
import { GitHub } from "@latchkey/sveltekit/providers/github"
import { env } from "$env/dynamic/private"
import { adapter, personOf } from "$lib/server/store"

/** What a person signs in with. GitHub reads AUTH_GITHUB_ID and AUTH_GITHUB_SECRET by itself. */
const providers = () => [
  ...(env.AUTH_GITHUB_ID ? [GitHub({})] : []),
  ...(env.AUTH_OIDC_ISSUER
    ? [{ id: "oidc", type: "oidc" as const, name: env.AUTH_OIDC_NAME ?? "your company", issuer: env.AUTH_OIDC_ISSUER }]
    : []),
  Credentials({
    name: "Password",
    credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
    async authorize({ email, password }) {
      const person = await personOf(email, password)
      if (!person) throw new CredentialsSignin()
      return person
    },
  }),
]

export const { handle, signIn, signInView, signOut } = SvelteKitAuth(() => ({
  adapter,
  providers: providers(),
  session: { expose: ["id"] },
}))
