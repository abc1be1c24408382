/** A stolen session adds an account of the thief to its owner, while the owner ends it: by each way of ending, at each moment of adding. */
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { CallbacksOptions, EventCallbacks } from "../../src/types/hooks.js"
import type { RecordStore } from "../../src/types/records.js"
import type { TestBrowser } from "./browser.js"
import { holdingCalls } from "./held-calls.js"
import { sessionCookie } from "./journeys.js"
import { makeWorld } from "./world.js"

/** How a session is ended. */
export const endings = ["endAll", "endOthers", "end by its name", "signing out"] as const

/** One of them. */
export type Ending = (typeof endings)[number]

/** The key of the account that the thief adds. */
export const accountOfThief = { provider: "op", providerAccountId: "thief-1" }

interface Given {
  readonly strategy: "jwt" | "database"
  readonly adapter: Adapter
  /** A store of records beside the adapter. */
  readonly records?: RecordStore
}

/** The owner on two devices; the thief has a copy of the cookie of the first. */
export async function theft({ strategy, adapter: store, records }: Given) {
  const { adapter, hold } = holdingCalls(store)
  const sessions = managedSessions()
  const moments: Record<"asked" | "announced", () => Promise<void>> = {
    asked: async () => {},
    announced: async () => {},
  }
  const signIn: CallbacksOptions["signIn"] = async ({ account }) => {
    if (account?.provider !== "mail") await moments.asked()
    return true
  }
  const linkAccount: EventCallbacks["linkAccount"] = async ({ account }) => {
    if (account.provider !== "mail") await moments.announced()
  }
  const config = {
    features: [sessions],
    experimental: { enableWebAuthn: true },
    callbacks: { signIn },
    events: { linkAccount },
    ...(records && { records }),
  }
  const world = await makeWorld({ strategy, adapter, more: [Passkey()], config })
  world.op.person = { sub: accountOfThief.providerAccountId, name: "Eve", email: "eve@op.test", email_verified: true }
  const [owner, other, thief] = [world.browser(), world.browser(), world.browser()]
  await world.signInByMail(owner, "ada@app.test")
  await world.signInByMail(other, "ada@app.test")
  thief.setCookie(sessionCookie, owner.cookie(sessionCookie) ?? "")
  const requestOf = (browser: TestBrowser) => ({
    url: "https://app.test/",
    headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}` },
  })
  const user = await store.getUserByEmail?.("ada@app.test")
  const stolen = (await sessions.list(world.auth, requestOf(owner))).find(({ current }) => current)
  const end = async (how: Ending): Promise<void> => {
    if (how === "endAll") await sessions.endAll(world.auth, user?.id ?? "")
    if (how === "endOthers") await sessions.endOthers(world.auth, requestOf(other))
    if (how === "end by its name") await sessions.end(world.auth, requestOf(other), stolen?.id ?? "")
    if (how === "signing out") await owner.post("/auth/signout")
  }
  const ownerOfAccount = async (): Promise<string | undefined> =>
    (await store.getUserByAccount?.(accountOfThief))?.email ?? undefined
  return { world, hold, moments, other, phone: world.browser(), thief, end, ownerOfAccount }
}
