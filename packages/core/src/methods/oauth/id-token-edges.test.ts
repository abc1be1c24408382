/** The id_token at the edges: the last second, the last character, and every algorithm that a hash of the access token follows. */
import { createHash } from "node:crypto"
import { SignJWT } from "jose"
import { afterAll, describe, expect, it, vi } from "vitest"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../../test/support/oauth-desk.js"
import {
  type FakeOp,
  json,
  makeOpKey,
  type OpKey,
  openOp,
  signWith,
  signWithSecret,
  unsigned,
} from "../../../test/support/op.js"
import type { Provider } from "../../types/provider.js"

vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-15T12:00:00Z") })
afterAll(() => {
  vi.useRealTimers()
})

const now = Math.floor(Date.now() / 1000)

/** What comes of a sign-in: `accepted`, or the reason that stands in the error. */
async function outcomeOf(prepare: (op: FakeOp) => void, over: object = {}): Promise<string> {
  const op = await openOp({ clientSecret: "s".repeat(64) })
  prepare(op)
  try {
    await signIn(openDesk(oidcAt(op, over)), op)
    return "accepted"
  } catch (error) {
    return (error as Error).message
  }
}

const outcomeWith = (claims: Record<string, unknown>, over?: object): Promise<string> =>
  outcomeOf((op) => {
    op.idToken = claims
  }, over)
const aged = { authorization: { params: { max_age: 60 } } }

describe("a time of the id_token", () => {
  it.each<[Record<string, unknown>, string]>([
    [{ exp: now - 29 }, "accepted"],
    [{ exp: now - 30 }, "exp"],
    [{ iat: now + 30 }, "accepted"],
    [{ iat: now + 31 }, "iat"],
    [{ nbf: now + 30 }, "accepted"],
    [{ nbf: now + 31 }, "nbf"],
  ])("may differ by 30 s from our clock: %j is %s", async (claims, expected) => {
    expect(await outcomeWith(claims)).toContain(expected)
  })

  it.each([
    [59 + 31, "accepted"],
    [60 + 30, "accepted"],
    [60 + 31, "too long ago (auth_time)"],
  ])("of a sign-in %d s ago is %s where 60 s are asked for", async (age, expected) => {
    expect(await outcomeWith({ auth_time: now - age }, aged)).toContain(expected)
  })

  it("of the sign-in matters only where a limit was asked for, and is required there", async () => {
    expect(await outcomeWith({ auth_time: now - 9999 })).toBe("accepted")
    expect(await outcomeWith({ auth_time: undefined }, aged)).toContain("auth_time")
  })

  it("is a whole number where it is the end", async () => {
    expect(await outcomeWith({ exp: now + 60.5 })).toContain("not an integer (exp)")
  })

  it.each(["iat", "nbf", "auth_time"])("may have a fraction of a second: %s", async (name) => {
    expect(await outcomeWith({ [name]: now - 0.5 })).toBe("accepted")
    for (const odd of [1e20, "1", [now], null, true]) {
      expect(await outcomeWith({ [name]: odd }), String(odd)).not.toBe("accepted")
    }
  })

  it.each([
    [{ iat: now + 30.5 }, "iat"],
    [{ nbf: now + 30.5 }, "nbf"],
  ])("is compared with its fraction: %j", async (claims, expected) => {
    expect(await outcomeWith(claims)).toContain(expected)
  })

  it("of the sign-in is kept in whole seconds", async () => {
    const op = await openOp()
    op.idToken = { auth_time: now - 9.25 }
    expect((await signIn(openDesk(oidcAt(op)), op)).authTime).toBe(now - 10)
  })

  it("follows the tolerance of the provider, also where that is none", async () => {
    expect(await outcomeWith({ iat: now + 1 }, { clockTolerance: 0 })).toContain("iat")
    expect(await outcomeWith({ exp: now }, { clockTolerance: 0 })).toContain("exp")
    expect(await outcomeWith({ iat: now, exp: now + 1 }, { clockTolerance: 0 })).toBe("accepted")
  })
})

