/** GitHub: addresses of a person, enterprise hosts, errors with status 200, its issuer in the answer. */
import { describe, expect, it } from "vitest"
import { openDesk, refusalOf } from "../../test/support/oauth-desk.js"
import { json } from "../../test/support/op.js"
import { customFetch } from "../config/markers.js"
import { GitHub, type GitHubUserConfig } from "./github.js"

type Answers = Record<string, () => Response>
const person = { id: 583231, login: "octo", name: null, avatar_url: "https://a.test/u.png", email: null }

async function signIn(answers: Answers, config: GitHubUserConfig = {}, extra = "") {
  const calls: { url: string; headers: Headers }[] = []
  const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const url = String(input)
    calls.push({ url, headers: new Headers(init?.headers) })
    return (answers[url.replace(/^https:\/\/[^/]+/, "")] ?? ((): Response => json({}, 404)))()
  }
  const desk = openDesk(
    GitHub({ clientId: "c", clientSecret: "s", ...config, [customFetch]: fetch } as GitHubUserConfig),
  )
  const { url } = await desk.begin()
  const back = `${url.searchParams.get("redirect_uri")}?code=x&state=${url.searchParams.get("state")}${extra}`
  return { calls, url, finish: () => desk.finish(back) }
}

const token = (): Response => json({ access_token: "gho_x", token_type: "bearer", scope: "read:user,user:email" })
const api = (emails: unknown, profile: object = person): Answers => ({
  "/login/oauth/access_token": token,
  "/user": () => json(profile),
  "/user/emails": () => json(emails),
})

describe("GitHub", () => {
  it("asks for the person with the headers GitHub needs", async () => {
    const { finish, calls, url } = await signIn(api([], { ...person, email: "OCTO@git.test", name: "Octo" }))
    expect((await finish()).user).toMatchObject({ name: "Octo", email: "octo@git.test", image: "https://a.test/u.png" })
    expect(url.searchParams.get("scope")).toBe("read:user user:email")
    const [exchange, user] = calls
    expect(exchange?.headers.get("accept")).toBe("application/json")
    expect([user?.headers.get("user-agent"), user?.headers.get("authorization")]).toEqual(["latchkey", "Bearer gho_x"])
    expect(calls).toHaveLength(3)
  })

  it.each([
    [[{ email: "Octo@git.test", primary: true, verified: true }], "verified"],
    [[{ email: "octo@git.test", primary: true, verified: false }], "unverified"],
    [[{ email: "other@git.test", primary: true, verified: true }], "unstated"],
    [{ message: "no" }, "unstated"],
  ])("decides by the list %j whether the public address is proven", async (emails, status) => {
    const proof = await (await signIn(api(emails, { ...person, email: "octo@git.test" }))).finish()
    expect([proof.user.email, proof.emailStatus]).toEqual(["octo@git.test", status])
  })

  it.each([
    [
      [
        { email: "b@g.test", primary: false, verified: true },
        { email: "a@g.test", primary: true, verified: true },
      ],
      "a@g.test",
      "verified",
    ],
    [
      [
        { email: "a@g.test", primary: true, verified: false },
        { email: "b@g.test", primary: false, verified: true },
      ],
      "b@g.test",
      "verified",
    ],
    [
      [
        { email: "b@g.test", primary: false, verified: false },
        { email: "a@g.test", primary: true, verified: false },
      ],
      "a@g.test",
      "unverified",
    ],
    [[{ email: "b@g.test" }], "b@g.test", "unverified"],
    [[], null, "unstated"],
    [{ message: "no" }, null, "unstated"],
  ])("chooses among the addresses %j", async (emails, address, status) => {
    const proof = await (await signIn(api(emails))).finish()
    expect([proof.user.email, proof.emailStatus, proof.user.name]).toEqual([address, status, "octo"])
  })

  it.each([
    ["at an Enterprise Server", "https://git.corp.test", "gho_x", "unverified"],
    ["with data residency", "https://octo.ghe.com", "gho_x", "unverified"],
    ["at an Enterprise Server, by a GitHub App", "https://git.corp.test", "ghu_x", "unstated"],
    ["at github.com", "https://github.com", "gho_x", "unstated"],
  ])("says of a public address %s whose list is refused what it is worth", async (_, baseUrl, access_token, status) => {
    const refused = (): Response => json({ message: "no" }, 404)
    const profile = (): Response => json({ ...person, email: "octo@git.test" })
    const answers = {
      "/login/oauth/access_token": () => json({ access_token, token_type: "bearer" }),
      ...{ "/user": profile, "/user/emails": refused, "/api/v3/user": profile, "/api/v3/user/emails": refused },
    }
    const proof = await (await signIn(answers, { enterprise: { baseUrl } })).finish()
    expect([proof.user.email, proof.emailStatus]).toEqual(["octo@git.test", status])
  })

  it("says of an address that another request brought what that request says", () => {
    const { emailVerified } = GitHub({ userinfo: "https://git.corp.test/api/v3/user" })
    expect(emailVerified?.(person as never)).toBeUndefined()
    const own = GitHub({ userinfo: { url: "https://api.github.com/user", request: async () => ({ ...person }) } })
    expect(own.emailVerified?.(person as never)).toBe("unstated")
  })

  it("signs people in without an address when the list is refused", async () => {
    const { finish } = await signIn({ ...api([]), "/user/emails": () => json({ message: "no" }, 403) })
    expect((await finish()).user.email).toBeNull()
  })

  it("signs nobody in when the request for the profile is refused", { tags: ["threat:A-018"] }, async () => {
    const { finish } = await signIn({ ...api([]), "/user": () => json({ message: "Bad credentials" }, 401) })
    expect((await refusalOf(finish())).message).toContain("401")
  })

  it("reports errors with status 200", { tags: ["threat:A-057"] }, async () => {
    const refused = {
      "/login/oauth/access_token": () => json({ error: "bad_verification_code", error_uri: "https://x" }),
    }
    const error = await refusalOf((await signIn(refused)).finish())
    expect(error.cause?.["error"]).toBe("bad_verification_code")
  })

  it("takes answers that name GitHub as issuer, and no other", { tags: ["threat:I9-03"] }, async () => {
    const iss = (issuer: string): string => `&iss=${encodeURIComponent(issuer)}`
    const honest = await signIn(api([]), {}, iss("https://github.com/login/oauth"))
    expect((await honest.finish()).account.providerAccountId).toBe("583231")
    const hostile = await signIn(api([]), {}, iss("https://evil.test"))
    expect((await refusalOf(hostile.finish())).type).toBe("OAuthCallbackError")
  })

  it.each([
    ["https://git.corp.test/", "https://git.corp.test/login/oauth/authorize", "https://git.corp.test/api/v3/user"],
    ["https://octo.ghe.com", "https://octo.ghe.com/login/oauth/authorize", "https://api.octo.ghe.com/user"],
  ])("of %s is asked where it is", async (baseUrl, authorize, user) => {
    const answers = { ...api([]), "/api/v3/user": () => json({ ...person, email: "a@b.test" }) }
    const { finish, url, calls } = await signIn(answers, { enterprise: { baseUrl } })
    await finish()
    expect([url.origin + url.pathname, calls[1]?.url]).toEqual([authorize, user])
  })

  it("keeps its addresses when only a scope is given", async () => {
    const { url } = await signIn(api([]), { authorization: { params: { scope: "repo" } } })
    expect([url.host, url.searchParams.get("scope")]).toEqual(["github.com", "repo"])
  })
})
