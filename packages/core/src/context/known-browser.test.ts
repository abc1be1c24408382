import { expect, it, vi } from "vitest"
import { contextOf, noon, secret } from "../../test/support/facts.js"
import { open, seal } from "../crypto/jwe.js"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { isKnownTo, readBrowser, rememberIn } from "./known-browser.js"

const name = "__Host-authjs.device"
const page = "https://app.test/auth/session"
const lifetime = 400 * 24 * 60 * 60
const keyring = createKeyring([secret], createKeyCache(8))
const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000)
const sealed = (claims: Readonly<Record<string, unknown>>) =>
  seal(claims, { keyring, salt: name, maxAge: lifetime, now: noon })

async function carrying(cookie: string | undefined, now = noon) {
  const debug = vi.fn()
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie: `${name}=${cookie}` }
  const logger = { error: () => {}, warn: () => {}, debug }
  const context = await contextOf(new Request(page, { headers }), { config: { logger, debug: true }, now })
  debug.mockClear()
  return { context, debug }
}

async function remembered(person: string, before?: Parameters<typeof rememberIn>[1]) {
  const { context } = await carrying(undefined)
  const change = await rememberIn(context, before, person)
  const value = "value" in change ? change.value : ""
  const claims = await open(value, { keyring, salt: name, now: noon })
  return { change, value, claims: claims as { id: string; people: string[] } }
}

it("is named by 128 random bits, and a person in it by 132 bits of a keyed hash", async () => {
  const { claims, change } = await remembered("ada")
  expect(claims.id).toMatch(/^[\w-]{22}$/)
  expect(claims.people).toEqual([expect.stringMatching(/^[\w-]{22}$/)])
  expect((await remembered("ada")).claims.id).not.toBe(claims.id)
  expect((await remembered("ada")).claims.people).toEqual(claims.people)
  expect(change).toMatchObject({ role: "device", expires: after(lifetime) })
})

it("keeps its name, and its three newest people, newest first and each once", async () => {
  let browser: Awaited<ReturnType<typeof remembered>>["claims"] | undefined
  const hashes: string[] = []
  for (const person of ["ada", "grace", "joan", "edith"]) {
    const { claims } = await remembered(person, browser)
    expect(claims.id).toBe(browser?.id ?? claims.id)
    hashes.unshift(claims.people[0] ?? "")
    expect(claims.people).toEqual(hashes.slice(0, 3))
    browser = claims
  }
  const again = await remembered("joan", browser)
  expect(again.claims.people).toEqual([hashes[1], hashes[0], hashes[2]])
})

it("is read until its cookie ends", async () => {
  const { value, claims } = await remembered("ada")
  const { context } = await carrying(value)
  expect(await readBrowser(context)).toEqual({ id: claims.id, people: claims.people })
  const { context: late } = await carrying(value, after(lifetime + 60))
  expect(await readBrowser(late)).toBeUndefined()
})

it("is unknown without a word where there is no cookie", async () => {
  const { context, debug } = await carrying(undefined)
  expect(await readBrowser(context)).toBeUndefined()
  expect(debug).not.toHaveBeenCalled()
})

it.each([{}, { id: "browser" }, { people: ["ada"] }, { id: 5, people: ["ada"] }, { id: "browser", people: "ada" }])(
  "is unknown where its cookie says %j",
  async (claims) => {
    const { context, debug } = await carrying(await sealed(claims))
    expect(await readBrowser(context)).toBeUndefined()
    expect(debug).not.toHaveBeenCalled()
  },
)

it("is unknown where its cookie was sealed by somebody else", async () => {
  const { context, debug } = await carrying("eyJ.a.b.c.d")
  expect(await readBrowser(context)).toBeUndefined()
  expect(debug).toHaveBeenCalledOnce()
})

it("holds nobody whose name is not a string", async () => {
  const { context } = await carrying(await sealed({ id: "browser", people: [5, null, "ada", ["ada"]] }))
  expect(await readBrowser(context)).toEqual({ id: "browser", people: ["ada"] })
})

it("is known to those who are in it, whichever secret was the newest then, and to nobody else", async () => {
  const { claims } = await remembered("ada")
  const secrets = ["another secret of thirty-two chars", secret]
  const rotated = await contextOf(page, { config: { secret: secrets } })
  expect(await isKnownTo(rotated, claims, "ada")).toBe(true)
  expect(await isKnownTo(rotated, claims, "grace")).toBe(false)
  const stranger = await contextOf(page, { config: { secret: secrets.slice(0, 1) } })
  expect(await isKnownTo(stranger, claims, "ada")).toBe(false)
  const derive = vi.spyOn(stranger.settings.keyring, "derive")
  expect(await isKnownTo(stranger, { id: "browser", people: [] }, "ada")).toBe(false)
  expect(derive).not.toHaveBeenCalled()
})

it("hashes its people with a key for nothing else", async () => {
  const { context } = await carrying(undefined)
  const derive = vi.spyOn(context.settings.keyring, "derive")
  await rememberIn(context, undefined, "ada")
  expect(derive.mock.calls).toContainEqual([0, "latchkey.device"])
})
