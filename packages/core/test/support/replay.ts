/**
 * Saved session cookies that are replayed after their session has ended, on every row of the route table: the cases, for any
 * store and both strategies.
 */
import type { Adapter } from "@latchkey/core/adapters"
import type { RecordStore } from "@latchkey/core/records"
import { managedSessions } from "@latchkey/core/sessions"
import { softwarePasskey } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { table } from "../../src/actions/table.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { ProviderType } from "../../src/types/identity.js"
import type { TestBrowser, Visit } from "./browser.js"
import { credentialsProvider, rightCredentials } from "./credentials.js"
import { sessionCookie } from "./journeys.js"
import { optionsOf } from "./passkeys.js"
import { makeWorld, type World } from "./world.js"

/** A store to try, empty at first. */
export interface ReplayStore {
  readonly adapter: Adapter
  /** Where the adapter keeps none. */
  readonly records?: RecordStore
  /** Published adapters whose tables know no passkeys. */
  readonly hasPasskeys?: boolean
  readonly close?: () => Promise<unknown>
}

const owner = "owner@app.test"
/** Seconds after which the token before a new one is not believed any more. */
const grace = 30

interface Stage {
  readonly world: World
  readonly sessions: ReturnType<typeof managedSessions>
  /** The browser whose cookie was saved. */
  readonly here: TestBrowser
  /** The same person at another device. */
  readonly there: TestBrowser
  readonly userId: string
  readonly saved: string
  readonly hasPasskeys: boolean
}

type Strategy = "jwt" | "database"

async function openStage(strategy: Strategy, { adapter, records, hasPasskeys = true }: ReplayStore): Promise<Stage> {
  const sessions = managedSessions()
  const known = async (): Promise<unknown> => adapter.getUserByEmail?.("stranger@app.test")
  const authorize = ({ name, password }: Record<string, unknown>): unknown =>
    name === "ada" && password === "right" ? known() : null
  const world = await makeWorld({
    adapter,
    strategy,
    more: [credentialsProvider(authorize), ...(hasPasskeys ? [Passkey()] : [])],
    config: {
      features: [sessions],
      ...(records && { records }),
      ...(hasPasskeys && { experimental: { enableWebAuthn: true } }),
    },
  })
  await world.signInByMail(world.browser(), "stranger@app.test")
  const [here, there] = [world.browser(), world.browser()]
  await world.signInByMail(here, owner)
  await world.signInByMail(there, owner)
  const user = await adapter.getUserByEmail?.(owner)
  const saved = here.cookie(sessionCookie)
  if (!user || saved === undefined) throw new Error("The owner did not get in.")
  return { world, sessions, here, there, userId: user.id, saved, hasPasskeys }
}

