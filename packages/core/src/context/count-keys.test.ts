import { expect, it } from "vitest"
import { settingsOf } from "../../test/support/facts.js"
import { plainSettings } from "../../test/support/password-service.js"
import { type CounterName, keyOf, keyOfBrowsers, personKeys } from "./count-keys.js"

const context = { settings: settingsOf({ ...plainSettings, providers: [] }) }
const keysOf = (name: CounterName, ...typed: string[]) => personKeys(context, name, typed)

/** How many keys two names have in common, and how many they have together. */
async function shared(name: CounterName, one: readonly string[], other: readonly string[]): Promise<[number, number]> {
  const [first, second] = [await keysOf(name, ...one), await keysOf(name, ...other)]
  return [first.filter((key) => second.includes(key)).length, new Set([...first, ...second]).size]
}

it("counts a plain name at one key, which differs for each counter, name and secret", async () => {
  const all = [
    ...(await keysOf("guess", "ada")),
    ...(await keysOf("code", "ada")),
    ...(await keysOf("guess", "eve")),
    ...(await keysOf("guess", "a", "da")),
    ...(await personKeys({ settings: settingsOf({ ...plainSettings, secret: "another".repeat(8) }) }, "guess", [
      "ada",
    ])),
  ]
  expect(new Set(all).size).toBe(5)
  expect(all).toHaveLength(5)
  for (const key of all) expect(key).not.toContain("ada")
})

it("reads a name as a database may", async () => {
  expect(await shared("guess", ["ada"], ["ÁDA"])).toEqual([1, 1])
  // The iota is a letter to some databases, and nothing to others: one key more.
  expect(await shared("guess", ["shop", "ada"], ["shop", "ada\u200b\u0345"])).toEqual([1, 2])
})

it("counts mails at the mailbox that they go to, whatever looks like its address", async () => {
  expect(await shared("mail", ["ada@app.test"], ["ADA@app.test"])).toEqual([1, 1])
  expect(await shared("mail", ["ada@app.test"], ["ádá@app.test"])).toEqual([0, 2])
  expect(await shared("guess", ["ada@app.test"], ["ádá@app.test"])).toEqual([1, 1])
})

it("has a key for all browsers of each person", async () => {
  const [ada = ""] = await keysOf("guess", "ada")
  const keys = [
    ada,
    await keyOfBrowsers(context, "guess", ada),
    await keyOfBrowsers(context, "code", ada),
    await keyOfBrowsers(context, "guess", "another"),
    // The word in the middle keeps these keys apart from all others.
    await keyOf(context, ["guess", "", ada]),
    await keyOf(context, []),
  ]
  expect(new Set(keys).size).toBe(6)
})
