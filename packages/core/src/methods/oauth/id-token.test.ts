/** The id_token: every invalid one is refused, every valid one accepted. */
import { CompactEncrypt, exportSPKI, importJWK } from "jose"
import { afterAll, describe, expect, it, vi } from "vitest"
import { oidcAt, openDesk, refusalOf, signIn } from "../../../test/support/oauth-desk.js"
import {
  type FakeOp,
  makeOpKey,
  type OpKey,
  openOp,
  signWith,
  signWithSecret,
  unsigned,
} from "../../../test/support/op.js"
import { makeWorld } from "../../../test/support/world.js"
import type { Profile } from "../../types/identity.js"

// A fixed time: the claims of the tables are made when the file is loaded, and seconds may pass before they are sent.
vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-15T12:00:00Z") })
afterAll(() => {
  vi.useRealTimers()
})

const now = (): number => Math.floor(Date.now() / 1000)
const stranger = await makeOpKey("first")
const claimsAt = ({ issuer: iss, clientId: aud, person }: FakeOp): Record<string, unknown> => ({
  ...{ iss, aud, iat: now(), exp: now() + 300 },
  ...person,
})

async function refusal(prepare: (op: FakeOp) => void | Promise<void>, over: object = {}) {
  const op = await openOp()
  await prepare(op)
  const error = await refusalOf(signIn(openDesk(oidcAt(op, { idToken: false, ...over })), op))
  expect(op.callsOf("userinfo"), "nothing is asked after a refused token").toEqual([])
  return error
}