const sourceOf = (browser: TestBrowser): { url: string; headers: { cookie: string } } => ({
  url: "https://app.test/",
  headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}` },
})

async function idOf({ sessions, world }: Stage, browser: TestBrowser): Promise<string> {
  const list = await sessions.list(world.auth, sourceOf(browser))
  return list.find(({ current }) => current)?.id ?? ""
}

const inSeconds = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)

/** What ends the session whose cookie was saved. */
const endings: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "signing out": ({ here }) => here.post("/auth/signout"),
  "ending it from another device": async (stage) => {
    const ended = await stage.there.post("/auth/sessions", { end: await idOf(stage, stage.here) })
    expect([ended.status, ended.text]).toEqual([200, '{"ended":1}'])
  },
  "ending it itself": async (stage) => stage.here.post("/auth/sessions", { end: await idOf(stage, stage.here) }),
  "ending all others": async ({ there }) => {
    const ended = await there.post("/auth/sessions", { end: "others" })
    expect([ended.status, ended.text]).toEqual([200, '{"ended":1}'])
  },
  "ending all sessions of the user": async ({ sessions, world, userId }) =>
    expect(await sessions.endAll(world.auth, userId)).toEqual({ ended: 2 }),
  "a new token, and half a minute": async ({ sessions, world, here }) => {
    expect(await sessions.rotate(world.auth, sourceOf(here))).toMatchObject({ done: true })
    inSeconds(grace)
  },
  "a new sign-in of the same browser": ({ world, here }) => world.signInByMail(here, owner),
  "deleting the user": async ({ world, userId }) => world.adapter.deleteUser?.(userId),
}

interface Probe {
  readonly row: string
  /** What the person with the saved cookie asks for. Answers what must not tell of the owner. */
  readonly go: (browser: TestBrowser, stage: Stage) => Promise<Visit>
}

const providers: Readonly<Record<ProviderType, string>> = {
  oidc: "op",
  oauth: "op",
  email: "mail",
  credentials: "credentials",
  webauthn: "passkey",
}

const fields: Readonly<Record<string, Record<string, string>>> = {
  "signin email": { email: "somebody@app.test" },
  "callback credentials": rightCredentials,
  "sessions none": { end: "others" },
}

/** One request for each row and kind of provider. Where a row links accounts, the whole flow is another case. */
const probes: readonly Probe[] = [
  ...table.flatMap(({ method, action, kinds }) => kinds.map((kind) => ({ method, action, kind }))),
  { method: "GET", action: "sessions", kind: "none" } as const,
  { method: "POST", action: "sessions", kind: "none" } as const,
].map(({ method, action, kind }) => {
  const path = `/auth/${action}${kind === "none" ? "" : `/${providers[kind]}`}`
  const query = action === "webauthn-options" ? "?action=register" : ""
  return {
    row: `${method} ${action}${kind === "none" ? "" : ` (${kind})`}`,
    go: (browser) =>
      method === "GET" ? browser.get(path + query) : browser.post(path, fields[`${action} ${kind}`] ?? {}),
  }
})

/** A browser of somebody who saved the cookie. */
function thiefOf({ world, saved }: Stage): TestBrowser {
  const browser = world.browser()
  browser.setCookie(sessionCookie, saved)
  return browser
}

function served({ row }: Probe, { hasPasskeys }: Stage): boolean {
  return hasPasskeys || !row.includes("webauthn")
}

/** Says what of the saved cookie still opens something. */
async function opened(stage: Stage): Promise<readonly string[]> {
  const found: string[] = []
  for (const probe of probes.filter((one) => served(one, stage))) {
    const thief = thiefOf(stage)
    const before = stage.world.events.length
    const visit = await probe.go(thief, stage)
    const session = JSON.stringify(await thief.session())
    const announced = stage.world.events.slice(before).filter(([name]) => name === "session" || name === "signOut")
    if (visit.text.includes(owner)) found.push(`${probe.row}: names the owner`)
    if (session.includes(owner)) found.push(`${probe.row}: is signed in as the owner`)
    if (JSON.stringify(announced).includes(owner)) found.push(`${probe.row}: announces the owner`)
  }
  return found
}

/** Says whether a passkey, or an account at a provider, is added to the owner. */
async function links(stage: Stage): Promise<readonly string[]> {
  const found: string[] = []
  if (await registersPasskey(stage)) found.push("registers a passkey")
  if (await linksAccount(stage)) found.push("links an account")
  return found
}

async function linksAccount(stage: Stage): Promise<boolean> {
  await stage.world.signInAtOp(thiefOf(stage))
  const linked = await stage.world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "person-1" })
  return linked?.id === stage.userId
}

async function registersPasskey(stage: Stage): Promise<boolean> {
  if (!stage.hasPasskeys) return false
  const thief = thiefOf(stage)
  const { action, options } = await optionsOf(thief, { action: "register" })
  if (action !== "register") return false
  const data = await softwarePasskey().create(options)
  const fields = { action, data: JSON.stringify(data) }
  const { location } = await thief.post("/auth/callback/passkey", fields, { csrf: false, json: true })
  return location !== undefined && !location.includes("error=")
}

/** Says what of the functions of this process believes the saved cookie. */
async function believed({ world, sessions, saved, userId }: Stage): Promise<readonly string[]> {
  const source = { url: "https://app.test/", headers: { cookie: `${sessionCookie}=${saved}` } }
  const answers: Readonly<Record<string, unknown>> = {
    session: (await world.auth.session(source)).session,
    update: (await world.auth.update(source, {})).session,
    list: (await sessions.list(world.auth, source)).length > 0 || null,
    end: (await sessions.end(world.auth, source, "x")).done || null,
    endOthers: (await sessions.endOthers(world.auth, source)).done || null,
    rotate: (await sessions.rotate(world.auth, source)).done || null,
    actAs: (await sessions.actAs(world.auth, source, userId)).done || null,
  }
  return Object.keys(answers).filter((name) => answers[name] !== null)
}

/** The cases for one store. */
export function replayCases(name: string, open: () => Promise<ReplayStore>): void {
  describe.each(["jwt", "database"] as const)(`a saved cookie, ${name}, %s strategy`, (strategy) => {
    let store: ReplayStore
    beforeEach(async () => {
      store = await open()
      vi.useFakeTimers({ toFake: ["Date"], now: new Date() })
    })
    afterEach(async () => {
      vi.useRealTimers()
      await store.close?.()
    })

    it("opens before its session has ended: the probes see what there is", async () => {
      const stage = await openStage(strategy, store)
      const found = await opened(stage)
      expect(found).toEqual(
        expect.arrayContaining([
          "GET session: names the owner",
          "POST session: names the owner",
          "GET signin: names the owner",
          "GET signout: names the owner",
          "GET csrf: is signed in as the owner",
        ]),
      )
      // Each ends the session that it is added to, and begins another.
      expect(await registersPasskey(await openStage(strategy, store))).toBe(store.hasPasskeys !== false)
      expect(await linksAccount(await openStage(strategy, store))).toBe(true)
    })

    it.each(Object.entries(endings))(
      "opens nothing on any row after %s",
      { tags: ["threat:U-13", "threat:SF-08"] },
      async (_, end) => {
        const stage = await openStage(strategy, store)
        await end(stage)
        expect(await opened(stage)).toEqual([])
        expect(await links(stage)).toEqual([])
        expect(await believed(stage)).toEqual([])
      },
    )
  })
}
