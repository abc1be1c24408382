import { describe, expect, it, vi } from "vitest"
import { endpoints, oauth, oidc, resolveOne } from "../../test/support/resolve-providers.js"
import { customFetch } from "./markers.js"

describe("checks and redirect proxy", () => {
  it.each([
    [undefined, ["pkce"]],
    [["none"], []],
    [[], []],
    [
      ["pkce", "state", "none"],
      ["pkce", "state"],
    ],
    [["nonce", "nonce"], ["nonce"]],
  ])("%j become %j [spec authentication 4]", (checks, expected) => {
    expect(resolveOne({ ...oauth, checks }).checks).toEqual(expected)
  })

  it.each([
    [undefined, ["pkce", "state"]],
    [["none"], ["state"]],
    [["state"], ["state"]],
  ])(
    "%j become %j with a redirect proxy [spec options redirectProxyUrl] [spec authentication 4]",
    { tags: ["threat:CF2-01"] },
    (checks, expected) => {
      const provider = resolveOne({ ...oauth, checks }, { redirectProxyUrl: "https://proxy.test/api/auth/" })
      expect(provider.checks).toEqual(expected)
      expect(provider.redirectProxyUrl).toBe("https://proxy.test/api/auth")
    },
  )

  it("prefer the provider's own proxy", () => {
    const entry = { ...oauth, redirectProxyUrl: "https://own.test/auth" }
    expect(resolveOne(entry, { redirectProxyUrl: "https://proxy.test/auth" }).redirectProxyUrl).toBe(
      "https://own.test/auth",
    )
    expect(resolveOne({ ...entry, options: { redirectProxyUrl: "https://mine.test" } }).redirectProxyUrl).toBe(
      "https://mine.test",
    )
  })

  it("drop the proxy for a form post, but keep the state", () => {
    for (const authorization of [
      { url: endpoints.authorization, params: { response_mode: "form_post" } },
      `${endpoints.authorization}?response_mode=form_post`,
    ]) {
      const provider = resolveOne({ ...oauth, authorization }, { redirectProxyUrl: "https://proxy.test/auth" })
      expect(provider).toMatchObject({ isFormPost: true, redirectProxyUrl: undefined, checks: ["pkce", "state"] })
    }
    const discovered = resolveOne({ ...oidc, authorization: { params: { response_mode: "form_post" } } })
    expect(discovered.isFormPost).toBe(true)
    expect(resolveOne(oidc).isFormPost).toBe(false)
  })
})

describe("functions of a provider", () => {
  it("map the usual claims and keep the usual tokens by default", async () => {
    const { profile, account } = resolveOne(oidc)
    expect(await profile({ sub: "s", id: "i", name: null, nickname: "nick", email: "a@b", picture: "p" }, {})).toEqual({
      id: "s",
      name: "nick",
      email: "a@b",
      image: "p",
    })
    expect(await profile({ id: "i", preferred_username: "pu" }, {})).toEqual({ id: "i", name: "pu" })
    const tokens = {
      access_token: "a",
      expires_in: 5,
      expires_at: 9,
      token_type: "bearer",
      extra: 1,
      scope: "s",
    } as const
    expect(account(tokens)).toEqual({ access_token: "a", expires_at: 9, scope: "s", token_type: "bearer" })
  })

  it("use the runtime's fetch as it is at each call, and one function for all providers", async () => {
    const { fetch } = resolveOne(oidc)
    expect(resolveOne(oauth).fetch).toBe(fetch)
    const answer = new Response("x")
    const stub = vi.spyOn(globalThis, "fetch").mockResolvedValue(answer)
    expect(await fetch("https://op.test", { method: "POST" })).toBe(answer)
    expect(stub).toHaveBeenCalledWith("https://op.test", { method: "POST" })
    stub.mockRestore()
  })

  it.each([
    ["our own", customFetch],
    ["another copy's", Symbol("custom-fetch")],
  ])("may be replaced under %s marker, also in options", (_, marker) => {
    const own = async () => new Response()
    expect(resolveOne({ ...oauth, [marker]: own }).fetch).toBe(own)
    expect(resolveOne({ ...oauth, options: { [marker]: own } }).fetch).toBe(own)
  })
})
