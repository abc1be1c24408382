/** Tenants that `authorize` tells apart by the address of its request: whoever has the same name at another one buys no guesses with it. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/adapters/memory.js"
import { createAuth } from "../../src/engine/auth.js"
import { limits } from "../../src/index.js"
import { openBrowser, type TestBrowser } from "../support/browser.js"
import { plainSettings } from "../support/password-service.js"

const red = "red.app.test/auth"
const blue = "blue.app.test/auth"
const onPath = "red.app.test/blue"

/** A service that has somebody named `ada` at each address, with a password of their own. */
function serviceOf(env: Readonly<Record<string, string>> = {}) {
  const adapter = memoryAdapter()
  const authorize = ({ username, password }: Record<string, unknown>, { url }: Request) => {
    const { host, pathname } = new URL(url)
    const place = `${host.replace(/^www\./, "")}/${pathname.split("/")[1]}`
    return username === "ada" && password === `password of ${place}` ? { id: `ada at ${place}` } : null
  }
  const password = { credentials: { username: {}, password: { type: "password" } }, authorize }
  const providers = [{ id: "password", name: "Password", type: "credentials", ...password } as never]
  const authAt = (basePath: string) =>
    createAuth({ ...plainSettings, adapter, providers, basePath }, { env: { NODE_ENV: "production", ...env } })
  const browserAt = (place: string, scheme = "https") => {
    const [host, path] = place.split("/")
    const { handle } = authAt(`/${path}`)
    const browser = openBrowser((request) => handle(request), {
      origin: `${scheme}://${host}`,
      basePath: `/${path}`,
    })
    return { jar: browser.jar, signIn: (given: string) => signIn(browser, `/${path}/callback/password`, given) }
  }
  return { browserAt, auth: authAt("/auth") }
}

async function signIn(browser: TestBrowser, path: string, password: string): Promise<number> {
  return (await browser.post(path, { username: "ada", password }, { csrf: false, json: true })).status
}

/** How many of so many wrong passwords were looked at. */
async function lookedAt(
  { signIn }: ReturnType<ReturnType<typeof serviceOf>["browserAt"]>,
  count: number,
): Promise<number> {
  let passed = 0
  for (let n = 0; n < count; n += 1) if ((await signIn("wrong")) !== 429) passed += 1
  return passed
}

describe("somebody of the same name at another tenant", { tags: ["threat:V6-06"] }, () => {
  it.each([
    ["by its host", blue],
    ["by its path", onPath],
  ])("takes back no wrong tries by signing in there, apart %s", async (_, own) => {
    const { browserAt } = serviceOf()
    let passed = 0
    for (let round = 0; round < 5; round += 1) {
      passed += await lookedAt(browserAt(red), 8)
      await browserAt(own).signIn(`password of ${own}`)
    }
    expect(passed).toBe(10)
  })

  it.each([
    ["by its host", blue],
    ["by its path", onPath],
  ])("makes no browser known for the other, apart %s", async (_, own) => {
    const { browserAt } = serviceOf()
    const eve = browserAt(own)
    expect(await eve.signIn(`password of ${own}`)).toBe(302)
    const guessing = browserAt(red)
    expect(await lookedAt(guessing, 12)).toBe(10)
    for (const [name, cookie] of eve.jar) guessing.jar.set(name, cookie)
    expect(await lookedAt(guessing, 5)).toBe(0)
  })

  it("counts with the others by person: neither host nor path brings a budget of its own", async () => {
    const { browserAt } = serviceOf()
    expect(await lookedAt(browserAt(red), 6)).toBe(6)
    expect(await lookedAt(browserAt(blue), 6)).toBe(4)
    expect(await lookedAt(browserAt(onPath), 2)).toBe(0)
  })
})

describe("one application at several addresses", () => {
  it.each([
    ["www.red.app.test/auth", "https"],
    [red, "http"],
    ["WWW.red.app.test/auth", "http"],
  ])("takes back the tries of %s by %s", async (address, scheme) => {
    const { browserAt } = serviceOf()
    for (let round = 0; round < 3; round += 1) {
      expect(await lookedAt(browserAt(address, scheme), 8)).toBe(8)
      expect(await browserAt(red).signIn(`password of ${red}`)).toBe(302)
    }
  })

  it("takes back the tries of any host where its address is configured", async () => {
    const { browserAt } = serviceOf({ AUTH_URL: "https://red.app.test" })
    for (let round = 0; round < 3; round += 1) {
      expect(await lookedAt(browserAt("other.test/auth"), 8)).toBe(8)
      expect(await browserAt(red).signIn(`password of ${red}`)).toBe(302)
    }
  })

  it("is opened by limits.reset for all of them", async () => {
    const { browserAt, auth } = serviceOf()
    expect(await lookedAt(browserAt(red), 12)).toBe(10)
    await limits.reset(auth as never, "ada")
    expect(await browserAt(blue).signIn(`password of ${blue}`)).toBe(302)
  })
})
