/** Signing out by a call of the application while the store fails: where the call says that the person is signed out they are, and a copy of the cookie opens nothing. */
import { expect, it, vi } from "vitest"
import { Auth, raw } from "../../src/index.js"
import { managedSessions } from "../../src/sessions.js"
import type { Cookie } from "../../src/types/config.js"
import { faultyAdapter } from "../support/faulty.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

const kinds = [
  { strategy: "jwt", isManaged: true },
  { strategy: "database", isManaged: true },
  { strategy: "database", isManaged: false },
] as const

async function open({ strategy, isManaged }: (typeof kinds)[number]) {
  const store = faultyAdapter("with transactions")
  const features = isManaged ? [managedSessions()] : []
  const trail = vi.fn()
  const world = await makeWorld({ strategy, adapter: store.adapter, config: { features, trail } })
  const signedIn = async () => {
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    const cookie = `${sessionCookie}=${browser.cookie(sessionCookie)}`
    const source = () => ({ url: "https://app.test/", headers: { cookie } })
    const isOpen = async (): Promise<boolean> => (await world.auth.session(source())).session !== null
    return { browser, cookie, source, isOpen }
  }
  return { store, trail, world, signedIn }
}

/** The cookies that are to be set when a call throws, and what it throws. */
async function failed(call: (onThrow: (cookies: readonly Cookie[]) => void) => Promise<unknown>) {
  const onThrow = vi.fn<(cookies: readonly Cookie[]) => void>()
  const error = await call(onThrow).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { error, cookies: onThrow.mock.calls.flatMap(([cookies]) => cookies) }
}

const cleared = expect.objectContaining({ name: sessionCookie, value: "" })

it.each(
  kinds.flatMap((kind) =>
    (["rejects", "lost"] as const).flatMap((how) => [true, false].map((isLasting) => ({ ...kind, how, isLasting }))),
  ),
)("each call of the store fails in turn: %o", { tags: ["threat:SF-07", "threat:FD-10"] }, async (given) => {
  const { store, world, signedIn } = await open(given)
  const { how, isLasting } = given
  const found = { ended: 0, threw: 0 }
  let asked = 0
  for (let nth = 1; nth === 1 || asked >= nth - 1; nth += 1) {
    const { source, isOpen } = await signedIn()
    store.arm({ operation: "*", nth, how, isLasting })
    const { error, cookies } = await failed((onThrow) => world.auth.signOut(source(), { onThrow }))
    asked = store.calls.length
    store.heal()
    const what = error === undefined ? "ended" : "threw"
    found[what] += 1
    if (error === undefined) expect(await isOpen()).toBe(false)
    else {
      expect(error).toMatchObject({ type: "SignOutError", status: 503 })
      expect(cookies).toContainEqual(cleared)
    }
  }
  expect(found.ended).toBeGreaterThan(0)
  if (how === "rejects") expect(found.threw).toBeGreaterThan(0)
})

it.each(kinds)(
  "a fault is thrown also where refusals are answered with a redirect: %o",
  {
    tags: ["threat:SF-07"],
  },
  async (kind) => {
    const { store, world, signedIn } = await open(kind)
    const { source, isOpen } = await signedIn()
    store.arm({ operation: "*", nth: 1, how: "rejects", isLasting: true })
    const { error } = await failed((onThrow) => world.auth.signOut(source(), { onRefusal: "redirect", onThrow }))
    expect(error).toMatchObject({ type: "SignOutError" })
    store.heal()
    expect(await isOpen()).toBe(true)
  },
)

it.each(kinds)(
  "a page still leads to the page of errors, without the cookie, and the trail has the fault: %o",
  {
    tags: ["threat:SF-07", "threat:FD-10"],
  },
  async (kind) => {
    const { store, trail, world, signedIn } = await open(kind)
    const { browser } = await signedIn()
    store.arm({ operation: "*", nth: 1, how: "rejects", isLasting: true })
    trail.mockClear()
    const visit = await browser.post("/auth/signout")
    const [, incident] =
      /^https:\/\/app\.test\/auth\/error\?error=Configuration&incident=(\w{12})$/.exec(visit.location ?? "") ?? []
    expect(incident).toBeDefined()
    expect(browser.cookie(sessionCookie)).toBeUndefined()
    expect(world.errors).toMatchObject([{ name: "SignOutError", incident }])
    expect(trail.mock.calls).toMatchObject([[{ what: "fault", outcome: "fault", reason: "SignOutError", incident }]])
  },
)

it("whoever asks for raw answers gets the error thrown", { tags: ["threat:SF-07"] }, async () => {
  const { store, world, signedIn } = await open({ strategy: "database", isManaged: false })
  const { browser, cookie } = await signedIn()
  const { csrfToken } = JSON.parse((await browser.get("/auth/csrf")).text) as { csrfToken: string }
  const csrf = `__Host-authjs.csrf-token=${browser.cookie("__Host-authjs.csrf-token")}`
  const body = new URLSearchParams({ csrfToken })
  const headers = { cookie: `${cookie}; ${csrf}` }
  store.arm({ operation: "deleteSession", nth: 1, how: "rejects", isLasting: true })
  const request = new Request("https://app.test/auth/signout", { method: "POST", body, headers })
  await expect(Auth(request, { ...world.config, raw })).rejects.toMatchObject({ type: "SignOutError" })
})
