/** The service as this application sets it up: four ways of signing in, and where sessions are kept. */
import { createAuth } from "@latchkey/core"
import { passkeys } from "@latchkey/core/passkeys"
import { Credentials } from "@latchkey/core/providers/credentials"
import { Nodemailer } from "@latchkey/core/providers/nodemailer"
import { Passkey } from "@latchkey/core/providers/passkey"
import { managedSessions } from "@latchkey/core/sessions"
import { chosenLanguage } from "./languages.js"

/** Passkeys can be named and removed: the page at /auth/passkeys does, and the account page leads there. */
export const keys = passkeys()

/**
 * @typedef {{
 *   origin: string,
 *   secret: string,
 *   strategy: "database" | "jwt",
 *   store: import("./store.js").Store,
 *   identity: { issuer: string, clientId: string, clientSecret: string },
 *   smtpServer: string,
 * }} Parts
 */

/** @param {Parts} parts */
export function createDemoAuth({ identity, origin, secret, smtpServer, store, strategy }) {
  return createAuth(
    {
      secret,
      adapter: store.adapter,
      // The account page looks up what belongs to the person, so the session carries the id as well.
      session: { strategy, expose: ["id"] },
      // Sessions can be listed and ended: the account page does.
      features: [managedSessions(), keys],
      providers: [
        { id: "demo-op", name: "Demo Identity", type: "oidc", ...identity },
        Nodemailer({
          name: "Email",
          server: smtpServer,
          from: "Latchkey demo <no-reply@demo.test>",
        }),
        Credentials({
          name: "Password",
          credentials: {
            email: { label: "Email", type: "email", required: true, autocomplete: "username" },
            password: { label: "Password", type: "password", required: true, autocomplete: "current-password" },
          },
          authorize: ({ email, password }) => store.authorize(email, password),
        }),
        Passkey(),
      ],
      experimental: { enableWebAuthn: true },
      pages: { verifyRequest: "/check-mail" },
      theme: { name: "Latchkey demo", logo: "/assets/icon.svg", brandColor: "#3350c9" },
      // What the person chose on the home page; nothing means what their browser prefers.
      language: ({ headers }) => chosenLanguage(headers.get("cookie")),
      logger: {
        warn(code) {
          // Switched on above, on purpose.
          if (code !== "experimental-webauthn") console.warn(`[auth] ${code}`)
        },
      },
    },
    // Nothing of the surroundings changes the demo: AUTH_* variables of the shell are not read.
    { env: { AUTH_URL: origin } },
  )
}
