/** The check of endpoints, asked with answers made up here: no test leaves the machine. */
import { describe, expect, it } from "vitest"
import { type Listed, loadProviders, providerIds } from "./catalogue.mjs"
import { checkEndpoints, readArguments, type Verdict } from "./check-endpoints.mjs"

const issuer = "https://id.example"
const document = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/me`,
  jwks_uri: `${issuer}/keys`,
}
const entry = (fields: object): Pick<Listed, "id" | "provider"> => ({
  id: "some",
  provider: { id: "some", name: "Some", type: "oidc", ...fields },
})

interface Asked {
  readonly verdict: Verdict | undefined
  readonly urls: readonly string[]
}

async function ask(fields: object, answer: () => Response | Promise<Response>, given?: string): Promise<Asked> {
  const urls: string[] = []
  const verdicts: Verdict[] = []
  await checkEndpoints({
    providers: [entry(fields)],
    issuers: given === undefined ? {} : { some: given },
    timeout: 20,
    report: (verdict) => verdicts.push(verdict),
    fetch: async (url, { signal }) => {
      urls.push(url)
      const late = new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
      return Promise.race([answer(), late])
    },
  })
  return { verdict: verdicts[0], urls }
}

describe("an entry", () => {
  it.each([
    ["that leaves all to discovery", { issuer }],
    ["that writes the same addresses", { issuer, token: `${issuer}/token`, jwks_endpoint: new URL(`${issuer}/keys`) }],
    ["with parameters of its own", { issuer, authorization: { url: `${issuer}/authorize?prompt=login` } }],
    ["with its issuer in the address", { issuer, userinfo: "{issuer}/me" }],
    ["whose endpoint is for another to fill in", { issuer, token: "https://{host}/token" }],
  ])("%s agrees", async (_, fields) => {
    const { verdict, urls } = await ask(fields, () => Response.json(document))
    expect(verdict).toEqual({ id: "some", state: "agrees", lines: [] })
    expect(urls).toEqual([`${issuer}/.well-known/openid-configuration`])
  })

  it.each([
    ["the issuer", { issuer }, { issuer: "https://moved.example" }, "issuer"],
    ["the authorization endpoint", { issuer, authorization: { url: `${issuer}/old` } }, {}, "authorization_endpoint"],
    ["the token endpoint", { issuer, token: { url: `${issuer}/old` } }, {}, "token_endpoint"],
    ["the userinfo endpoint", { issuer, userinfo: `${issuer}/old` }, {}, "userinfo_endpoint"],
    ["the keys", { issuer, jwks_endpoint: `${issuer}/old` }, {}, "jwks_uri"],
  ])("differs when %s moved", async (_, fields, moved, member) => {
    const { verdict } = await ask(fields, () => Response.json({ ...document, ...moved }))
    expect(verdict?.state).toBe("differs")
    expect(verdict?.lines).toEqual([expect.stringMatching(new RegExp(`^${member} is "https://`))])
  })

  it("may expect another issuer than the one it is configured with", async () => {
    const { verdict } = await ask({ issuer, discoveryIssuer: (text: string) => `${text}/` }, () =>
      Response.json({ ...document, issuer: `${issuer}/` }),
    )
    expect(verdict?.state).toBe("agrees")
  })

  it("is asked at the issuer that was given for it", async () => {
    const fields = { wellKnown: "{issuer}/oauth/.well-known/openid-configuration" }
    expect((await ask(fields, () => Response.json(document), issuer)).urls).toEqual([
      `${issuer}/oauth/.well-known/openid-configuration`,
    ])
  })

  it.each([
    ["without issuer", {}],
    ["that has ended", { issuer, discontinued: "It ended." }],
    ["whose issuer is for another to fill in", { issuer: "https://{tenant}.id.example" }],
  ])("%s is not asked", async (_, fields) => {
    const { verdict, urls } = await ask(fields, () => Response.json(document))
    expect(verdict?.state).toBe("skipped")
    expect(urls).toEqual([])
  })
})

describe("a document", () => {
  it.each([
    ["comes with an error", () => new Response("", { status: 500 }), "answered 500"],
    ["is a page", () => new Response("<html>"), "JSON"],
    ["is no object", () => Response.json(null), "answered no document"],
    ["has no end", () => new Response("x".repeat(300_000)), "answered more than"],
    ["comes too late", () => new Promise<Response>(() => {}), "timeout"],
    ["never comes", () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ENOTFOUND" } })), "ENOTFOUND"],
  ])("that %s is reported as unread", async (_, answer, reason) => {
    const { verdict } = await ask({ issuer }, answer)
    expect(verdict?.state).toBe("unread")
    expect(verdict?.lines.join()).toContain(reason)
  })

  it("may be absent where a provider of OAuth 2 names its issuer", async () => {
    const { verdict } = await ask({ issuer, type: "oauth" }, () => new Response("", { status: 404 }))
    expect(verdict?.state).toBe("silent")
  })
})

it("asks one provider at a time", async () => {
  let open = 0
  let most = 0
  const counts = await checkEndpoints({
    providers: Array.from({ length: 5 }, () => entry({ issuer })),
    fetch: async () => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setTimeout(resolve, 1))
      open--
      return Response.json(document)
    },
  })
  expect(most).toBe(1)
  expect(counts).toEqual({ agrees: 5, differs: 0, unread: 0, silent: 0, skipped: 0 })
})

it("knows where to ask for every provider whose issuer is known, and asks https only", async () => {
  const providers = await loadProviders(await providerIds())
  const known = providers.filter(
    ({ provider }) => /^[^{]+$/.test(String(provider["issuer"] ?? "")) && !provider["discontinued"],
  )
  const urls: string[] = []
  const asked: string[] = []
  await checkEndpoints({
    providers,
    report: ({ id, state }) => state !== "skipped" && asked.push(id),
    fetch: async (url) => {
      urls.push(url)
      return new Response("", { status: 503 })
    },
  })
  expect(asked).toEqual(expect.arrayContaining(known.map(({ id }) => id)))
  expect(asked).toContain("google")
  expect(urls).toHaveLength(asked.length)
  expect(urls.filter((url) => !url.startsWith("https://"))).toEqual([])
})

describe("the command line", () => {
  it("takes ids, issuers and a time", () => {
    expect(readArguments(["okta=https://a.okta.example", "google", "--timeout", "3"], ["google", "okta"])).toEqual({
      ids: ["okta", "google"],
      issuers: { okta: "https://a.okta.example" },
      timeout: 3000,
    })
  })

  it("asks all without ids", () => {
    expect(readArguments([], ["google", "okta"]).ids).toEqual(["google", "okta"])
  })

  it.each([
    [["nobody"], "There is no provider"],
    [["google=http://id.example"], "https://"],
    [["--timeout", "soon"], "--timeout takes seconds"],
    [["--loud"], "There is no provider"],
  ])("refuses %j", (args, reason) => {
    expect(() => readArguments(args, ["google"])).toThrow(reason)
  })
})
