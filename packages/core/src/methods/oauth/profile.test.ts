/** From a profile to a user: invalid ids and addresses, and their errors. */
import { describe, expect, it, vi } from "vitest"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../../test/support/oauth-desk.js"
import { openOp } from "../../../test/support/op.js"
import { AccessDenied } from "../../errors.js"
import { memoryAdapter } from "../../memory.js"

const proofOf = async (over: object, person: Record<string, unknown> = { sub: "person-1" }, config = {}) => {
  const op = await openOp({ person })
  return signIn(openDesk(oauthAt(op, over), { config }), op)
}
const withStore = { adapter: memoryAdapter() }
const mapping = (user: unknown): object => ({ profile: () => user })

describe("the account id", () => {
  it.each<[unknown, string]>([
    [42, "42"],
    ["42", "42"],
    [" x ", " x "],
  ])("%j is kept as text [spec account providerAccountId]", async (id, text) => {
    const { account, stored, user } = await proofOf(mapping({ id }))
    expect([account.providerAccountId, stored?.providerAccountId]).toEqual([text, text])
    expect(user.id).not.toBe(text)
  })

  it.each([undefined, null])(
    "%j is refused with a store, and replaced by a random id without one",
    { tags: ["threat:A-019"] },
    async (id) => {
      expect((await refusalOf(proofOf(mapping({ id }), undefined, withStore))).type).toBe("OAuthProfileParseError")
      const accounts = await Promise.all([1, 2].map(async () => (await proofOf(mapping({ id }))).account))
      expect(new Set(accounts.map(({ providerAccountId }) => providerAccountId)).size).toBe(2)
    },
  )

  it.each([
    2 ** 53,
    "",
    " ",
    0,
    "0",
    "undefined",
    "null",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    {},
    [],
    true,
    "[object Object]",
  ])("%j is refused", { tags: ["threat:A-019"] }, async (id) => {
    expect((await refusalOf(proofOf(mapping({ id })))).type).toBe("OAuthProfileParseError")
  })

  it("is the subject, never a name or an address", {
    tags: ["threat:C1-37", "threat:A-135", "threat:B9-34"],
  }, async () => {
    const person = { sub: "s", preferred_username: "ada", email: "ada@op.test", login: "ada" }
    expect((await proofOf({}, person)).account.providerAccountId).toBe("s")
    const nameless = { preferred_username: "ada", email: "ada@op.test" }
    expect((await refusalOf(proofOf({}, nameless, withStore))).type).toBe("OAuthProfileParseError")
  })
})

describe("the mapping", () => {
  it("is id, name, email and image unless the provider says otherwise [spec provider profile]", {
    tags: ["threat:U-07"],
  }, async () => {
    const person = { sub: "s", name: "Ada", email: "ADA@op.test", picture: "https://op.test/a.png", admin: true }
    expect((await proofOf({}, person)).user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Ada",
      email: "ada@op.test",
      image: "https://op.test/a.png",
    })
  })

  it("gets the profile and the tokens, and keeps what it adds [spec provider profile]", async () => {
    const profile = async (claims: { sub: string }, tokens: { access_token: string }): Promise<object> => ({
      id: claims.sub,
      role: "admin",
      has: tokens.access_token.slice(0, 3),
    })
    expect((await proofOf({ profile })).user).toMatchObject({ role: "admin", has: "at-" })
  })

  it("gets tools where it names a third parameter, and two arguments otherwise", async () => {
    const counted = vi.fn(({ sub }: { sub: string }, _tokens: object, _more: object = {}) => ({ id: sub }))
    await proofOf({ profile: counted })
    expect(counted.mock.calls.map(({ length }) => length)).toEqual([2])
    const named = vi.fn((claims: { sub: string }, _tokens: object, tools: unknown) => ({ id: claims.sub, tools }))
    expect((await proofOf({ profile: named })).user).toMatchObject({ tools: { fetch: expect.any(Function) } })
  })

  it("cannot change what others are given", { tags: ["threat:CF2-12"] }, async () => {
    const profile = (claims: Record<string, unknown>, tokens: Record<string, unknown>): object => {
      const id = claims["sub"]
      delete claims["sub"]
      tokens["access_token"] = "changed"
      return { id }
    }
    const proof = await proofOf({ profile })
    expect([proof.profile?.sub, proof.account.access_token === "changed"]).toEqual(["person-1", false])
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("boom")
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
    [
      "throws a text",
      () => {
        throw "boom"
      },
    ],
    ["returns nothing", () => undefined],
    ["returns a text", () => "ada"],
  ])("that %s ends the sign-in", async (_, profile) => {
    expect((await refusalOf(proofOf({ profile }))).type).toBe("OAuthProfileParseError")
  })

  it("may refuse with its own error", async () => {
    const profile = (): never => {
      throw new AccessDenied("not you")
    }
    expect((await refusalOf(proofOf({ profile }))).type).toBe("AccessDenied")
  })
})

