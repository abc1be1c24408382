/** Credentials: the arguments of `authorize`, the meaning of its results, and the resulting user. */
import { runInNewContext } from "node:vm"
import { CredentialsSignin as PeerCredentialsSignin } from "@auth/core/errors"
import { describe, expect, it, vi } from "vitest"
import { contextsOf } from "../../test/support/method-context.js"
import { memoryAdapter } from "../adapters/memory.js"
import { AccessDenied, CallbackRouteError, CredentialsSignin } from "../errors.js"
import type { AuthConfig } from "../types/config.js"
import type { CredentialsConfig } from "../types/provider.js"
import type { Proof } from "./method.js"
import { credentialsPolicy } from "./policy.js"
import { selectMethod } from "./select.js"

type Authorize = CredentialsConfig["authorize"]

async function signIn(
  authorize: Authorize,
  form: Record<string, unknown> = {},
  config: Partial<AuthConfig> = {},
): Promise<Proof> {
  const provider: CredentialsConfig = { id: "ldap", name: "LDAP", type: "credentials", credentials: {}, authorize }
  const context = await contextsOf({ providers: [provider], ...config })({ path: "/auth/callback/ldap?q=1", form })
  return (await selectMethod(context).finish()) as Proof
}

const unmapped: readonly (readonly [string, unknown])[] = [
  ["not a number", Number.NaN],
  ["infinite", Number.NEGATIVE_INFINITY],
  ["a fraction", 1.5],
  ["a number beyond 2^53", 2 ** 53],
  ["the text undefined", "undefined"],
  ["the text null", " null "],
  ["the text NaN", "NaN"],
  ["the text of an object", "[object Object]"],
  ["the text of a promise", "[object Promise]"],
  ["blanks", "  "],
  ["an object", { id: "1" }],
  ["an object without a text", Object.create(null)],
  ["a promise", Promise.resolve("1")],
  ["an empty list", []],
  ["a list", ["1"]],
  ["true", true],
  ["false", false],
  ["a symbol", Symbol("1")],
  ["a function", () => "1"],
  ["a date", new Date(0)],
  ["an error", new Error("1")],
  ["bytes that are not UTF-8", Buffer.from([222, 255])],
]

