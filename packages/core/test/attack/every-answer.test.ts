/** What holds for every answer of the service: where its cookies are sent, and what it says of the machine behind it. */
import { describe, expect, it } from "vitest"
import { openBrowser } from "../support/browser.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { makeWorld } from "../support/world.js"

/** Header fields that answers have; another one may tell more than is meant. */
const meant: ReadonlySet<string> = new Set([
  ...[
    "allow",
    "cache-control",
    "content-language",
    "content-length",
    "content-security-policy",
    "content-type",
    "expires",
    "location",
  ],
  ...["pragma", "referrer-policy", "set-cookie", "vary", "x-content-type-options", "x-frame-options"],
  ...["cross-origin-opener-policy", "cross-origin-resource-policy", "permissions-policy", "x-auth-incident"],
])

/** A sign-in from its page to its end, and what goes wrong on the way, with every answer that was given. */
async function answersOf(basePath: string): Promise<Response[]> {
  const world = await makeWorld({ strategy: "jwt", config: { basePath }, more: [credentialsProvider()] })
  const answers: Response[] = []
  const handle = async (request: Request): Promise<Response> => {
    const answer = await world.auth.handle(request)
    answers.push(answer.clone())
    return answer
  }
  const browser = openBrowser(handle, { basePath })
  for (const path of ["signin", "providers", "session", "nothing", "error", "verify-request", "signout", "callback/op"])
    await browser.get(`${basePath}/${path}`)
  await browser.send(`${basePath}/session`, { method: "DELETE" })
  await browser.post(`${basePath}/callback/credentials`, { ...rightCredentials, password: "wrong" })
  await browser.post(`${basePath}/callback/credentials`, rightCredentials)
  await browser.post(`${basePath}/signin/op`, { callbackUrl: "/after" })
  await browser.get(`${basePath}/session`)
  await browser.post(`${basePath}/signout`)
  return answers
}

describe.each(["/auth", "/below/the/auth"])("at %s", (basePath) => {
  it("cookies are sent to every page of the application, not to the base path alone", {
    tags: ["threat:CK-26"],
  }, async () => {
    const lines = (await answersOf(basePath)).flatMap(({ headers }) => headers.getSetCookie())
    const names = new Set(lines.map((line) => /authjs\.([a-z-]+)/.exec(line)?.[1]))
    for (const name of ["session-token", "csrf-token", "callback-url", "state"]) expect(names).toContain(name)
    expect(lines.filter((line) => !/;\s*Path=\/(?:;|$)/.test(line))).toEqual([])
  })

  it("every answer says what it is, as text in UTF-8, and that nobody is to guess otherwise", {
    tags: ["threat:HD-08"],
  }, async () => {
    const kinds = new Set<string>()
    for (const { status, headers, body } of await answersOf(basePath)) {
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      // Redirects have no body.
      if (body !== null) kinds.add(`${status} ${headers.get("content-type")}`)
    }
    expect([...kinds].toSorted()).toEqual([
      "200 application/json",
      "200 text/html; charset=utf-8",
      "404 application/json",
      "405 application/json",
    ])
  })

  it("a shared cache in front keeps nothing of one visitor for another", { tags: ["threat:HD-03"] }, async () => {
    const world = await makeWorld({ strategy: "jwt", config: { basePath }, more: [credentialsProvider()] })
    const shared = new Map<string, Response>()
    /** Keeps what RFC 9111 §3 lets it keep, also what says nothing of caches, and pays no attention to cookies. */
    const behindCache = async (request: Request): Promise<Response> => {
      const kept = request.method === "GET" ? shared.get(request.url) : undefined
      if (kept) return kept.clone()
      const answer = await world.auth.handle(request)
      const isForAll = !/private|no-store/.test(answer.headers.get("cache-control") ?? "")
      if (request.method === "GET" && isForAll) shared.set(request.url, answer.clone())
      return answer
    }
    const [ada, eve] = [openBrowser(behindCache, { basePath }), openBrowser(behindCache, { basePath })]
    const pages = ["signin", "providers", "session", "csrf", "error", "verify-request", "signout", "nothing"]
    await ada.post(`${basePath}/callback/credentials`, rightCredentials)
    for (const path of pages) await ada.get(`${basePath}/${path}`)
    expect(await ada.session()).toMatchObject({ user: { name: "Ada" } })
    const seen = await Promise.all(pages.map((path) => eve.get(`${basePath}/${path}`)))
    expect(await eve.session()).toBeNull()
    expect([...eve.jar.keys()].filter((name) => name.includes("session-token"))).toEqual([])
    for (const { value } of ada.jar.values())
      expect(JSON.stringify([seen, [...eve.jar], ...seen.map(({ headers }) => [...headers])])).not.toContain(value)
    expect([...shared.keys()]).toEqual([])
  })

  it("no answer names a program, a version or how long it took", { tags: ["threat:HD-12"] }, async () => {
    const answers = await answersOf(basePath)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 302, 404, 405]))
    const named = answers.flatMap(({ headers }) => [...headers.keys()])
    expect([...new Set(named)].filter((name) => !meant.has(name))).toEqual([])
    for (const answer of answers)
      expect(await answer.text()).not.toMatch(/latchkey\/\d|node\/\d|\d+\.\d+\.\d+-?\w*<\/footer/i)
  })
})