describe("the name and the picture", () => {
  it.each<[unknown, string | null]>([
    ["Ada", "Ada"],
    ["", ""],
    ["A\0da \ud800L\udc00", "Ada L"],
    ["👩‍💻", "👩‍💻"],
    [7, "7"],
    [new URL("https://op.test/a.png"), "https://op.test/a.png"],
    [null, null],
    [{ a: 1 }, null],
    [["Ada"], null],
    [true, null],
    [{ toString: (): string => "Ada" }, null],
  ])("%j become %j, which pages and databases take", { tags: ["threat:A-154"] }, async (said, kept) => {
    const { user } = await proofOf(mapping({ id: "1", name: said, image: said }))
    expect([user.name, user.image]).toEqual([kept, kept])
  })

  it("stay away where nothing is said", async () => {
    expect(Object.keys((await proofOf(mapping({ id: "1", name: undefined }))).user).sort()).toEqual([
      "email",
      "id",
      "name",
    ])
    expect((await proofOf(mapping({ id: "1" }))).user).not.toHaveProperty("image")
  })
})

describe("the address", () => {
  it.each([
    ["  Ada@Op.Test ", "ada@op.test"],
    ["ada@localhost", "ada@localhost"],
    ["x@evil.test@corp.test", null],
    ["a@b.test,c@d.test", null],
    ["Ada <ada@op.test>", null],
    ['"a b"@op.test', null],
    ["ada", null],
    ["@op.test", null],
    ["a\r\nb@op.test", null],
    ["ada@\u202eop.test", null],
    [`${"a".repeat(320)}@op.test`, null],
    ["", null],
    [null, null],
    [undefined, null],
    [["ada@op.test"], null],
    [{ toString: (): string => "ada@op.test" }, null],
  ])("%j becomes %j", { tags: ["threat:A-117"] }, async (email, kept) => {
    expect((await proofOf(mapping({ id: "1", email }))).user.email).toBe(kept)
  })

  it.each([
    [true, "verified"],
    ["true", "verified"],
    [false, "unverified"],
    ["false", "unverified"],
    ["no", "unverified"],
    ["TRUE", "unverified"],
    ["1", "unverified"],
    [["true"], "unverified"],
    [{}, "unverified"],
    [0, "unverified"],
    [1, "unverified"],
    [undefined, "unstated"],
    [null, "unstated"],
    ["unstated", "unverified"],
  ])("of which email_verified says %j is %s", { tags: ["threat:C1-28"] }, async (email_verified, status) => {
    const person = { sub: "s", email: "a@op.test", ...(email_verified !== undefined && { email_verified }) }
    expect((await proofOf({}, person)).emailStatus).toBe(status)
  })

  it("is proven as the provider's own rule says", async () => {
    const emailVerified = ({ confirmed }: { confirmed?: boolean }): boolean | undefined => confirmed
    const status = async (confirmed?: boolean, more: object = {}): Promise<string> =>
      (
        await proofOf(
          { emailVerified, ...more },
          { sub: "s", email_verified: true, ...(confirmed !== undefined && { confirmed }) },
        )
      ).emailStatus
    expect([await status(true), await status(false), await status()]).toEqual(["verified", "unverified", "unverified"])
    expect(await status(undefined, { allowUnverifiedEmail: true })).toBe("unstated")
    expect(await status(undefined, { emailVerified: () => "unstated" })).toBe("unstated")
  })

  it.each([
    [{ email: "a@op.test", email_verified: true }, "verified"],
    [{ email: " A@op.test ", email_verified: "true" }, "verified"],
    [{ email: "b@op.test", email_verified: true }, "unstated"],
    [{ email: "b@op.test", email_verified: false }, "unverified"],
    [{ email_verified: true }, "unstated"],
  ])("that is not the claim is not what %j speaks of: %s", { tags: ["threat:C1-28"] }, async (claims, status) => {
    const proof = await proofOf(mapping({ id: "1", email: "a@op.test" }), { sub: "s", ...claims })
    expect(proof.emailStatus).toBe(status)
  })

  it("is no other than the one that the provider's file maps, where its rule decides", async () => {
    const file = {
      emailVerified: () => true,
      profile: vi.fn((profile: { mail?: string }) => {
        if (!profile.mail) throw new Error("nothing to map")
        return { id: "1", email: profile.mail }
      }),
    }
    const status = async (mail: string | undefined, options: object): Promise<string> =>
      (await proofOf({ ...file, options }, { sub: "s", ...(mail && { mail }) })).emailStatus
    const own = mapping({ id: "1", email: "a@op.test" })
    expect(await status("A@op.test", own)).toBe("verified")
    expect(await status("b@op.test", own)).toBe("unverified")
    expect(await status(undefined, own)).toBe("unverified")
    expect(await status("b@op.test", { ...own, emailVerified: () => true })).toBe("verified")
    expect(await status("b@op.test", {})).toBe("verified")
  })

  it("links only where the provider is allowed to [spec provider allowDangerousEmailAccountLinking]", async () => {
    expect((await proofOf({})).mayLinkByEmail).toBe(false)
    expect((await proofOf({ allowDangerousEmailAccountLinking: true })).mayLinkByEmail).toBe(true)
  })
})