describe("authorize", () => {
  it.each([
    ["spaces around it", "  pass word\t "],
    ["composed letters", "p\u00e4ss"],
    ["letters and marks apart", "pa\u0308ss"],
    ["10 KiB", "\u00e4b".repeat(3500)],
    ["a NUL inside", "a\u0000b"],
    ["characters beyond 16 bits", "\u{1f511}\u{1f600}"],
    ["compatibility characters", "\ufb01\u2126"],
  ])("is given a password with %s as it was typed [V6-03]", async (_, password) => {
    const authorize = vi.fn(async () => ({ id: "1" }))
    await signIn(authorize, { name: "ada", password })
    const [credentials, request] = authorize.mock.calls[0] as unknown as [{ password: string }, Request]
    const read = ((await request.json()) as { password: string }).password
    for (const text of [credentials.password, read]) expect(Buffer.from(text)).toEqual(Buffer.from(password))
  })

  it("is given the whole form as it was sent, and the request with the form as JSON [spec authentication 7] [V6-03] [PP-12]", async () => {
    const form = {
      user: "  ada ",
      password: "p\u0301\u0000 \u{1f600}",
      csrfToken: "t",
      callbackUrl: "/x",
      extra: ["1"],
    }
    const authorize = vi.fn(async () => ({ id: "1" }))
    await signIn(authorize, form)
    const [credentials, request] = authorize.mock.calls[0] as unknown as [unknown, Request]
    expect(credentials).toEqual(form)
    expect(request.url).toBe("https://app.test/auth/callback/ldap?q=1")
    expect(request.method).toBe("POST")
    expect(await request.json()).toEqual(form)
  })

  it("may modify its argument", async () => {
    const { credentials } = await signIn(
      (given) => {
        delete given["password"]
        return { id: "1" }
      },
      { password: "x" },
    )
    expect(credentials).toEqual({ password: "x" })
  })

  it("answers with a user: its id is the account's [spec account providerAccountId]", async () => {
    const user = { id: "7", name: "Ada", email: "Ada@Example.test" }
    const proof = await signIn(() => user, { user: "ada" })
    expect(proof).toEqual({
      kind: "proof",
      policy: credentialsPolicy,
      user,
      account: { provider: "ldap", providerAccountId: "7", type: "credentials" },
      stored: undefined,
      credentials: { user: "ada" },
      emailStatus: "unstated",
      mayLinkByEmail: false,
      returnTo: undefined,
    })
    expect(proof.user).toBe(user)
  })

  it.each([null, undefined, false, 0, ""])(
    "answers %j: CredentialsSignin with the code `credentials` [TL-03]",
    async (answer) => {
      const failure = signIn(() => answer as null)
      await expect(failure).rejects.toThrow(CredentialsSignin)
      await expect(failure).rejects.toMatchObject({ code: "credentials" })
    },
  )

  it.each([
    ["true", true, "not a boolean."],
    ["a number", 7, "not a number."],
    ["a string", "ada", "not a string."],
    ["a function", () => ({ id: "1" }), "not a function."],
    ["rows of which none was found", [], "not a list. Return its first member"],
    ["rows", [{ id: "secret" }], "not a list. Return its first member"],
    ["an error", new TypeError("secret"), "not an error. Throw it"],
    ["an error of the platform", new DOMException("secret"), "not an error. Throw it"],
    ["a Response", new Response("secret", { status: 401 }), "not a Response. Read the user"],
    ["a Response of another library", { [Symbol.toStringTag]: "Response", id: "secret" }, "not a Response."],
    ["a Map", new Map([["id", "secret"]]), "not a Map. Return an object"],
    ["a Set", new Set(["secret"]), "not a Set. Return its member"],
    ["a list of another realm", runInNewContext("[]"), "not a list."],
  ])(
    "answers with %s, which is no user: CallbackRouteError",
    { tags: ["threat:A-019"] },
    async (_, answer, message) => {
      const failure = signIn(() => answer as never)
      await expect(failure).rejects.toThrow(CallbackRouteError)
      await expect(failure).rejects.toThrow(`\`authorize\` has to return a user or null, ${message}`)
      await expect(failure).rejects.not.toThrow(/secret/)
    },
  )

  it("may answer with an object of any class", async () => {
    class Person {
      readonly id = "7"
    }
    const person = new Person()
    expect((await signIn(() => person)).user).toBe(person)
    const bare = Object.assign(Object.create(null) as object, { id: "7" })
    expect((await signIn(() => bare)).user).toBe(bare)
  })

  class Locked extends CredentialsSignin {
    override code = "locked"
  }
  class PeerLocked extends PeerCredentialsSignin {
    override code = "locked"
  }
  it.each([
    ["CredentialsSignin", new CredentialsSignin()],
    ["a subclass with its own code [spec credentials-signin code]", new Locked()],
    ["the class of the package of Auth.js", new PeerLocked()],
    ["another error of ours", new AccessDenied("no")],
  ])("throws %s: it passes as it is", async (_, error) => {
    await expect(
      signIn(() => {
        throw error
      }),
    ).rejects.toBe(error)
  })

  it.each([
    ["an error", new Error("ldap down")],
    ["text", "ldap down"],
    ["nothing", undefined],
  ])("throws %s: CallbackRouteError with its cause", async (_, thrown) => {
    const failure = signIn(() => {
      throw thrown
    })
    await expect(failure).rejects.toThrow(CallbackRouteError)
    await expect(failure).rejects.toMatchObject({ cause: { err: expect.any(Error), provider: "ldap" } })
    await expect(failure).rejects.not.toThrow(/ldap down/)
  })
})

