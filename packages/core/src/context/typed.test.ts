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
    ["\u0431".repeat(1024), "\u0431".repeat(1024)],
    ["\u0431".repeat(1025), undefined],
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
    const [long, form] = ["é".repeat(1025), { username: "é".repeat(1025) }]
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

  it.each<[unknown, unknown]>([
    [undefined, "undefined"],
    [undefined, ""],
    [null, "null"],
    [1, "1"],
    [true, "true"],
  ])("is spelled in another way at %j than at %j", async (one, other) => {
    const { incoming, ...context } = await stage({
      ...passwordProvider(),
      credentials: { tenant: {}, username: {}, password: {} },
    })()
    const writtenAt = (tenant: unknown) =>
      whoIn({ ...context, incoming: { ...incoming, form: { username: "ada", tenant } } }).written
    expect(writtenAt(one)).toBe(writtenAt(one))
    expect(writtenAt(one)).not.toBe(writtenAt(other))
  })

  const readOf = async (credentials: object, form: object) => {
    const { incoming, ...context } = await stage({ ...passwordProvider(), credentials: credentials as never })()
    return whoIn({ ...context, incoming: { ...incoming, form: { ...form } } })
  }

  it.each<[object, object, readonly string[]]>([
    [{ phone: {} }, { phone: "+1 (555) 123-4123" }, ["15551234123"]],
    [{ phone: {} }, { phone: "0 0 1 555x1234123" }, ["0 0 1 555x1234123", "15551234123", "1555", "1234123"]],
    [{ phone: {} }, { phone: "1555123412e3" }, ["1555123412e3", "15551234123", "1555123412"]],
    [{ phone: {} }, { phone: "١٥٥٥١٢٣٤١٢٣" }, ["١٥٥٥١٢٣٤١٢٣", "15551234123"]],
    [{ phone: {} }, { phone: "+15551234123" }, ["15551234123"]],
    [{ phone: {} }, { phone: "15551234123" }, ["15551234123"]],
    [{ username: {} }, { username: "+15551234123" }, ["15551234123"]],
    [{ phone: {} }, { phone: "555" }, ["555"]],
    [{ kennung: { type: "tel" } }, { kennung: "555-1234 ext. 1" }, ["555-1234 ext. 1", "55512341", "5551234"]],
    [{ phone: {} }, { phone: "Tel. 4930123456 x7" }, ["Tel. 4930123456 x7", "49301234567", "4930123456"]],
    [{ phone: {} }, { phone: "12 x 4930123456" }, ["12 x 4930123456", "124930123456", "4930123456"]],
    [{ phone: {} }, { phone: "49（30）123456x7" }, ["49（30）123456x7", "49301234567", "4930123456"]],
    [{ phone: {} }, { phone: "٤٩٣٠١٢٣٤٥٦x7" }, ["٤٩٣٠١٢٣٤٥٦x7", "49301234567", "4930123456"]],
    [{ phone: {} }, { phone: "12345 or 67" }, ["12345 or 67", "1234567"]],
    [{ phone: {} }, { phone: "4930.12.34:56!7" }, ["4930.12.34:56!7", "49301234567"]],
    [
      { phone: {} },
      { phone: "4930123456 or 4940654321" },
      ["4930123456 or 4940654321", "49301234564940654321", "4930123456", "4940654321"],
    ],
    [
      { phone: {} },
      { phone: `${"(".repeat(99)}٤٩٣٠١٢٣٤٥٦x7` },
      [`${"(".repeat(99)}٤٩٣٠١٢٣٤٥٦x7`, "49301234567", "4930123456"],
    ],
    [{ phone: {} }, { phone: `${"(".repeat(250)}٤٩٣٠١٢٣٤٥٦` }, ["#,;~"]],
    [{ phone: {} }, { phone: `1４155551234${"\u00ad".repeat(240)}` }, ["#,;~"]],
    [{ phone: {} }, { phone: "1_4155551234.00" }, ["1_4155551234.00", "1415555123400"]],
    [{ phone: {} }, { phone: "①+１4155551234" }, ["4155551234", "14155551234", "114155551234"]],
    [{ phone: {} }, { phone: "#100234" }, ["100234"]],
    [{ username: {} }, { username: "#100234" }, ["#100234", "100234"]],
    [{ phone: {} }, { phone: "+49 30 123456;" }, ["4930123456"]],
    [{ phone: {} }, { phone: "100234#" }, ["100234"]],
    [{ username: {} }, { username: "555-123-4123" }, ["555-123-4123", "5551234123"]],
    [{ username: {} }, { username: "２０23123456" }, ["２０23123456", "23123456", "2023123456"]],
    [{ username: {} }, { username: "ⓢ２０231234" }, ["ⓢ２０231234"]],
    [{ username: {} }, { username: "12#345" }, ["12#345"]],
    [{ username: {} }, { username: "ada#20231234" }, ["ada#20231234"]],
    [{ identifier: {} }, { identifier: "(4930)123456@" }, ["(4930)123456@", "4930123456"]],
    [
      { username: {} },
      { username: "{7D44-4840-9DC011D1B2455FFDCE74FAD2}" },
      ["{7D44-4840-9DC011D1B2455FFDCE74FAD2}", "7D4448409DC011D1B2455FFDCE74FAD2"],
    ],
    [{ email: {}, username: {} }, { email: "ada@app.test", username: "ⓐⓓⓐ" }, ["ada@app.test", "ⓐⓓⓐ"]],
    [{ username: {} }, { username: "5551234.0" }, ["5551234.0", "55512340"]],
    [{ username: {} }, { username: "CS/2021/045" }, ["CS/2021/045"]],
    [{ email: {} }, { email: "zhang123@163.com" }, ["zhang123@163.com"]],
    [{ email: {}, phone: {} }, { email: "ada@app.test", phone: "undefined" }, ["ada@app.test"]],
    [{ email: {}, phone: {} }, { email: "ada@app.test", phone: "null" }, ["ada@app.test"]],
    [{ email: {}, phone: {} }, { email: "ada@app.test", phone: "+1" }, ["ada@app.test"]],
    [{ email: {}, username: {} }, { email: "ada@app.test", username: " - " }, ["ada@app.test"]],
    [{ email: {}, phone: {} }, { email: "ada@app.test", phone: "+1876" }, ["ada@app.test"]],
    [{ email: {}, phone: {} }, { email: "ada@app.test", phone: "55512" }, ["ada@app.test", "55512"]],
    [{ email: {}, phone: {} }, { email: "a@b.test", phone: "٠٩١٢٣" }, ["a@b.test", "٠٩١٢٣"]],
    [{ email: {}, phone: {} }, { email: "", phone: "+1" }, ["+1"]],
    [{ email: {}, phone: {} }, { email: "a@b.test", phone: "⑳㉛㊷㊿" }, ["a@b.test", "⑳㉛㊷㊿", "20314250"]],
    [{ email: {}, username: {} }, { email: "a@b.test", username: "🔥" }, ["a@b.test", "🔥"]],
    [{ email: {}, phone: {} }, { email: "a@b.test", phone: "🔥" }, ["a@b.test", "🔥"]],
    [{ fullName: {}, password: {} }, { fullName: "Ada L", password: "1" }, ["Ada L"]],
    [{ email: {}, phone: {} }, { email: "ada@app.test", phone: [] }, ["ada@app.test"]],
  ])("listed as %j and sent as %j counts at: %j", { tags: ["threat:V6-06"] }, async (credentials, form, expected) => {
    expect((await readOf(credentials, form)).people).toEqual(expected.map((name) => [name]))
  })

  it.each([
    ...["phone", "identifier"].flatMap((field) =>
      ["#7", "＃7", "﹟7", "~7", "～7", "∼7", "⁓7", ",7", "，7", ";7", " 503#", "-503#", "(503#@", "#7@"].map((end) => [
        field,
        end,
      ]),
    ),
    ["phone", ";ext=7"],
    ["phone", "~ Durchwahl 7"],
  ] as [string, string][])(
    "is counted with all others where a %s hides a part of a number behind signs: %s",
    { tags: ["threat:V6-06"] },
    async (field, end) => {
      const listed = { [field]: {}, password: {} }
      const number = "+14155551234"
      const { people, isOdd, isCertain, written } = await readOf(listed, { [field]: number + end })
      expect([people, isOdd, isCertain]).toEqual([[["#,;~"]], false, true])
      expect(written).toContain(JSON.stringify(number + end))
      expect((await readOf(listed, { [field]: number })).people).toEqual([["14155551234"]])
    },
  )

  it("is each way to read one part with each of the others, and counted with all others where there are too many", async () => {
    const at = async (accountField: string[], form: object) => {
      const { incoming, ...context } = await stage({ ...passwordProvider(), accountField })()
      return whoIn({ ...context, incoming: { ...incoming, form: { ...form } } })
    }
    const two = await at(["tenant", "phone"], { tenant: "7.00000", phone: "4155551234.0" })
    expect(two.people).toEqual([
      ["7.00000", "4155551234.0"],
      ["7.00000", "41555512340"],
      ["700000", "4155551234.0"],
      ["700000", "41555512340"],
    ])
    const names = ["phone", "mobile", "cell", "telephone", "tel"]
    const number = "4155551234.0"
    const most = await at(names, { phone: number, mobile: number, cell: number, telephone: number })
    expect([most.people.length, most.isOdd]).toEqual([16, false])
    const tooMany = await at(names, Object.fromEntries(names.map((name) => [name, number])))
    expect([tooMany.people, tooMany.isOdd, tooMany.isSure]).toEqual([[names.map(() => "#,;~")], false, true])
  })

  it("is forgotten at what the fields of the form make of it, and at nothing that another name counts at", {
    tags: ["threat:V6-06"],
  }, async () => {
    const readAt = async (credentials: object, who: string | string[], more: object = {}) => {
      const { settings } = await stage({ ...passwordProvider(), credentials, ...more })()
      return readingsOf(settings, who).map((person) => person.join(" & "))
    }
    const uuid = "7d444840-9dc0-11d1-b245-5ffdce74fad2"
    expect(await readAt({ phone: {} }, "555-1234 ext. 1")).toEqual(["555-1234 ext. 1", "55512341", "5551234"])
    expect(await readAt({ username: {} }, "eve5551234")).toEqual(["eve5551234"])
    expect(await readAt({ username: {}, phone: {} }, "eve5551234")).toEqual(["eve5551234"])
    expect(await readAt({ username: {}, phone: {} }, "555-1234")).toEqual(["555-1234", "5551234"])
    expect(await readAt({ username: {} }, "zhang123@163.com")).toEqual(["zhang123@163.com"])
    expect(await readAt({ username: {} }, uuid)).toEqual([uuid, uuid.replaceAll("-", "")])
    expect(await readAt({ username: {}, clave: {} }, "ada")).toEqual(["ada"])
    expect(await readAt({ phone: {} }, "4930123456#7")).toEqual(["4930123456#7"])
    const both = { accountField: ["tenant", "phone"] }
    expect(await readAt({}, ["acme-2024001", "+49-30-123456"], both)).toEqual([
      "acme-2024001 & +49-30-123456",
      "acme-2024001 & 4930123456",
    ])
    expect(await readAt({}, "acme", both)).toEqual(["acme"])
    const unlisted = { credentials: undefined }
    expect(await readAt({}, "555-1234", unlisted)).toEqual(["555-1234", "5551234"])
  })

  it("is read in a few steps, however many numbers a name has", { tags: ["threat:AL-01"] }, async () => {
    const normalize = vi.spyOn(String.prototype, "normalize")
    const stepsFor = async (phone: string): Promise<number> => {
      normalize.mockClear()
      await readOf({ phone: {} }, { phone })
      return normalize.mock.calls.length
    }
    expect(await stepsFor("١٢٣٤٥٦x".repeat(35))).toBeLessThan(10)
    expect(await stepsFor("١٢٣٤٥٦x".repeat(100))).toBe(0)
    normalize.mockRestore()
  })

  it("is counted with its odd fellow, and not certain", async () => {
    const { isOdd, isCertain } = await readOf({ email: {}, phone: {} }, { email: "ada@app.test", phone: [] })
    expect([isOdd, isCertain]).toEqual([true, false])
  })

  it("is not sure where a field beside it was sent that says nobody", async () => {
    const sent = [{ phone: "+1" }, { phone: "undefined" }, { phone: "" }]
    const read = sent.map((more) => readOf({ email: {}, phone: {} }, { email: "ada@app.test", ...more }))
    expect((await Promise.all(read)).map(({ isCertain, isSure }) => [isCertain, isSure])).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ])
  })

  it("is spelled alike however places that are not listed stand in the form", async () => {
    const given = { email: {}, password: {} }
    const spell = async (form: object) => (await readOf(given, { email: "ada@app.test", ...form })).written
    const [one, other] = await Promise.all([spell({ tenant: "a", branch: "b" }), spell({ branch: "b", tenant: "a" })])
    expect(one).toBe(other)
    expect(one).not.toBe(await spell({ tenant: "b", branch: "a" }))
    expect(one).not.toBe(await spell({ tenant: "a" }))
    expect(await spell({ branch: "a" })).not.toBe(await spell({ tenant: "a" }))
    expect(await spell({ kennung: "a" })).toBe(await spell({}))
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`kennung-${index}`, "a"]))
    expect(await spell({ ...many, tenant: "a" })).not.toBe(await spell({ ...many, tenant: "b" }))
  })

  it.each<[object, boolean]>([
    [{ email: "ada@app.test", password: "x", csrfToken: "t", callbackUrl: "/", rememberMe: "on", totp: "1" }, true],
    [{ email: "ada@app.test", tenant: "acme" }, true],
    [{ email: "ada@app.test", username: "" }, true],
    [{ email: "ada@app.test", username: "eve" }, false],
    [{ email: "ada@app.test", inviteCode: "eve" }, false],
    [{ email: "ada@app.test", displayName: "eve" }, false],
    [{ email: "ada@app.test", kennung: "eve" }, false],
    [
      Object.fromEntries(
        ["email", ...Array.from({ length: 50 }, (_, n) => `${"h".repeat(n)}token`)].map((n) => [n, "x"]),
      ),
      false,
    ],
  ])(
    "is sure where nothing else that was sent may say who it is: %j",
    { tags: ["threat:V6-06"] },
    async (form, isSure) => {
      expect((await readOf({ email: {}, tenant: {}, password: {} }, form)).isSure).toBe(isSure)
    },
  )

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