describe("a token that the provider made for another purpose", { tags: ["threat:A-007", "threat:C1-49"] }, () => {
  const outcomeAs = (typ: unknown, claims: Record<string, unknown> = {}): Promise<string> =>
    outcomeOf((op) => {
      op.idToken = claims
      op.sign = (signed) => signWith(op.keys[0] as OpKey, signed, { typ })
    })
  const logout = "http://schemas.openid.net/event/backchannel-logout"

  it.each([
    "at+jwt",
    "application/at+jwt",
    "AT+JWT",
    "Application/Logout+JWT",
    "logout+jwt",
    "dpop+jwt",
    "secevent+jwt",
    "oauth-authz-req+jwt",
  ])("is no id_token, by its type: %s", async (typ) => {
    expect(await outcomeAs(typ)).toContain(`a token of another type (${typ.toLowerCase().replace("application/", "")})`)
  })

  it.each([undefined, "JWT"])("is no id_token, by the logout in its events: a token of type %s", async (typ) => {
    expect(await outcomeAs(typ, { events: { [logout]: {} } })).toContain("a logout token (events)")
  })

  it("is no id_token where the client made it for the provider, with the secret of both", async () => {
    const made = (typ: string | undefined, claims: object): Promise<string> =>
      outcomeOf(
        (op) => {
          op.metadata = { id_token_signing_alg_values_supported: ["HS256"] }
          op.idToken = { at_hash: undefined }
          op.sign = (signed) =>
            new SignJWT({ ...signed, ...claims })
              .setProtectedHeader({ alg: "HS256", ...(typ !== undefined && { typ }) })
              .sign(new TextEncoder().encode(op.clientSecret))
        },
        { client: { id_token_signed_response_alg: "HS256" } },
      )
    const [client, op] = ["client", "https://op.test"]
    for (const typ of [undefined, "JWT"]) {
      expect(await made(typ, {})).toBe("accepted")
      expect(await made(typ, { iss: client, aud: op })).not.toBe("accepted")
      expect(await made(typ, { iss: client })).toContain("iss")
      expect(await made(typ, { aud: op })).toContain("aud")
    }
    expect(await made("oauth-authz-req+jwt", {})).toContain("a token of another type (oauth-authz-req+jwt)")
  })

  it.each([undefined, "JWT", "jwt", "id_token+jwt", "", 7, ["at+jwt"]])("is not meant by the type %j", async (typ) => {
    expect(await outcomeAs(typ)).toBe("accepted")
  })

  it.each([[logout], logout, null, { other: {} }])("is not meant by the events %j", async (events) => {
    expect(await outcomeAs("JWT", { events })).toBe("accepted")
  })
})

describe("the hash of the access token", () => {
  const halfOf = (hash: string, text: string): string => {
    const digest = createHash(hash).update(text).digest()
    return digest.subarray(0, digest.length / 2).toString("base64url")
  }
  const outcome = async (alg: string, hash: string, of = "the access token"): Promise<string> => {
    // Keys of RSA take long to make: the usual one does for them.
    const key = alg === "HS256" || alg === "RS256" ? undefined : await makeOpKey("k", alg)
    return outcomeOf(
      (op) => {
        if (key) op.keys = [key]
        if (alg === "HS256") op.sign = async (claims) => signWithSecret(op.clientSecret, claims)
        op.metadata = { id_token_signing_alg_values_supported: [alg] }
        op.tokens = { access_token: "the access token" }
        op.idToken = { at_hash: halfOf(hash, of) }
        op.faults = { userinfo: () => json(op.person) }
      },
      alg === "HS256" ? { client: { id_token_signed_response_alg: alg } } : {},
    )
  }

  it.each([
    ["RS256", "sha256"],
    ["ES256", "sha256"],
    ["ES384", "sha384"],
    ["ES512", "sha512"],
    ["EdDSA", "sha512"],
    ["Ed25519", "sha512"],
    ["HS256", "sha256"],
  ])("is made with that of %s: %s", async (alg, hash) => {
    expect(await outcome(alg, hash)).toBe("accepted")
    expect(await outcome(alg, hash, "another")).toContain("at_hash")
    expect(await outcome(alg, hash === "sha256" ? "sha384" : "sha256")).toContain("at_hash")
  })
})

