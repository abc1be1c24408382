/** A provider that is used by hand: its pages, plain ones and those of an application's own look. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClock, createProvider, type ProviderPages, people, type TestProvider } from "../src/index.js"
import { createMemoryModel } from "../src/provider/memory.js"
import { choose } from "./support/chosen.js"

const callback = "https://app.test/auth/callback/acme"
const own: ProviderPages = {
  choose: ({ host, people }) => `<h1>Who goes to ${host}?</h1>${people.map(({ sub }) => `<i>${sub}</i>`).join("")}`,
  notice: ({ title, text }) => `<b>${title}</b> ${text}`,
  headers: { "X-House": "acme" },
  files: {
    "/": { type: "text/html", body: "<h1>Acme</h1>" },
    "/mark.svg": { type: "image/svg+xml", body: Buffer.from("<svg/>") },
  },
}

let acme: TestProvider
let plain: TestProvider
beforeAll(async () => {
  const options = { hasChooser: true, redirectUris: [callback] }
  ;[acme, plain] = await Promise.all([createProvider({ ...options, pages: own }), createProvider(options)])
}, 30_000)
afterAll(() => Promise.all([acme?.close(), plain?.close()]))

function requestAt({ clientId, issuer }: TestProvider, redirectUri = callback): string {
  const query = { client_id: clientId, response_type: "code", scope: "openid", redirect_uri: redirectUri }
  return `${issuer}/auth?${new URLSearchParams(query)}`
}

describe("a provider with pages of its own", () => {
  it("asks on its page who signs in, and takes whom its form names", async () => {
    const { back, page } = await choose(requestAt(acme), { person: "grace" })
    expect(page).toBe(`<h1>Who goes to app.test?</h1>${people.map(({ sub }) => `<i>${sub}</i>`).join("")}`)
    expect(back).toMatch(/^https:\/\/app\.test\/auth\/callback\/acme\?code=/)
    expect((await choose(requestAt(acme), { person: "cancel" })).back).toContain("error=access_denied")
  })

  it("sends its headers with every answer, and serves its files", async () => {
    const { headers } = await choose(requestAt(acme), { person: "ada" })
    const home = await fetch(acme.issuer)
    const mark = await fetch(`${acme.issuer}/mark.svg?v=1`)
    const lost = await fetch(`${acme.issuer}/nowhere`)
    const seen = [headers, ...[home, mark, lost].map((answer) => answer.headers)].map((one) => one.get("x-house"))
    expect(seen).toEqual(["acme", "acme", "acme", "acme"])
    expect(await home.text()).toBe("<h1>Acme</h1>")
    expect([mark.headers.get("content-type"), await mark.text()]).toEqual(["image/svg+xml", "<svg/>"])
    expect(lost.status).toBe(404)
  })

  it("has none of them where nobody chooses", async () => {
    const unseen = await createProvider({ pages: own })
    const answer = await fetch(requestAt({ ...unseen, clientId: "another" }))
    expect([answer.status, answer.headers.get("x-house")]).toEqual([400, null])
    expect(await answer.json()).toMatchObject({ error: "invalid_client" })
    await unseen.close()
  })
})

describe.each([
  ["pages of its own", () => acme, "<b>", "</b>"],
  ["plain pages", () => plain, "<h1>", "</h1>"],
] as const)("a provider with %s says on a page", (_, provider, begin, end) => {
  it("that a sign-in has ended", async () => {
    const answer = await fetch(`${provider().issuer}/login/of-yesterday`)
    expect(answer.status).toBe(400)
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(await answer.text()).toContain(`${begin}This sign-in has ended${end}`)
  })

  it("what is wrong with a request", async () => {
    const answer = await fetch(requestAt(provider(), "https://other.test/callback"))
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain(`${begin}That did not work${end}`)
    expect(page).toMatch(/redirect_uri/)
  })
})

it("a provider forgets what has ended", async () => {
  const store = new Map<string, object>()
  const model = createMemoryModel("Grant", store)
  const clock = createClock()
  try {
    const exp = Math.floor(Date.now() / 1000) + 60
    await model.upsert("short", { exp }, 60)
    await model.upsert("long", { exp: exp + 60 }, 120)
    clock.advance({ seconds: 90 })
    await model.upsert("new", { exp: exp + 120 }, 60)
    expect([...store.keys()]).toEqual(["Grant:long", "Grant:new"])
  } finally {
    clock.restore()
  }
})
