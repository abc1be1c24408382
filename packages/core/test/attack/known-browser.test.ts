/** Cookies of known browsers in other hands: none of them is worth more guesses than the one budget of its browser and its person. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { seal } from "../../src/crypto/jwe.js"
import { createKeyCache, createKeyring } from "../../src/crypto/keyring.js"
import { deviceCookie, guessingStage, letThrough } from "../support/guessing.js"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00.000Z") })
})
afterEach(() => {
  vi.useRealTimers()
})

async function withOwner() {
  const stage = guessingStage()
  const owner = stage.browser()
  await owner.guess("ada", "right")
  const thief = stage.browser()
  const steal = (): void => void thief.jar.set(deviceCookie, owner.jar.get(deviceCookie) ?? "")
  return { ...stage, owner, thief, steal }
}

it("a stolen cookie gives one more budget, however many requests carry it and however old it is", {
  tags: ["threat:V6-06"],
}, async () => {
  const { owner, thief, steal } = await withOwner()
  steal()
  const first = thief.jar.get(deviceCookie) ?? ""
  expect(letThrough(await thief.guessWrongly(50, "ada"))).toBe(10)
  vi.setSystemTime(new Date(Date.now() + 2000))
  await owner.guess("ada", "right")
  steal()
  expect(thief.jar.get(deviceCookie)).not.toBe(first)
  const statuses: number[] = []
  // Both are of one browser: whichever is sent, the same tries are counted.
  for (let index = 0; index < 30; index += 1) {
    if (index % 2) steal()
    else thief.jar.set(deviceCookie, first)
    statuses.push((await thief.guess("ada", "wrong")).status)
  }
  expect(letThrough(statuses)).toBe(10)
})

it("a stolen cookie sent by 200 requests at once gives ten guesses", { tags: ["threat:V6-06"] }, async () => {
  const { auth, checked, thief, steal } = await withOwner()
  steal()
  const before = checked.length
  await Promise.all(Array.from({ length: 200 }, () => thief.guess("ada", "wrong")))
  expect(checked.length - before).toBe(10)
  expect(auth.problems()).toEqual([])
})

it("the cookie of one person gives no guess at another", { tags: ["threat:V6-06"] }, async () => {
  const { thief, steal, browser } = await withOwner()
  await browser().guessWrongly(10, "grace")
  steal()
  expect(letThrough(await thief.guessWrongly(5, "grace"))).toBe(0)
})

it("whoever signs in as themselves, again and again, gets no further guess at the owner", {
  tags: ["threat:V6-06"],
}, async () => {
  const { thief } = await withOwner()
  let passed = 0
  for (let round = 0; round < 5; round += 1) {
    thief.jar.clear()
    expect((await thief.guess("eve", "right")).isSignedIn).toBe(true)
    passed += letThrough(await thief.guessWrongly(10, "ada"))
  }
  expect(passed).toBe(10)
})

it("a thief who signs in as themselves with the stolen cookie keeps its budget, and gets no new one", {
  tags: ["threat:V6-06"],
}, async () => {
  const { thief, steal } = await withOwner()
  steal()
  let passed = 0
  for (let round = 0; round < 3; round += 1) {
    passed += letThrough(await thief.guessWrongly(10, "ada"))
    await thief.guess("eve", "right")
  }
  expect(passed).toBe(10)
})

const secret = "0123456789abcdef0123456789abcdef"
const forge = (claims: object, { salt = deviceCookie, by = secret } = {}) =>
  seal({ ...claims }, { keyring: createKeyring([by], createKeyCache(4)), salt, maxAge: 3600, now: new Date() })

it("a cookie that was forged, cut, or sealed for another purpose is none", async () => {
  const { owner, thief, browser } = await withOwner()
  await browser().guessWrongly(10, "ada")
  const whole = owner.jar.get(deviceCookie) ?? ""
  const session = owner.jar.get("__Secure-authjs.session-token") ?? ""
  const forgeries = [
    "",
    "x",
    whole.slice(0, -1),
    `${whole.slice(0, 60)}A${whole.slice(61)}`,
    session,
    await forge({ id: "a", people: ["ada"] }),
    await forge({ id: "a", people: "ada" }),
    await forge({ id: 1, people: [null, {}] }),
    await forge({}),
    await forge({ id: "a", people: ["ada"] }, { by: "another secret of thirty-two chars" }),
    await forge({ id: "a", people: ["ada"] }, { salt: "authjs.device" }),
  ]
  const statuses: number[] = []
  for (const forged of forgeries) {
    thief.jar.set(deviceCookie, forged)
    statuses.push((await thief.guess("ada", "wrong")).status)
  }
  expect(letThrough(statuses)).toBe(0)
})

it("a stolen cookie is no session", async () => {
  const { auth, thief, steal } = await withOwner()
  steal()
  const cookie = `${deviceCookie}=${thief.jar.get(deviceCookie)}; __Secure-authjs.session-token=${thief.jar.get(deviceCookie)}`
  const { session } = await auth.session({ url: "https://app.test", headers: { cookie } })
  expect(session).toBeNull()
})