describe("an id_token that cannot be read", () => {
  it.each(["e30", "e30.", ".e30", "e30.W10.AA", "W10.e30.AA", "e30.bm8.AA", "no.e30.AA"])(
    "names no issuer: %s",
    async (token) => {
      const issuerOf = vi.fn(() => "https://op.test")
      const refused = await outcomeOf(
        (op) => {
          op.tokens = { id_token: token }
        },
        { issuerOf },
      )
      expect(refused).toContain("the id_token cannot be read")
      expect(issuerOf).not.toHaveBeenCalled()
    },
  )

  it("is from a tenant that is not allowed where the provider knows no issuer for it", async () => {
    expect(await outcomeWith({}, { issuerOf: () => undefined })).toContain("a tenant that is not allowed")
    expect(await outcomeWith({}, { issuerOf: () => "https://op.test" })).toBe("accepted")
    expect(await outcomeWith({}, { issuerOf: () => "https://other.test" })).not.toBe("accepted")
  })

  const [common, red, blue] = ["https://op.test/{tenantid}", "https://op.test/red", "https://op.test/blue"]
  /** What comes of a token of the tenant `red`, unless `iss` says otherwise, where the keys say for whom they are. */
  const signedFor = async (
    issuer: unknown,
    more: { iss?: string; kid?: string | null; by?: string; beside?: string; sent?: object },
  ) => {
    const { iss = red, kid = "one", by, beside, sent } = more
    const op = await openOp()
    op.keys = [await makeOpKey(kid, by)]
    op.idToken = { iss, tid: "red" }
    // No keys for this algorithm: without a name it is clear which one has signed.
    const [{ alg: _, ...sameKind }, { alg: __, ...otherKind }, { alg: ___, ...otherCurve }] = [
      (await makeOpKey("two", by)).jwk,
      (await makeOpKey("two", by ? "RS256" : "ES256")).jwk,
      (await makeOpKey("two", "ES384")).jwk,
    ]
    const client = by && { client: { id_token_signed_response_alg: by } }
    const [forOther, forSecrets] = [
      { ...sameKind, alg: "RS512" },
      { ...sameKind, use: "enc" },
    ]
    const unable = [forOther, forSecrets, { ...sameKind, key_ops: ["encrypt"] }, otherKind, otherCurve]
    const others = beside === undefined ? [] : unable.map((key) => ({ ...key, issuer: beside }))
    op.faults = { jwks: () => json({ keys: [...others, { ...op.keys[0]?.jwk, issuer, ...sent }] }) }
    const signedIn = signIn(openDesk(oidcAt(op, { issuerOf: () => iss, ...client })), op, { iss })
    return signedIn.then(() => "accepted", String)
  }
  it.each([
    [common, {}, "accepted"],
    [red, {}, "accepted"],
    [undefined, {}, "accepted"],
    [7, {}, "accepted"],
    [blue, { iss: "https://op.test" }, "accepted"],
    [blue, {}, "a key of another issuer"],
    [blue, { beside: common }, "a key of another issuer"],
    [common, { beside: blue }, "accepted"],
    [`${common}/`, {}, "a key of another issuer"],
    [common, { kid: null }, "accepted"],
    [common, { kid: null, sent: { kid: "one" } }, "accepted"],
    [common, { kid: null, beside: blue }, "accepted"],
    [blue, { kid: null }, "a key of another issuer"],
    [blue, { kid: null, beside: red }, "a key of another issuer"],
    [blue, { kid: null, by: "ES256", beside: red }, "a key of another issuer"],
    [red, { kid: null, by: "ES256", beside: blue }, "accepted"],
    ["https://{tenantid}.op.test/{tenantid}", { iss: "https://red.op.test/red" }, "accepted"],
  ])("is signed with a key that is for %j, %j: %s", { tags: ["threat:C1-39"] }, async (issuer, more, expected) => {
    expect(await signedFor(issuer, more)).toContain(expected)
  })

  it("is given to whoever knows its issuer, beside the configured one", async () => {
    const issuerOf = vi.fn(() => "https://op.test/tenant")
    const discovered = "https://op.test/tenants"
    await outcomeOf(
      (op) => {
        op.metadata = { issuer: discovered }
      },
      { issuerOf, discoveryIssuer: () => discovered },
    )
    expect(issuerOf).toHaveBeenCalledWith(expect.objectContaining({ sub: "person-1" }), "https://op.test")
  })

  it("is not asked for its issuer where there is none", async () => {
    const op = await openOp()
    op.tokens = { id_token: undefined }
    const issuerOf = vi.fn(() => "https://op.test")
    expect((await signIn(openDesk(oauthAt(op, { issuer: op.issuer, issuerOf })), op)).kind).toBe("proof")
    expect(issuerOf).not.toHaveBeenCalled()
  })
})

