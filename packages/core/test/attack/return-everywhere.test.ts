/** Return addresses of other sites, and malformed ones, at every place that takes one: nobody is led there, nothing fails. */
import { describe, expect, it } from "vitest"
import { InvalidProvider, MissingCSRF, OAuthCallbackError, UnknownAction, Verification } from "../../src/errors.js"
import type { Visit } from "../support/browser.js"
import { makeWorld, type World } from "../support/world.js"

const foreign = [
  "https://app.test.evil.test/",
  "https://app.test@evil.test/",
  "https://evilapp.test/",
  "https://evil.test/?x=app.test",
  "//evil.test",
  "/\\evil.test",
  "javascript:alert(1)",
]
const malformed = [":::", "http://[", "%", "https://", "\u0000", "https://app.test:99999/"]

type Flow = (world: World, callbackUrl: string) => Promise<readonly (Visit | undefined)[]>

const flows: Readonly<Record<string, Flow>> = {
  "a sign-in at a provider, which a new user ends at a page of their own": async (world, callbackUrl) => [
    await world.signInAtOp(world.browser(), { callbackUrl }),
  ],
  "a sign-in that the provider refuses": async (world, callbackUrl) => {
    const browser = world.browser()
    const begun = await browser.post("/auth/signin/op", { callbackUrl })
    const state = new URL(begun.location ?? "").searchParams.get("state") ?? ""
    return [
      // It leads to the provider, and remembers where to return to.
      { ...begun, location: undefined },
      await browser.get(`/auth/callback/op?${new URLSearchParams({ error: "access_denied", state, callbackUrl })}`),
    ]
  },
  "a link by mail": async (world, callbackUrl) => {
    const visit = await world.signInByMail(world.browser(), "eve@app.test", { callbackUrl })
    const [mail] = world.mails
    const link = new URL(mail?.url ?? "")
    expect(link.origin).toBe("https://app.test")
    link.searchParams.set("callbackUrl", callbackUrl)
    link.searchParams.append("callbackUrl", callbackUrl)
    return [visit, await world.browser().get(link.pathname + link.search)]
  },
  "a sign-out": async (world, callbackUrl) => {
    const browser = world.browser()
    await world.signInAtOp(browser)
    return [await browser.post("/auth/signout", { callbackUrl })]
  },
  "a request that is refused at once": async (world, callbackUrl) => {
    const browser = world.browser()
    const query = new URLSearchParams({
      callbackUrl,
      redirectTo: callbackUrl,
      redirect: callbackUrl,
      next: callbackUrl,
    })
    const visits: Visit[] = []
    for (const path of ["signin/nobody", "callback/nobody", "nothing", "signin/op/more", "session/op"]) {
      visits.push(await browser.get(`/auth/${path}?${query}`))
      visits.push(await browser.post(`/auth/${path}?${query}`, { callbackUrl }))
    }
    for (const path of ["signin/op", "signout", "callback/op", "error"]) {
      for (const method of ["PUT", "DELETE", "OPTIONS"])
        visits.push(await browser.send(`/auth/${path}?${query}`, { method }))
      visits.push(await browser.post(`/auth/${path}?${query}`, { callbackUrl }, { csrf: false }))
    }
    return visits
  },
  "the built-in pages": async (world, callbackUrl) => {
    const query = new URLSearchParams([
      ["callbackUrl", callbackUrl],
      ["callbackUrl", callbackUrl],
    ])
    const browser = world.browser()
    const visits: Visit[] = []
    for (const page of ["signin", "signout", "error", "verify-request"])
      visits.push(await browser.get(`/auth/${page}?${query}`))
    return visits
  },
}

/** Where an answer leads: at once, by what it remembers, and by what stands in its page. */
function addressesIn(visit: Visit | undefined): readonly string[] {
  const { location, text = "", headers } = visit ?? {}
  const found = [...text.matchAll(/(?:href|action|value)="([^"]*)"/g)].map(([, value = ""]) => value)
  const kept = headers?.getSetCookie().flatMap((line) => /callback-url=([^;]+)/.exec(line)?.[1] ?? []) ?? []
  const all = [...(location === undefined ? [] : [location]), ...kept.map(decodeURIComponent), ...found]
  return all
    .map((address) => address.replaceAll("&amp;", "&"))
    .flatMap((address) => [address, ...callbackUrlsOf(address)])
    .filter((address) => /^[/\\]|:|evil/.test(address))
}

function callbackUrlsOf(address: string): readonly string[] {
  return URL.canParse(address, "https://app.test")
    ? new URL(address, "https://app.test").searchParams.getAll("callbackUrl")
    : []
}

const refusals = [OAuthCallbackError, Verification, InvalidProvider, UnknownAction, MissingCSRF]
const isRefusal = (error: Error): boolean => refusals.some((kind) => error instanceof kind)

describe.each(Object.keys(flows))("%s", (name) => {
  it.each(["/welcome", undefined])(
    "with pages.newUser %s",
    { tags: ["threat:A-014", "threat:A-015", "threat:A-016", "threat:A-040", "threat:A-132"] },
    async (newUser) => {
      for (const callbackUrl of [...foreign, ...malformed]) {
        const world = await makeWorld({ config: newUser === undefined ? {} : { pages: { newUser } } })
        for (const visit of (await flows[name]?.(world, callbackUrl)) ?? []) {
          expect(visit?.status, callbackUrl).toBeLessThan(500)
          for (const address of addressesIn(visit))
            expect(new URL(address, "https://app.test").origin, `${address} for ${callbackUrl}`).toBe(
              "https://app.test",
            )
        }
        // Whatever is thrown over an address that cannot be read ends up here, and in front of the visitor.
        expect(
          world.errors.filter((error) => !isRefusal(error)),
          callbackUrl,
        ).toEqual([])
      }
    },
  )
})

it("parameters of other names lead nowhere, not even inside of this application", {
  tags: ["threat:A-104"],
}, async () => {
  const names = [
    "referrer",
    "redirect",
    "redirect_uri",
    "redirectUrl",
    "returnTo",
    "return_to",
    "next",
    "url",
    "to",
    "continue",
  ]
  for (const target of ["https://evil.test/", "/inside"]) {
    const said = Object.fromEntries(names.map((name) => [name, target]))
    const query = new URLSearchParams(said)
    const world = await makeWorld()
    const browser = world.browser()
    const headers = { referer: "https://evil.test/" }
    const begun = await browser.post(`/auth/signin/op?${query}`, said, { headers })
    const asked = new URL(begun.location ?? "").searchParams
    expect(asked.get("redirect_uri")).toBe("https://app.test/auth/callback/op")
    const back = world.op.authorize(begun.location ?? "", said)
    expect((await browser.get(back.pathname + back.search, headers)).location).toBe("https://app.test/")
    expect((await browser.post(`/auth/signout?${query}`, said)).location).toBe("https://app.test/")
    await browser.post(`/auth/signin/mail?${query}`, { email: "ada@app.test", ...said })
    const link = new URL(world.mails[0]?.url ?? "")
    expect(new URL(link.searchParams.get("callbackUrl") ?? "").href).toBe("https://app.test/")
    expect((await browser.get(`${link.pathname}${link.search}&${query}`)).location).toBe("https://app.test/")
  }
})