describe("what came with the callback", () => {
  const callbackProfile = ({ user, sub }: Record<string, string>): object => ({ user, sub })

  it("is added to the profile, and replaces nothing that the provider states", { tags: ["threat:A-137"] }, async () => {
    const op = await openOp()
    const { profile } = await signIn(openDesk(oidcAt(op, { callbackProfile })), op, { user: "Ada", sub: "victim" })
    expect(profile).toMatchObject({ user: "Ada", sub: "person-1" })
  })

  it("is left alone unless the provider asks for it", async () => {
    const op = await openOp()
    expect((await signIn(openDesk(oidcAt(op)), op, { user: "Ada" })).profile).not.toHaveProperty("user")
  })
})

describe("an address that only looks like another one", () => {
  it("is none: a character that folds into a letter makes no second spelling", async () => {
    expect((await proofOf(mapping({ id: "1", email: "mi\u212Ae@app.test" }))).user.email).toBeNull()
    expect((await proofOf(mapping({ id: "1", email: "mike@app.test" }))).user.email).toBe("mike@app.test")
  })
})

describe("an id_token of plain OAuth", () => {
  it.each([
    ["another person", { sub: "person-2" }, false],
    ["the same person", { sub: "person-1" }, true],
    ["nobody by a subject", { id: 7 }, true],
  ])("beside an answer about %s", async (_, person, isAccepted) => {
    const op = await openOp()
    op.faults.userinfo = () => Response.json(person)
    const signedIn = signIn(openDesk(oauthAt(op, { issuer: op.issuer, profile: () => ({ id: "1" }) })), op)
    if (isAccepted) expect((await signedIn).kind).toBe("proof")
    else expect((await refusalOf(signedIn)).type).toBe("OAuthCallbackError")
  })
})

describe("`userinfo.request`", () => {
  it("gets the provider with its addresses at this service, and prints no secret of it", async () => {
    const request = vi.fn(({ provider }: { provider: object }) => ({ sub: "s", printed: JSON.stringify(provider) }))
    const { profile } = await proofOf({ userinfo: { url: "https://op.test/userinfo", request } })
    expect(request.mock.lastCall?.[0].provider).toMatchObject({
      clientSecret: expect.any(String),
      userinfo: { url: new URL("https://op.test/userinfo") },
      signinUrl: "https://app.test/auth/signin/op",
      callbackUrl: "https://app.test/auth/callback/op",
    })
    expect(profile).toMatchObject({ printed: expect.stringContaining('"id":"op"') })
    expect(JSON.stringify(profile)).not.toContain("clientSecret")
  })
})
