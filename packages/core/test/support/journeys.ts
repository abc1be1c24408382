/** The ways in, each as one journey of one person through the whole engine. */

import { type SoftwarePasskey, softwarePasskey } from "@latchkey/testing"
import { Passkey } from "../../src/providers/passkey.js"
import type { TestBrowser, Visit } from "./browser.js"
import { credentialsProvider, rightCredentials } from "./credentials.js"
import type { FaultyAdapter } from "./faulty.js"
import { passkeyCeremony, withFirst } from "./passkeys.js"
import { makeWorld, type World, type WorldOptions } from "./world.js"

/** The address of the person on all journeys. */
export const address = "ada@op.test"
export const sessionCookie = "__Secure-authjs.session-token"

/** Where a journey takes place. */
export interface Stage {
  readonly world: World
  readonly browser: TestBrowser
  readonly authenticator: SoftwarePasskey
}

/** One way in. */
export interface Journey {
  /** What has to be there before. */
  prepare?(stage: Stage): Promise<unknown>
  go(stage: Stage): Promise<Visit>
  /** Another way for the same person, where the journey itself can be made only once. */
  otherwise?(stage: Stage): Promise<Visit>
}

/** A world that knows all ways, on this adapter. */
export async function openStage(
  { adapter, inner }: FaultyAdapter,
  { strategy, ...more }: Pick<WorldOptions, "strategy" | "provider" | "config">,
): Promise<Stage> {
  const authorize = async ({ name, password }: Record<string, unknown>): Promise<unknown> =>
    name === "ada" && password === "right" ? inner.getUserByEmail(address) : null
  const world = await makeWorld({
    ...more,
    adapter,
    strategy: strategy ?? "database",
    more: [credentialsProvider(authorize), Passkey()],
    config: { experimental: { enableWebAuthn: true }, ...more.config },
  })
  return { world, browser: world.browser(), authenticator: softwarePasskey() }
}

const ceremony = ({ browser, authenticator }: Stage, query: Record<string, string>): Promise<Visit> =>
  passkeyCeremony(browser, withFirst(authenticator), query)

/** With the credential that was made first: a registration that failed leaves others behind. */
const authenticate = (stage: Stage): Promise<Visit> => ceremony(stage, { action: "authenticate" })
const byMail = ({ world, browser }: Stage): Promise<Visit> => world.signInByMail(browser, address)
const atOp = ({ world, browser }: Stage): Promise<Visit> => world.signInAtOp(browser)
const seed = async ({ world }: Stage): Promise<unknown> =>
  world.adapter.createUser?.({ id: "seeded", email: address, emailVerified: null })

/** All journeys by name. */
export const journeys = {
  "oidc, first": { go: atOp },
  "oidc, again over a session": { prepare: atOp, go: atOp },
  "oidc, linked to who is signed in": { prepare: byMail, go: atOp },
  "email, first": { go: byMail },
  "email, again over a session": { prepare: byMail, go: byMail },
  "email, at an address with a planted passkey": {
    prepare: async (stage) => {
      const thief = { ...stage, browser: stage.world.browser(), authenticator: softwarePasskey() }
      await ceremony(thief, { action: "register", email: address })
    },
    go: byMail,
  },
  credentials: {
    prepare: seed,
    go: ({ browser }) => browser.post("/auth/callback/credentials", rightCredentials),
  },
  "webauthn, registration": {
    go: (stage) => ceremony(stage, { action: "register", email: address }),
    // A passkey is registered once: what was cut off after everything was stored goes on with the passkey.
    otherwise: authenticate,
  },
  "webauthn, registration of who is signed in": {
    prepare: byMail,
    go: (stage) => ceremony(stage, { action: "register" }),
    otherwise: byMail,
  },
  "webauthn, authentication": {
    prepare: async (stage) => {
      await ceremony({ ...stage, browser: stage.world.browser() }, { action: "register", email: address })
    },
    go: authenticate,
  },
} satisfies Record<string, Journey> as Readonly<Record<string, Journey>>

/** Did this answer say that somebody is signed in? */
export function saysSignedIn({ setCookies, location, status }: Visit, browser: TestBrowser): boolean {
  return (
    status < 400 &&
    setCookies.includes(sessionCookie) &&
    browser.cookie(sessionCookie) !== undefined &&
    !isRefusal({ location })
  )
}

/** Does it lead to where errors are shown? */
export function isRefusal({ location }: Pick<Visit, "location">): boolean {
  return location !== undefined && new URL(location).searchParams.has("error")
}