describe("the keys of the provider", () => {
  const refusedWith = async (jwks: () => Response): Promise<string> => {
    const op = await openOp()
    op.faults = { jwks }
    return (await refusalOf(signIn(openDesk(oidcAt(op)), op))).message
  }

  it("are asked for as a key set, and refused with any status but 200", async () => {
    const op = await openOp()
    await signIn(openDesk(oidcAt(op)), op)
    expect(op.callsOf("jwks")[0]?.headers.get("accept")).toBe("application/json, application/jwk-set+json")
    const keys = op.keys.map(({ jwk }) => jwk)
    expect(await refusedWith(() => json({ keys }, 201))).toContain("the key set answered with status 201")
    expect(await refusedWith(() => json({ keys: [...keys, "key"] }))).toContain("the key set has no list of keys")
    expect(await refusedWith(() => json({ keys: {} }))).toContain("the key set has no list of keys")
    const page = { headers: { "content-type": "text/html" } }
    expect(await refusedWith(() => new Response("<html>", page))).toContain("the key set")
    expect(await refusedWith(() => json(null))).toContain("the key set")
  })

  it("confirm the usual signature without a thread", async () => {
    const verify = vi.spyOn(crypto.subtle, "verify")
    const op = await openOp()
    await signIn(openDesk(oidcAt(op)), op)
    expect(verify).not.toHaveBeenCalled()
    verify.mockRestore()
  })

  it("are not asked again for a token that nobody signed", async () => {
    const op = await openOp()
    op.metadata = { id_token_signing_alg_values_supported: ["RS256", "none"] }
    op.sign = async (claims) => unsigned(claims)
    await refusalOf(signIn(openDesk(oidcAt(op)), op))
    expect(op.callsOf("jwks").length).toBeLessThanOrEqual(1)
  })
})

describe("the address of the keys, where nobody names it", () => {
  const missing = "needs jwks_endpoint"
  const refused = async (provider: (op: FakeOp) => Provider, over: Partial<FakeOp> = {}): Promise<string> => {
    const op = Object.assign(await openOp(), over)
    return (await refusalOf(signIn(openDesk(provider(op)), op))).message
  }
  const plain = (op: FakeOp): Provider => oauthAt(op, { issuer: op.issuer })

  it("is missed in a document that can be read", async () => {
    const metadata = { jwks_uri: undefined }
    expect(await refused(plain, { metadata })).toContain(`${missing}, the URL of its keys, to verify the id_token; its`)
    const wellKnown = "https://op.test/.well-known/openid-configuration"
    const withoutIssuer = (op: FakeOp): Provider => oidcAt(op, { issuer: undefined, wellKnown })
    expect(await refused(withoutIssuer, { metadata })).toContain("it has no issuer for discovery")
  })

  it("is missed where there is no document, and not where that cannot be reached", async () => {
    const page = { headers: { "content-type": "text/html" } }
    const answers = [() => new Response("", { status: 404 }), () => new Response("<html>", page)]
    for (const discovery of answers) {
      const message = await refused(plain, { faults: { discovery } })
      expect(message).toContain(missing)
      expect(message).toContain("the discovery document lacks it")
    }
    const away = (): never => {
      throw new TypeError("fetch failed")
    }
    expect(await refused(plain, { faults: { discovery: away } })).not.toContain(missing)
  })
})