describe("claims of the id_token", () => {
  it.each([
    { what: "another issuer [CB-02] [I9-08] [C1-12]", claims: { iss: "https://op.test1" } },
    { what: "the issuer with a slash [C1-12]", claims: { iss: "https://op.test/" } },
    { what: "another tenant [C1-12]", claims: { iss: "https://op.test/other" } },
    { what: "no issuer", claims: { iss: undefined } },
    { what: "another audience [CB-04] [C1-46] [C1-13] [A-150]", claims: { aud: "client1" } },
    { what: "no audience [C1-13]", claims: { aud: undefined } },
    { what: "an empty list of audiences [C1-13]", claims: { aud: [] } },
    { what: "a number as audience [C1-13]", claims: { aud: 5 } },
    { what: "a list without us [C1-13]", claims: { aud: ["a", "b"] } },
    { what: "ten thousand audiences [A-062]", claims: { aud: Array.from({ length: 10_000 }, String) } },
    { what: "a second audience without azp [C1-14]", claims: { aud: ["client", "other"] } },
    { what: "a second audience and a foreign azp [C1-15]", claims: { aud: ["client", "other"], azp: "other" } },
    { what: "a foreign azp for us alone [C1-15]", claims: { azp: "other" } },
    { what: "no subject [CB-03] [C1-26]", claims: { sub: undefined } },
    { what: "an empty subject [C1-26]", claims: { sub: "" } },
    { what: "a number as subject [C1-26]", claims: { sub: 7 } },
    { what: "an object as subject [C1-26]", claims: { sub: { id: 7 } } },
    { what: "a subject of 256 characters [C1-26]", claims: { sub: "s".repeat(256) } },
    { what: "no time of issue [CB-05] [C1-20]", claims: { iat: undefined } },
    { what: "text as time of issue [C1-20]", claims: { iat: String(now()) } },
    { what: "an issue a day ahead [C1-20]", claims: { iat: now() + 86_400 } },
    { what: "an end 61 s ago [C1-19] [A-102]", claims: { exp: now() - 61 } },
    { what: "no end [C1-19]", claims: { exp: undefined } },
    { what: "null as end [C1-19]", claims: { exp: null } },
    { what: "text as end [C1-19]", claims: { exp: String(now() + 60) } },
    { what: "a fraction as end [C1-19]", claims: { exp: now() + 60.5 } },
    { what: "an end beyond all numbers [C1-19]", claims: { exp: 1e20 } },
    { what: "a beginning in the future [C1-21] [A-102]", claims: { nbf: now() + 300 } },
    { what: "the hash of another access token [C1-25] [B9-26] [A-130]", claims: { at_hash: "HK6E_P6Dh8Y93mRNtsDB1Q" } },
    { what: "a nonce that was not sent [C1-23]", claims: { nonce: "n" } },
  ])("are refused with $what", async ({ claims }) => {
    expect(
      (
        await refusal((op) => {
          op.idToken = claims
        })
      ).type,
    ).toBe("OAuthCallbackError")
  })

  it.each([
    { what: "a list with us alone [C1-13]", claims: { aud: ["client"] } },
    { what: "a second audience and our azp [C1-14]", claims: { aud: ["client", "other"], azp: "client" } },
    { what: "no hash of the access token", claims: { at_hash: undefined } },
    { what: "an end 20 s ago", claims: { exp: now() - 20 } },
    { what: "an issue 20 s ahead", claims: { iat: now() + 20 } },
    { what: "an issue a week ago [C1-20]", claims: { iat: now() - 7 * 86_400 } },
    { what: "a subject of 255 characters [C1-26]", claims: { sub: "s".repeat(255) } },
    { what: "a subject of other letters [C1-26]", claims: { sub: "é".repeat(255) } },
    {
      what: "claims it references elsewhere, which nobody fetches [C1-36]",
      claims: {
        _claim_names: { email: "local", credit: "far", age: "within" },
        _claim_sources: {
          local: { endpoint: "http://127.0.0.1/" },
          far: { endpoint: "https://claims.test/credit", access_token: "at" },
          within: { JWT: unsigned({ age: 7 }) },
        },
      },
    },
  ])("are accepted with $what", async ({ claims }) => {
    const op = await openOp()
    op.idToken = claims
    const { account, profile } = await signIn(openDesk(oidcAt(op)), op)
    expect(account.provider).toBe("op")
    expect(profile).toEqual({ ...claimsAt(op), at_hash: expect.any(String), ...claims })
    expect(op.calls.map(({ endpoint }) => endpoint)).toEqual(["discovery", "token", "jwks"])
  })

  it("are checked by the clock of the request, within the tolerance of the provider", {
    tags: ["threat:FI-19"],
  }, async () => {
    const fourMinutes = 240
    const accepts = async (drift: number, clockTolerance?: number): Promise<boolean> => {
      const op = await openOp()
      const desk = openDesk(oidcAt(op, clockTolerance === undefined ? {} : { clockTolerance }), {
        now: new Date("2031-05-01"),
      })
      op.now = () => Math.floor(desk.now.getTime() / 1000) + drift
      return signIn(desk, op).then(
        () => true,
        () => false,
      )
    }
    expect(await accepts(0)).toBe(true)
    expect(await accepts(fourMinutes)).toBe(false)
    expect(await accepts(fourMinutes, 300)).toBe(true)
    // Behind by more than the five minutes the token lives.
    expect(await accepts(-fourMinutes - 100)).toBe(false)
  })

  it("need an authentication no older than requested", { tags: ["threat:C1-24"] }, async () => {
    const authorization = { params: { max_age: 60 } }
    const expectations: [Record<string, unknown>, boolean][] = [
      [{ auth_time: now() - 10 }, true],
      [{ auth_time: now() - 200 }, false],
      [{}, false],
      [{ auth_time: "now" }, false],
    ]
    for (const [claims, accepted] of expectations) {
      const op = await openOp()
      op.idToken = claims
      const desk = openDesk(oidcAt(op, { authorization }))
      // Neither the way there nor the way back lets a visitor raise the limit.
      for (const max_age of [undefined, "9999"]) {
        const { url } = await desk.begin(max_age && `?max_age=${max_age}`)
        const outcome = await desk.finish(op.authorize(url, { max_age })).then(
          () => true,
          () => false,
        )
        expect(outcome, JSON.stringify(claims)).toBe(accepted)
      }
    }
  })

  it("may name any class of authentication, which the application reads", { tags: ["threat:C1-24"] }, async () => {
    const signIn = vi.fn(({ profile }: { profile?: Profile }) => profile?.["acr"] === "phr")
    const world = await makeWorld({
      strategy: "jwt",
      provider: { authorization: { params: { acr_values: "phr" } } },
      config: { callbacks: { signIn } },
    })
    world.op.idToken = { acr: "0", amr: ["pwd"] }
    const enter = async (): Promise<unknown> => {
      const browser = world.browser()
      await world.signInAtOp(browser)
      return browser.session()
    }
    expect(await enter()).toBeNull()
    expect(signIn.mock.lastCall?.[0].profile).toMatchObject({ acr: "0", amr: ["pwd"] })
    world.op.idToken = { acr: "phr" }
    expect(await enter()).toMatchObject({ user: { name: "Ada" } })
  })

  it("hold the nonce of the flow [spec provider checks]", {
    tags: ["threat:C1-22", "threat:B9-25", "threat:CB-12"],
  }, async () => {
    const checks = ["nonce"]
    const op = await openOp()
    await signIn(openDesk(oidcAt(op, { checks })), op)
    for (const nonce of ["other", undefined, ["n"], null]) {
      const error = await refusal(
        (hostile) => {
          hostile.idToken = { nonce }
        },
        { checks },
      )
      expect([error.type, nonce]).toEqual(["InvalidCheck", nonce])
    }
    const changes: readonly ((nonce: string) => string)[] = [
      (nonce) => `${nonce}1`,
      (nonce) => nonce.slice(0, -1),
      (nonce) =>
        nonce.replace(/[a-z]/i, (letter) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase())),
    ]
    for (const change of changes) {
      const changed = await refusal(
        (hostile) => {
          const signed = (claims: object, nonce: unknown) => ({ ...claims, nonce: change(String(nonce)) })
          hostile.sign = (claims) => signWith(hostile.keys[0] as OpKey, signed(claims, claims["nonce"]))
        },
        { checks },
      )
      expect(changed.type).toBe("InvalidCheck")
    }
  })
})

