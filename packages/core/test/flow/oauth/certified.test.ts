/** The method against a certified provider on loopback: code flow, form post, refusal, key rotation by restart. */

import { createProvider, people, type TestProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openDesk, refusalOf } from "../../support/oauth-desk.js"

let op: TestProvider
beforeAll(async () => {
  op = await createProvider({ redirectUris: ["https://app.test/auth/callback/op"] })
})
afterAll(() => op.close())

const provider = (over: object = {}): never =>
  ({
    id: "op",
    name: "OP",
    type: "oidc",
    issuer: op.issuer,
    clientId: op.clientId,
    clientSecret: op.clientSecret,
    ...over,
  }) as never

describe("a certified OpenID provider", () => {
  it.each([
    { what: "PKCE alone", over: {} },
    { what: "state, PKCE and nonce", over: { checks: ["state", "pkce", "nonce"] } },
    { what: "nonce alone", over: { checks: ["nonce"] } },
    { what: "the profile from userinfo", over: { idToken: false } },
  ])("signs a person in with $what [spec authentication 4]", async ({ over }) => {
    const desk = openDesk(provider(over))
    const { goTo } = await desk.begin()
    const [ada] = people
    const proof = await desk.finish(await op.authorize(goTo))
    expect(proof).toMatchObject({
      user: { name: ada.name, email: ada.email },
      account: { providerAccountId: ada.sub, token_type: "bearer" },
      emailStatus: "verified",
    })
    expect(proof.account.expires_at).toBeGreaterThan(Date.now() / 1000)
  })

  it("signs in the requested person", async () => {
    const desk = openDesk(provider())
    const { goTo } = await desk.begin("?login_hint=grace")
    expect((await desk.finish(await op.authorize(goTo))).account.providerAccountId).toBe("grace")
  })

  it("returns the response as a form post where that is requested", async () => {
    const desk = openDesk(
      provider({ authorization: { params: { response_mode: "form_post" } }, checks: ["state", "pkce"] }),
    )
    const { action, fields } = await op.authorizeByForm((await desk.begin()).goTo)
    expect((await desk.finish(`${action}?${fields}`, true)).account.providerAccountId).toBe("ada")
  })

  it("reports that the person cancelled", async () => {
    const desk = openDesk(provider())
    const { goTo } = await desk.begin()
    op.person = undefined
    const error = await refusalOf(desk.finish(await op.authorize(goTo)))
    op.person = people[0]
    expect([error.type, error.cause?.["code"]]).toEqual(["OAuthCallbackError", "access_denied"])
  })

  it("refuses a code that was used already", async () => {
    const desk = openDesk(provider())
    const back = await op.authorize((await desk.begin()).goTo)
    await desk.finish(back)
    const error = await refusalOf(desk.finish(back))
    expect(error.cause).toMatchObject({ error: "invalid_grant" })
  })

  it("refuses a client with a wrong secret", async () => {
    const desk = openDesk(provider({ clientSecret: "wrong" }))
    const error = await refusalOf(desk.finish(await op.authorize((await desk.begin()).goTo)))
    expect([error.type, error.cause?.["error"]]).toEqual(["OAuthCallbackError", "invalid_client"])
  })
})
