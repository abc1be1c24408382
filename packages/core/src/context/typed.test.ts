import { describe, expect, it, vi } from "vitest"
import { noon, post, settingsOf } from "../../test/support/facts.js"
import { mailProvider, passwordProvider, plainSettings } from "../../test/support/password-service.js"
import { readIncoming } from "../../test/support/read-incoming.js"
import { createContext } from "./context.js"
import { readingsOf, typedIn, whoIn } from "./typed.js"

/** Requests to a service with one provider. */
function stage(provider: object = passwordProvider()) {
  const settings = settingsOf({ ...plainSettings, providers: [provider as never] })
  return async ({ path = "callback/password", form = {} as Record<string, string> } = {}) => {
    const incoming = await readIncoming(post(`https://app.test/auth/${path}`, form), settings)
    return createContext({ settings, incoming, now: noon })
  }
}

describe("who a request is about", () => {
  const read = async (form: Record<string, unknown>, provider: object = {}) => {
    const contextOf = stage({ ...passwordProvider(), ...provider })
    const context = await contextOf()
    return typedIn({ ...context, incoming: { ...context.incoming, form } })
  }
  const asList = (name: string | undefined) => (name === undefined ? undefined : [name])

  it.each<[unknown, string | undefined]>([
    [" ada ", "ada"],
    [4711, "4711"],
    ["", undefined],
    ["   ", undefined],
    [["ada"], undefined],
    [true, undefined],
    [undefined, undefined],
    ["a".repeat(512), "a".repeat(512)],
    [` ${"a".repeat(512)} `, "a".repeat(512)],
    ["a".repeat(900), "a".repeat(900)],
    [`a${"\u0301".repeat(900)}da`, `a${"\u0301".repeat(900)}da`],
    ["\u0431".repeat(4096), "\u0431".repeat(4096)],
    ["\u0431".repeat(4097), undefined],
    ["a".repeat(100_000), "a".repeat(100_000)],
  ])("is %j, read as %j", async (username, expected) => {
    expect(await read({ username })).toEqual(asList(expected))
  })

  it.each<[object, string | undefined]>([
    [{ credentials: { password: { type: "password" }, tenant: { type: "text" }, username: {} } }, "ada"],
    [{ credentials: { password: { type: "password" }, tenant: { type: "text" }, person: {} } }, "me"],
    [{ credentials: { tenant: {}, code: {}, remember: {} } }, "ada"],
    [{ credentials: { room: {}, person: {} } }, "ada"],
    [{ credentials: { room: {}, account: {} } }, "7"],
    [{ credentials: { room: {}, username: {} } }, "ada"],
    [{ accountField: "username" }, "ada"],
    [{ credentials: { password: { type: "password" } } }, "ada"],
    [{ credentials: undefined }, "ada"],
    [{ credentials: { username: null } }, "ada"],
    [{ credentials: { password: {}, userPass: {}, pwd_repeat: {}, passcode: {}, pass: {}, room: {} } }, "1"],
    [{ credentials: { passengerId: {}, room: {}, password: {} } }, "17"],
  ])("stands in the field that may say who it is, or in the one the provider names: %j", async (provider, expected) => {
    const secrets = { password: "p1", userPass: "p2", pwd_repeat: "p3", passcode: "p4", pass: "p5" }
    expect(
      await read(
        { username: "ada", tenant: "acme", room: "1", account: "7", person: "me", passengerId: 17, ...secrets },
        provider,
      ),
    ).toEqual(asList(expected))
  })

  it.each<[Record<string, unknown>, readonly string[] | undefined]>([
    [{ tenant: " acme ", username: 7 }, ["acme", "7"]],
    [{ tenant: "acme" }, ["acme", ""]],
    [{ tenant: null, username: "ada" }, ["", "ada"]],
    [{ tenant: "", username: " " }, undefined],
    [{}, undefined],
    [{ tenant: "acme", username: ["ada"] }, undefined],
    [{ tenant: true, username: "ada" }, undefined],
  ])("stands in all fields that the provider names: %j", async (form, expected) => {
    expect(await read(form, { accountField: ["tenant", "username"] })).toEqual(expected)
  })

  it("is the address that a mail goes to, and nobody where what is typed is refused", async () => {
    const at = async (email: string, normalizeIdentifier?: (email: string) => string) => {
      const contextOf = stage({ ...(mailProvider(() => {}) as object), normalizeIdentifier })
      return typedIn(await contextOf({ path: "signin/mail", form: { email } }))?.join()
    }
    const throwing = () => {
      throw new Error("no")
    }
    expect(await at(" Ada@app.test ")).toBe("ada@app.test")
    expect(await at("ada+1@app.test", (email) => email.replace("+1", ""))).toBe("ada@app.test")
    expect(await at("Ada@app.test", (email) => email)).toBe("Ada@app.test")
    expect(await at("ada@app.test", throwing)).toBeUndefined()
    for (const typed of ["ada@app.test\u200b", "\u00e1da@app.test", "ada\t@app.test", "ada"])
      expect(await at(typed)).toBeUndefined()
    expect(await at("", throwing)).toBeUndefined()
    expect(await at("", () => "somebody")).toBeUndefined()
    expect(await at("", () => "ada@app.test")).toBe("ada@app.test")
  })

  it("is what the provider makes of the very text that came, however long and in whatever script", async () => {
    const normalizeIdentifier = vi.fn((email: string) => email.trim().replace(/\+.*@/, "@"))
    const contextOf = stage({ ...(mailProvider(() => {}) as object), normalizeIdentifier })
    const email = ` ada+${"é".repeat(5000)}1@app.test`
    expect(typedIn(await contextOf({ path: "signin/mail", form: { email } }))).toEqual(["ada@app.test"])
    expect(normalizeIdentifier.mock.calls).toEqual([[email]])
  })

  it("is the address of a link as it stands there, which was normalized when the link was made", async () => {
    const contextOf = stage({ ...(mailProvider(() => {}) as object), normalizeIdentifier: () => "somebody@else.test" })
    const context = await contextOf({ path: "callback/mail?email=ada%40app.test&token=123456" })
    expect(typedIn(context)).toEqual(["ada@app.test"])
  })

  it("is nobody where a link has a longer address than any", async () => {
    const contextOf = stage(mailProvider(() => {}))
    const context = await contextOf({
      path: `callback/mail?email=${encodeURIComponent("é".repeat(5000))}&token=123456`,
    })
    expect([typedIn(context), whoIn(context).isOdd]).toEqual([undefined, false])
  })

  it("is counted with others where it is too long to be folded, and forgotten with none of them", async () => {
    const { incoming, ...context } = await stage()()
    const [long, form] = ["é".repeat(4097), { username: "é".repeat(4097) }]
    expect(whoIn({ ...context, incoming: { ...incoming, form } }).isOdd).toBe(true)
    expect(whoIn({ ...context, incoming: { ...incoming, form: { username: "ada" } } }).isOdd).toBe(false)
    expect([readingsOf(context.settings, long), readingsOf(context.settings, ["ada", long])]).toEqual([[], []])
    expect(readingsOf(context.settings, ["ada", "é"])).toEqual([["ada", "é"]])
  })

  it("stands in all fields also where a password is not checked", async () => {
    const contextOf = stage({ ...passwordProvider(), accountField: ["tenant", "username"] })
    const context = await contextOf({ path: "signin/password", form: { tenant: "acme", username: "ada" } })
    expect(typedIn(context)).toEqual(["acme", "ada"])
  })

  it.each<[object, readonly [isCertain: boolean, isAlike: boolean]]>([
    [{ username: "ada", tenant: "acme" }, [true, true]],
    [{ username: "ada", tenant: "evil" }, [true, false]],
    [{ username: "ada", tenant: "acme", room: "1" }, [true, true]],
    [{ username: "ada" }, [true, false]],
    [{ username: "ada", tenant: ["acme"] }, [false, false]],
    [{ username: "ada", tenant: true }, [false, false]],
  ])("is spelled in another way at another tenant, and not certain where that is odd: %j", async (form, expected) => {
    const { incoming, ...context } = await stage({
      ...passwordProvider(),
      credentials: { tenant: {}, username: {}, room: {}, password: {} },
    })()
    const readFrom = (sent: object) => whoIn({ ...context, incoming: { ...incoming, form: { ...sent } } })
    const { isCertain, written } = readFrom(form)
    expect([isCertain, written === readFrom({ username: "ada", tenant: "acme" }).written]).toEqual(expected)
  })

  it("stands in a field that is named like a password and has the type of a text", async () => {
    const credentials = { passnumber: { type: "text" }, password: { type: "text" } }
    expect(await read({ passnumber: "4711", password: "1" }, { credentials })).toEqual(["4711"])
  })

  it("is somebody else in another field", async () => {
    const writtenIn = async (form: Record<string, string>) =>
      whoIn(await stage({ ...passwordProvider(), credentials: { room: {}, email: {}, phone: {} } })({ form })).written
    const written = [await writtenIn({ email: "7" }), await writtenIn({ phone: "7" }), await writtenIn({ room: "7" })]
    expect(new Set(written).size).toBe(3)
    const ofOne = async (credentials: object, form: Record<string, string>) =>
      whoIn(await stage({ ...passwordProvider(), credentials })({ form })).written
    expect(await ofOne({ email: {}, room: {} }, { email: "7" })).not.toBe(
      await ofOne({ email: {}, room: {} }, { room: "7" }),
    )
    // Browsers that are known stay known.
    expect(await ofOne({ email: {}, room: {} }, { email: "7" })).toBe('["app.test/auth","password","7"]')
  })

  it("is nobody elsewhere", async () => {
    const contextOf = stage()
    const context = await contextOf({ path: "session" })
    expect(typedIn(context)).toBeUndefined()
  })
})
