/** The identity provider: the certified software of @latchkey/testing, with two people and pages of its own. */
import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createProvider } from "@latchkey/testing"
import { choosePage, noticePage } from "./pages.js"
import { people } from "./people.js"

/** @param {string} name */
const publicFile = (name) => readFile(new URL(`../public/${name}`, import.meta.url))

/**
 * Starts it for one application. Rejects with `EADDRINUSE` where the port is taken.
 *
 * @param {{ port: number, redirectUri: string }} options
 * @returns {Promise<import("@latchkey/testing").TestProvider>}
 */
export async function startIdentityProvider({ port, redirectUri }) {
  const { origin } = new URL(redirectUri)
  const home = noticePage({ title: "Demo Identity", text: `Start at ${origin} and sign in from there.` })
  return createProvider({
    port,
    people,
    client: { id: "latchkey-demo", secret: randomBytes(32).toString("base64url") },
    redirectUris: [redirectUri],
    hasChooser: true,
    pages: {
      choose: ({ host }) => choosePage(host),
      notice: noticePage,
      headers: {
        // The form's answer leads back to the client, so its origin is named as well.
        "Content-Security-Policy": `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${origin}; frame-ancestors 'none'; base-uri 'none'`,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
      },
      files: {
        "/": { type: "text/html; charset=utf-8", body: home },
        "/icon.svg": { type: "image/svg+xml", body: await publicFile("identity.svg") },
        "/identity.css": { type: "text/css; charset=utf-8", body: await publicFile("identity.css") },
      },
    },
    configuration,
  })
}

/** What the demo does not use is not offered. */
const configuration = {
  responseTypes: ["code"],
  scopes: ["openid", "profile", "email"],
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
  issueRefreshToken: async () => false,
}