describe("the user's id, with sessions in the cookie", () => {
  it("becomes text", async () => {
    const returned = { id: 42 as unknown as string, name: "Ada" }
    const { user, account } = await signIn(() => returned)
    expect(user).toEqual({ id: "42", name: "Ada" })
    expect(account.providerAccountId).toBe("42")
    expect(returned.id).toBe(42)
  })

  it.each([undefined, null, ""])("is a random one when it is %j", async (id) => {
    const { user, account } = await signIn(() => ({ id: id as never, name: "Ada" }))
    expect(user.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(account.providerAccountId).toBe(user.id)
  })

  it.each(unmapped)("is refused where it is %s", { tags: ["threat:A-019"] }, async (_, id) => {
    const failure = signIn(() => ({ id: id as never }))
    await expect(failure).rejects.toThrow(CallbackRouteError)
    await expect(failure).rejects.toThrow("that other people could have as well")
  })

  const hex = "507f1f77bcf86cd799439011"
  it.each([
    ["zero", 0, "0"],
    ["zero as text", "0", "0"],
    ["a negative number", -1, "-1"],
    ["a large number", 2n ** 64n, "18446744073709551616"],
    ["an ObjectId", { toHexString: () => hex, toString: () => hex }, hex],
    ["the id of a record", Object.assign(Object.create(null) as object, { toString: () => "user:1" }), "user:1"],
    ["bytes", new Uint8Array([222, 173]), "222,173"],
    ["bytes that are text", Buffer.from("ada"), "ada"],
    ["text around blanks", " ada ", " ada "],
  ])("may be %s", async (_, id, text) => {
    const { user, account } = await signIn(() => ({ id: id as never }))
    expect([user.id, account.providerAccountId]).toEqual([text, text])
  })

  it("is not looked up, even with an adapter", async () => {
    const getUser = vi.fn()
    const config = { adapter: { ...memoryAdapter(), getUser }, session: { strategy: "jwt" as const } }
    await signIn(() => ({ id: "1" }), {}, config)
    expect(getUser).not.toHaveBeenCalled()
  })
})

describe("the user's id, with sessions in the database", () => {
  it.each(unmapped)("is not looked up where it is %s", { tags: ["threat:A-019"] }, async (_, id) => {
    const getUser = vi.fn(async () => ({ id: "1", email: "", emailVerified: null }))
    const failure = signIn(() => ({ id: id as never }), {}, { adapter: { ...memoryAdapter(), getUser } })
    await expect(failure).rejects.toThrow(CallbackRouteError)
    expect(getUser).not.toHaveBeenCalled()
  })

  it("has to be one the adapter knows", async () => {
    const adapter = memoryAdapter()
    const stored = await adapter.createUser({ id: "", email: "ada@example.test", emailVerified: null })
    const { user, account } = await signIn(() => ({ id: stored.id, name: "Ada" }), {}, { adapter })
    expect(user).toEqual({ id: stored.id, name: "Ada" })
    expect(account.providerAccountId).toBe(stored.id)
  })

  it.each<[string, unknown, unknown]>([
    ["an ObjectId by its text", { toHexString: () => "507f", toString: () => "507f" }, "507f"],
    ["a number as it is", 42, 42],
    ["text as it is", "42", "42"],
  ])("is looked up: %s", async (_, id, asked) => {
    const getUser = vi.fn(async (given: unknown) => ({ id: String(given), email: "", emailVerified: null }))
    const { user } = await signIn(() => ({ id: id as never }), {}, { adapter: { ...memoryAdapter(), getUser } })
    expect(getUser.mock.calls).toEqual([[asked]])
    expect(user.id).toBe(String(asked))
  })

  it("keeps the type it has in the store", async () => {
    const adapter = { ...memoryAdapter(), getUser: async () => ({ id: 42, email: "", emailVerified: null }) as never }
    const { user, account } = await signIn(() => ({ id: "42" }), {}, { adapter })
    expect(user.id).toBe(42)
    expect(account.providerAccountId).toBe("42")
  })

  it.each([
    ["unknown", { id: "nobody" }, /does not know/],
    ["missing", { name: "Ada" }, /has to return the `id`/],
  ])("is refused when it is %s, with an error that says so", async (_, user, reason) => {
    const failure = signIn(() => user, {}, { adapter: memoryAdapter() })
    await expect(failure).rejects.toThrow(CallbackRouteError)
    await expect(failure).rejects.toThrow(reason)
  })
})
