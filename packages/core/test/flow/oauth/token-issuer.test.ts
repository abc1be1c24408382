/** Which id_token is verified, and how its issuer is derived if that depends on the token. */
import { describe, expect, it } from "vitest"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../support/oauth-desk.js"
import { makeOpKey, openOp, signWith } from "../../support/op.js"

const stranger = await makeOpKey("first")

describe("an id_token from a provider of plain OAuth", () => {
  it("is not read when the provider has no issuer", async () => {
    const op = await openOp()
    op.person = { id: "person-1", sub: "person-1" }
    op.tokens = { id_token: "not.even.a token" }
    const { account, stored } = await signIn(openDesk(oauthAt(op)), op)
    expect([account.id_token, stored?.id_token]).toEqual(["not.even.a token", "not.even.a token"])
    expect(op.callsOf("jwks")).toEqual([])
  })

  it("is verified when the provider has an issuer", async () => {
    const op = await openOp()
    await signIn(openDesk(oauthAt(op, { issuer: op.issuer })), op)
    expect(op.calls.map(({ endpoint }) => endpoint)).toEqual(["token", "discovery", "jwks", "userinfo"])
    op.sign = (claims) => signWith(stranger, claims)
    expect((await refusalOf(signIn(openDesk(oauthAt(op, { issuer: op.issuer })), op))).type).toBe("OAuthCallbackError")
  })

  it("leads to an error that names jwks_endpoint when the keys cannot be found", async () => {
    const op = await openOp()
    op.faults.discovery = () => new Response("", { status: 404 })
    const error = await refusalOf(signIn(openDesk(oauthAt(op, { issuer: op.issuer })), op))
    expect(error.message).toContain("jwks_endpoint")
    const configured = oauthAt(op, { issuer: op.issuer, jwks_endpoint: "https://op.test/jwks" })
    expect((await signIn(openDesk(configured), op)).account.providerAccountId).toBe("person-1")
  })
})

describe("an issuer that depends on the token", () => {
  const issuerOf = ({ tid }: Record<string, unknown>): string | undefined =>
    typeof tid === "string" ? `https://op.test/${tid}` : undefined

  it.each([
    { claims: { tid: "a", iss: "https://op.test/a" }, accepted: true },
    { claims: { tid: "a", iss: "https://op.test/b" }, accepted: false },
    { claims: { iss: "https://op.test/a" }, accepted: false },
  ])(
    "is the one the provider derives from $claims: $accepted",
    { tags: ["threat:A-058", "threat:A-083"] },
    async ({ claims, accepted }) => {
      const op = await openOp()
      op.idToken = claims
      const desk = openDesk(oidcAt(op, { issuerOf }))
      const outcome = signIn(desk, op, { iss: undefined }).then(
        () => true,
        () => false,
      )
      expect(await outcome).toBe(accepted)
    },
  )

  it("is compared with the parameter iss once the token is verified", { tags: ["threat:I9-08"] }, async () => {
    const op = await openOp()
    op.idToken = { tid: "a", iss: "https://op.test/a" }
    const desk = openDesk(oidcAt(op, { issuerOf }))
    expect((await signIn(desk, op, { iss: "https://op.test/a" })).kind).toBe("proof")
    expect((await refusalOf(signIn(desk, op, { iss: "https://op.test/b" }))).message).toContain("different issuers")
  })
})