describe("the signer of the id_token", () => {
  it("is the provider, proven by its signature [spec provider jwks_endpoint]", {
    tags: ["threat:C1-16", "threat:A-059", "threat:A-103", "threat:A-125", "threat:CB-10", "threat:CB-08"],
  }, async () => {
    const forgeries: Record<string, (op: FakeOp) => void> = {
      "another key under the same name": (op) => {
        op.sign = (claims) => signWith(stranger, claims)
      },
      "no signature": (op) => {
        op.sign = async (claims) => unsigned(claims, { alg: "RS256", kid: "first" })
      },
      "a signature that is none": (op) => {
        op.sign = async (claims) => unsigned(claims, { alg: "RS256", kid: "first" }, "AAAA")
      },
    }
    for (const [what, forge] of Object.entries(forgeries)) {
      expect((await refusal(forge)).type, what).toBe("OAuthCallbackError")
    }
    const op = await openOp()
    op.sign = (claims) => signWith(op.keys[0] as OpKey, claims, { alg: "RS256" })
    expect((await signIn(openDesk(oidcAt(op)), op)).account.providerAccountId).toBe("person-1")
  })

  it("is refused when a byte anywhere in the token was changed", { tags: ["threat:C1-16"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    const token = await op.sign(claimsAt(op))
    const accepts = async (id_token: string): Promise<boolean> => {
      op.tokens = { id_token }
      return signIn(desk, op).then(
        () => true,
        () => false,
      )
    }
    expect(await accepts(token)).toBe(true)
    const parts = token.split(".").map((part) => Buffer.from(part, "base64url"))
    const written = (): string => parts.map((part) => part.toString("base64url")).join(".")
    const accepted: string[] = []
    for (const [index, part] of parts.entries()) {
      // Not each of them, which takes long.
      for (const at of [...part.keys()].filter((byte) => byte % 8 === 0 || byte === part.length - 1)) {
        part[at] = (part[at] ?? 0) ^ 1
        if (await accepts(written())) accepted.push(`byte ${at} of part ${index}`)
        part[at] = (part[at] ?? 0) ^ 1
      }
    }
    expect(accepted).toEqual([])
    expect(await accepts(written())).toBe(true)
  })

  it("is refused when the token was cut", { tags: ["threat:A-097"] }, async () => {
    const cuts: readonly ((token: string) => string)[] = [
      (token) => token.slice(0, -1),
      (token) => token.slice(0, token.length / 2),
      (token) => token.split(".").slice(0, 2).join("."),
      (token) => token.slice(1),
    ]
    for (const cut of cuts) {
      const error = await refusal((op) => {
        const { sign } = op
        op.sign = async (claims) => cut(await sign(claims))
      })
      expect(error.type).toBe("OAuthCallbackError")
    }
  })

  it.each(["none", "None", "nOnE", "", undefined])(
    "is never the algorithm %j",
    { tags: ["threat:CB-09", "threat:CC-04", "threat:A-031", "threat:A-103", "threat:A-125"] },
    async (alg) => {
      const forge = (op: FakeOp): void => {
        op.sign = async (claims) => unsigned(claims, { alg })
      }
      expect((await refusal(forge)).type).toBe("OAuthCallbackError")
      const announced = (op: FakeOp): void => {
        forge(op)
        op.metadata = { id_token_signing_alg_values_supported: ["RS256", "none", "None", "nOnE", ""] }
      }
      expect((await refusal(announced)).type).toBe("OAuthCallbackError")
      const configured = { client: { id_token_signed_response_alg: alg } }
      if (alg) expect((await refusal(forge, configured)).type).toBe("OAuthCallbackError")
    },
  )

  it("is not the holder of the public key", { tags: ["threat:A-124"] }, async () => {
    const secrets: Record<string, (jwk: object, pem: string) => string | Buffer> = {
      PEM: (_, pem) => pem,
      "PEM without the last line end": (_, pem) => pem.trim(),
      DER: (_, pem) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64"),
      JWK: (jwk) => JSON.stringify(jwk),
      "the modulus": (jwk) => Buffer.from((jwk as { n: string }).n, "base64url"),
    }
    for (const [form, secretOf] of Object.entries(secrets)) {
      // Also where the provider has agreed on HS256: the secret is the client's then.
      for (const client of [{}, { id_token_signed_response_alg: "HS256" }]) {
        const prepare = async (op: FakeOp): Promise<void> => {
          const jwk = op.keys[0]?.jwk ?? {}
          const pem = await exportSPKI((await importJWK(jwk, "RS256")) as CryptoKey)
          op.metadata = { id_token_signing_alg_values_supported: ["RS256", "HS256"] }
          op.sign = async (claims) => signWithSecret(secretOf(jwk, pem), claims)
        }
        expect((await refusal(prepare, { client })).type, form).toBe("OAuthCallbackError")
      }
    }
  })

  it("may be the holder of the client secret only where that was agreed", {
    tags: ["threat:C1-17", "threat:C1-18"],
  }, async () => {
    const secret = "ö".repeat(32)
    type Hmac = "HS256" | "HS384" | "HS512"
    const attempt = async (over: {
      alg?: string
      clientSecret?: string
      key?: string | Buffer
      signed?: Hmac
    }): Promise<boolean> => {
      const { alg, clientSecret = secret, key = clientSecret, signed = "HS256" } = over
      const op = await openOp({ clientSecret })
      op.metadata = { id_token_signing_alg_values_supported: ["RS256", "HS256", "HS384", "HS512"] }
      op.idToken = { at_hash: undefined }
      op.sign = async (claims) => signWithSecret(key, claims, signed)
      const client = alg ? { id_token_signed_response_alg: alg } : {}
      return signIn(openDesk(oidcAt(op, { clientSecret, client })), op).then(
        () => true,
        () => false,
      )
    }
    expect(await attempt({ alg: "HS256" })).toBe(true)
    expect(await attempt({})).toBe(false)
    expect(await attempt({ alg: "HS512" })).toBe(false)
    expect(await attempt({ alg: "HS256", key: "k".repeat(40) })).toBe(false)
    expect(await attempt({ alg: "HS256", key: Buffer.from(secret, "latin1") })).toBe(false)
    for (const [signed, length] of [
      ["HS256", 32],
      ["HS384", 48],
      ["HS512", 64],
    ] as const) {
      expect(await attempt({ alg: signed, signed, clientSecret: "s".repeat(length) }), signed).toBe(true)
      expect(await attempt({ alg: signed, signed, clientSecret: "s".repeat(length - 1) }), signed).toBe(false)
      expect(await attempt({ signed }), signed).toBe(false)
      expect(await attempt({ alg: "RS256", signed }), signed).toBe(false)
    }
  })

  it.each(["ES256", "PS256", "EdDSA"])(
    "may sign with %s where the provider announces it or it was agreed",
    { tags: ["threat:C1-17", "threat:FI-16"] },
    async (alg) => {
      const key = await makeOpKey("k", alg)
      const accepts = async (announced: string[] | undefined, agreed?: string): Promise<unknown> => {
        const op = await openOp()
        op.keys = [key]
        op.idToken = { at_hash: undefined }
        op.metadata = { id_token_signing_alg_values_supported: announced }
        const client = agreed === undefined ? {} : { id_token_signed_response_alg: agreed }
        return signIn(openDesk(oidcAt(op, { client })), op).then(
          () => "accepted",
          (error: Error) => error.message,
        )
      }
      expect(await accepts([alg])).toBe("accepted")
      expect(await accepts(["RS256"], alg)).toBe("accepted")
      for (const refused of [accepts(["RS256"]), accepts(undefined), accepts(["RS256", alg], "RS256")])
        expect(await refused).toContain(`received "${alg}"`)
    },
  )

  const rsa15 = Buffer.from('{"alg":"RSA1_5","enc":"A128CBC-HS256"}').toString("base64url")
  it.each([
    "garbage",
    `${rsa15}.AAAA.AAAA.AAAA.AAAA`,
    "a.b",
    "a.b.c.d",
    "a.b.c.d.e",
    "a.b.c.d.e.f",
    "..",
    "e30.e30.e30",
    `${"a".repeat(9)}.é.x`,
  ])("cannot be derived from %j", { tags: ["threat:A-097", "threat:C1-11"] }, async (token) => {
    expect(
      (
        await refusal((op) => {
          op.tokens = { id_token: token }
        })
      ).type,
    ).toBe("OAuthCallbackError")
  })

  it("is not read in a token that is encrypted, even with our secret", { tags: ["threat:C1-11"] }, async () => {
    const error = await refusal((op) => {
      const { sign } = op
      op.sign = async (claims) =>
        new CompactEncrypt(Buffer.from(await sign(claims)))
          .setProtectedHeader({ alg: "dir", enc: "A256GCM", cty: "JWT" })
          .encrypt(Buffer.from(op.clientSecret).subarray(0, 32))
    })
    expect([error.type, error.message]).toEqual(["OAuthCallbackError", expect.stringContaining("JWE")])
  })

  it("must be there for OpenID Connect", { tags: ["threat:C1-09"] }, async () => {
    expect(
      (
        await refusal((op) => {
          op.tokens = { id_token: undefined }
        })
      ).type,
    ).toBe("OAuthCallbackError")
  })

  it.each([
    { crit: ["b64"], b64: true },
    { crit: ["b64"], b64: false },
    { crit: ["x"], x: 1 },
    { crit: ["x"] },
    { crit: ["alg"] },
    { crit: [] },
    { crit: "x" },
  ])("may not call extensions critical: %j", { tags: ["threat:C1-16"] }, async (extension) => {
    const outcome = async (more: object): Promise<string> => {
      const op = await openOp()
      op.sign = async (claims) => {
        const { alg, kid, privateKey } = op.keys[0] as OpKey
        const text = unsigned(claims, { alg, kid, ...more }).slice(0, -1)
        const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", privateKey, Buffer.from(text))
        return `${text}.${Buffer.from(signature).toString("base64url")}`
      }
      return signIn(openDesk(oidcAt(op)), op).then(
        () => "accepted",
        (error: Error) => error.message,
      )
    }
    expect(await outcome({ x: 1 })).toBe("accepted")
    expect(await outcome(extension)).toContain("crit")
  })
})
