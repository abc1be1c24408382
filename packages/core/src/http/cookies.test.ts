import { describe, expect, it } from "vitest"
import { settingsOf } from "../../test/support/facts.js"
import type { Cookie, CookieAttributes } from "../types/config.js"
import { concreteCookies, fitsCookies, fitsOneCookie, reasonNotSent, sessionChunks, wholeNameOf } from "./cookies.js"
import { toSetCookie } from "./outgoing.js"
import type { CookieChange } from "./result.js"

const { plain, secure } = settingsOf().cookies
const name = plain.sessionToken.name
const jar = (record: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(record))
const concrete = (changes: readonly CookieChange[], received: Record<string, string> = {}) =>
  concreteCookies(changes, { cookies: plain, incoming: { cookies: jar(received) } })
const shape = (changes: readonly CookieChange[], received: Record<string, string> = {}): string[] =>
  concrete(changes, received).map(
    (cookie) => `${cookie.name}=${cookie.options.maxAge === 0 ? "CLEAR" : cookie.value.length}`,
  )

describe("sessionChunks", () => {
  it.each([
    ["a single cookie", { [name]: "abc" }, "abc", [name], "CK-19"],
    [
      "chunks in any order",
      { [`${name}.2`]: "c", [`${name}.0`]: "a", [`${name}.1`]: "b" },
      "abc",
      [`${name}.2`, `${name}.0`, `${name}.1`],
      "CK-16",
    ],
    ["a single chunk", { [`${name}.0`]: "abc" }, "abc", [`${name}.0`], "CK-16"],
    ["a gap", { [`${name}.0`]: "a", [`${name}.2`]: "c" }, undefined, [`${name}.0`, `${name}.2`], "CK-17"],
    ["a missing beginning", { [`${name}.1`]: "b" }, undefined, [`${name}.1`], "CK-17"],
    ["a whole one beside chunks", { [`${name}.0`]: "x", [name]: "abc" }, "abc", [`${name}.0`, name], "CK-19"],
    ["an empty remnant", { [name]: "" }, undefined, [], "CK-19"],
    ["a remnant beside chunks", { [name]: "", [`${name}.0`]: "a" }, "a", [`${name}.0`], "CK-18"],
    ["no cookie", { other: "x" }, undefined, [], "CK-14"],
    ["another scheme's twin", { [secure.sessionToken.name]: "abc" }, undefined, [], "CK-05"],
  ])("reads %s [%5$s]", (_what, received, value, names, _row) => {
    expect(sessionChunks(jar(received as Record<string, string>), name)).toEqual({ value, names })
  })

  it.each(["X", ".foo", ".01", ".-1", ".1e1", " .0", ".0.0", ".", ".+1", ".0x1", ".10000", ".00", ".1 ", ".1234567"])(
    "takes no cookie whose name ends in %j for a chunk",
    { tags: ["threat:CK-15"] },
    (suffix) => {
      expect(sessionChunks(jar({ [name + suffix]: "evil", [name]: "abc" }), name)).toEqual({
        value: "abc",
        names: [name],
      })
      expect(sessionChunks(jar({ [name + suffix]: "evil" }), name)).toEqual({ value: undefined, names: [] })
    },
  )

  it("puts the tenth chunk behind the ninth, and takes no eleventh", { tags: ["threat:CK-16", "threat:CK-21"] }, () => {
    const chunks = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`${name}.${9 - index}`, String(9 - index)]),
    )
    expect(sessionChunks(jar(chunks), name).value).toBe("0123456789")
    const more = sessionChunks(jar({ ...chunks, [`${name}.10`]: "x" }), name)
    expect([more.value, more.isTooLarge]).toEqual([undefined, true])
  })

  it.each(["012", "021", "102", "120", "201", "210"])(
    "joins three chunks that come as %s",
    {
      tags: ["threat:CK-16"],
    },
    (order) => {
      const chunks = Object.fromEntries([...order].map((index) => [`${name}.${index}`, index]))
      expect(sessionChunks(jar(chunks), name).value).toBe("012")
    },
  )

  it("refuses more chunks than a session has, and clears only some of them at once", { tags: ["threat:CK-21"] }, () => {
    const chunks = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${name}.${499 - index}`, "x".repeat(100)]),
    )
    const { value, names } = sessionChunks(jar({ ...chunks, [name]: "" }), name)
    expect(value).toBeUndefined()
    expect(names).toHaveLength(20)
    expect(names).toEqual(expect.arrayContaining(Array.from({ length: 10 }, (_, index) => `${name}.${index}`)))
    expect(sessionChunks(jar(chunks), name).isTooLarge).toBe(true)
    // The real cookie never hides behind them.
    expect(sessionChunks(jar({ ...chunks, [name]: "abc" }), name).names).toContain(name)
  })
})

describe("concreteCookies", () => {
  const expires = new Date("2026-04-01T00:00:00Z")

  it("gives each role its name and attributes [spec authentication 9]", {
    tags: ["threat:V3-04", "threat:V3-06"],
  }, () => {
    const [cookie] = concrete([{ role: "sessionToken", value: "abc", expires }])
    expect(toSetCookie(cookie as never)).toBe(
      "authjs.session-token=abc; Path=/; Expires=Wed, 01 Apr 2026 00:00:00 GMT; HttpOnly; SameSite=Lax",
    )
    const cookies = concreteCookies(
      [
        { role: "csrfToken", value: "a" },
        { role: "sessionToken", value: "b" },
      ],
      {
        cookies: secure,
        incoming: { cookies: new Map() },
      },
    )
    expect(cookies.map(toSetCookie)).toEqual([
      "__Host-authjs.csrf-token=a; Path=/; HttpOnly; Secure; SameSite=Lax",
      "__Secure-authjs.session-token=b; Path=/; HttpOnly; Secure; SameSite=Lax",
    ])
  })

  it("gives every cookie of an https address its prefix, Secure, HttpOnly and SameSite", {
    tags: ["threat:V3-03", "threat:V3-04", "threat:V3-06"],
  }, () => {
    const roles = Object.keys(secure) as (keyof typeof secure)[]
    expect(roles.length).toBeGreaterThan(6)
    for (const role of roles) {
      const [cookie] = concreteCookies([{ role, value: "abc" }] as CookieChange[], {
        cookies: secure,
        incoming: { cookies: new Map() },
      })
      const [pair = "", ...attributes] = toSetCookie(cookie as never).split("; ")
      expect(pair, role).toMatch(/^__(?:Host|Secure)-authjs\./)
      expect(attributes, role).toEqual(expect.arrayContaining(["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]))
    }
  })

  it("writes a cookie that has to survive a foreign form with the attributes browsers ask for", {
    tags: ["threat:CK-28", "threat:Q-06"],
  }, () => {
    const [cookie] = concrete([{ role: "state", value: "abc", crossSite: true, expires }])
    expect(cookie?.options).toMatchObject({ sameSite: "none", secure: true })
    expect(concrete([{ role: "state", value: "abc" }])[0]?.options).toMatchObject({ sameSite: "lax", secure: false })
  })

  it("gives an older flow its own slot", () => {
    expect(shape([{ role: "state", slot: "abcdefgh", value: "xyz" }])).toEqual(["authjs.state.abcdefgh=3"])
    const received = { "authjs.state.abcdefgh": "x", "authjs.state": "y" }
    expect(shape([{ role: "state", slot: "abcdefgh", clear: true }], received)).toEqual(["authjs.state.abcdefgh=CLEAR"])
  })

  it("clears with both attributes that end a cookie, and only what was received", { tags: ["threat:CK-27"] }, () => {
    const [cookie] = concrete([{ role: "state", clear: true }], { "authjs.state": "x" })
    expect(toSetCookie(cookie as never)).toBe(
      "authjs.state=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax",
    )
    expect(concrete([{ role: "state", clear: true }])).toEqual([])
  })

  it.each(["app.test", ".app.test", "evil.test", "test"])(
    "writes and clears with the domain %s as it is configured, and with what only some browsers know",
    { tags: ["threat:CK-25", "threat:CK-29"] },
    (domain) => {
      const options = { domain, secure: true, partitioned: true, priority: "high" } as CookieAttributes
      const { cookies } = settingsOf({ cookies: { sessionToken: { options } } })
      const incoming = { cookies: jar({ [cookies.secure.sessionToken.name]: "x" }) }
      for (const change of [{ value: "abc", expires }, { clear: true }] as const) {
        const written = concreteCookies([{ role: "sessionToken", ...change }], { cookies: cookies.secure, incoming })
        const [ofHost, ofDomain, ...more] = written.map((cookie) => toSetCookie(cookie).split("; "))
        expect(ofDomain).toEqual(expect.arrayContaining([`Domain=${domain}`, "Partitioned", "Priority=High", "Secure"]))
        expect(ofHost).toEqual(expect.arrayContaining(["Max-Age=0", "Partitioned", "Priority=High", "Secure"]))
        expect(ofHost?.join()).not.toContain("Domain")
        expect(more).toEqual([])
      }
    },
  )

  it("clears with the configured domain and path", { tags: ["threat:CK-25", "threat:CK-29"] }, () => {
    const { cookies } = settingsOf({
      cookies: {
        sessionToken: {
          options: { domain: "app.test", path: "/x", partitioned: true, priority: "high" } as CookieAttributes,
        },
      },
    })
    const [ofHost, cookie] = concreteCookies([{ role: "sessionToken", clear: true }], {
      cookies: cookies.plain,
      incoming: { cookies: jar({ [name]: "x" }) },
    })
    expect(cookie?.options).toMatchObject({ domain: "app.test", path: "/x", partitioned: true, priority: "high" })
    expect(ofHost?.options).toMatchObject({ path: "/x", partitioned: true, priority: "high" })
  })

  it("clears what the host has of its own wherever a session for the domain is set or cleared, part by part", {
    tags: ["threat:CK-25", "threat:CK-31"],
  }, () => {
    const { cookies } = settingsOf({
      cookies: { sessionToken: { options: { domain: "app.test" } }, state: { options: { domain: "app.test" } } },
    })
    const written = (changes: readonly CookieChange[], received: Record<string, string>): string[] =>
      concreteCookies(changes, { cookies: cookies.plain, incoming: { cookies: jar(received) } }).map((cookie) => {
        const what = cookie.options.maxAge === 0 ? "CLEAR" : cookie.value.length
        return `${cookie.name}=${what} ${cookie.options.domain ?? "host"}`
      })
    const long: CookieChange = { role: "sessionToken", value: "x".repeat(5000) }
    expect(written([long], { [name]: "a", [`${name}.1`]: "b" })).toEqual([
      `${name}=CLEAR host`,
      `${name}.1=CLEAR host`,
      `${name}=CLEAR app.test`,
      `${name}.1=1064 app.test`,
      `${name}.0=3936 app.test`,
    ])
    const again: CookieChange[] = [
      { role: "sessionToken", clear: true },
      { role: "sessionToken", value: "abc" },
    ]
    expect(written(again, { [name]: "a" })).toEqual([`${name}=CLEAR host`, `${name}=3 app.test`])
    // An empty one comes first as well, and would hide the session.
    expect(written([{ role: "sessionToken", value: "abc" }], { [name]: "" })).toEqual([
      `${name}=CLEAR host`,
      `${name}=3 app.test`,
    ])
    expect(written([{ role: "sessionToken", value: "abc" }], {})).toEqual([`${name}=3 app.test`])
    expect(written([{ role: "state", clear: true }], { "authjs.state": "x" })).toEqual(["authjs.state=CLEAR app.test"])
  })

  it.each([
    [3936, [`${name}=3936`]],
    [3937, [`${name}.0=3936`, `${name}.1=1`]],
    [3936 * 2, [`${name}.0=3936`, `${name}.1=3936`]],
    [3936 * 3 - 1, [`${name}.0=3936`, `${name}.1=3936`, `${name}.2=3935`]],
    [1, [`${name}=1`]],
    [0, []],
    [20 * 1024, [0, 1, 2, 3, 4].map((index) => `${name}.${index}=3936`).concat(`${name}.5=800`)],
  ])("splits a session of %d characters as Auth.js does", { tags: ["threat:V3-07"] }, (length, expected) => {
    for (const cookie of concrete([{ role: "sessionToken", value: "x".repeat(length), expires }]))
      expect(cookie.name.length + cookie.value.length).toBeLessThanOrEqual(4096)
    expect(shape([{ role: "sessionToken", value: "x".repeat(length), expires }])).toEqual(expected)
  })

  it("joins the chunks that it made", () => {
    const value = Array.from({ length: 20_000 }, (_, index) => "abcdefghij"[index % 10]).join("")
    const cookies = concrete([{ role: "sessionToken", value }])
    expect(sessionChunks(new Map(cookies.map((cookie) => [cookie.name, cookie.value])), name).value).toBe(value)
  })

  it("keeps each cookie below 4,096 bytes with the longest names and attributes", { tags: ["threat:CK-22"] }, () => {
    const { cookies } = settingsOf({
      cookies: {
        sessionToken: {
          name: `__Secure-${"n".repeat(200)}`,
          options: {
            domain: `${"d".repeat(60)}.test`,
            maxAge: 2_592_000,
            partitioned: true,
            priority: "medium",
            secure: true,
          },
        },
      },
    })
    const written = concreteCookies([{ role: "sessionToken", value: "x".repeat(30_000), expires }], {
      cookies: cookies.secure,
      incoming: { cookies: new Map() },
    })
    expect(written.length).toBeGreaterThan(7)
    for (const cookie of written) expect(toSetCookie(cookie).length).toBeLessThanOrEqual(4096)
    expect(written.map(({ value }) => value).join("")).toHaveLength(30_000)
  })

  it.each(["a", "ä", "😀"])(
    "fills each cookie with as many of %j as fit once they are encoded",
    {
      tags: ["threat:CK-22"],
    },
    (character) => {
      const cookies = concrete([{ role: "sessionToken", value: character.repeat(3000) }])
      const encoded = encodeURIComponent(character).length
      const lengths = cookies.map(({ value }) => encodeURIComponent(value).length)
      expect(lengths.slice(0, -1)).toEqual(lengths.slice(0, -1).map(() => Math.floor(3936 / encoded) * encoded))
      expect(cookies.map(({ value }) => value).join("")).toBe(character.repeat(3000))
    },
  )

  it("uses what long attributes leave of 4,096 bytes, and refuses a session where they leave nothing", {
    tags: ["threat:CK-22"],
  }, () => {
    const chunksAt = (length: number): readonly Cookie[] => {
      const options = { path: `/${"p".repeat(length)}` }
      const cookies = { ...plain, sessionToken: { name, options } }
      const received = { cookies: new Map<string, string>() }
      return concreteCookies([{ role: "sessionToken", value: "x".repeat(2500), expires }], {
        cookies,
        incoming: received,
      })
    }
    const [first] = chunksAt(3000)
    // What is counted is the longest name, which has two digits.
    expect(toSetCookie(first as Cookie).length).toBe(4095)
    const used = toSetCookie(first as Cookie).length - (first?.value.length ?? 0) + 1 - 3000
    expect(chunksAt(4096 - used - 250)[0]?.value).toHaveLength(250)
    for (const left of [0, -1]) expect(() => chunksAt(4096 - used - left)).toThrow(/leave no room/)
  })

  it("sets an empty value, and clears nothing but what ends at once", () => {
    expect(shape([{ role: "callbackUrl", value: "" }])).toEqual(["authjs.callback-url=0"])
    const options = { ...plain.state.options, maxAge: 0 }
    const around = { cookies: { ...plain, state: { ...plain.state, options } }, incoming: { cookies: new Map() } }
    expect(concreteCookies([{ role: "state", value: "abc" }], around)).toHaveLength(1)
    expect(concreteCookies([{ role: "state", value: "" }], around)).toEqual([])
  })

  it("counts the encoded length of a value, and splits no character", {
    tags: ["threat:CK-22"],
  }, () => {
    const value = '😀ä"x'.repeat(700)
    const cookies = concrete([{ role: "sessionToken", value, expires }])
    for (const cookie of cookies) expect(toSetCookie(cookie).length).toBeLessThanOrEqual(4096)
    expect(cookies.map((cookie) => cookie.value).join("")).toBe(value)
  })

  it("clears the chunks that a shorter session leaves behind, in the order received", {
    tags: ["threat:CK-18"],
  }, () => {
    const old = { [`${name}.1`]: "b", [`${name}.0`]: "a", [`${name}.2`]: "c" }
    expect(shape([{ role: "sessionToken", value: "abc" }], old)).toEqual([
      `${name}.1=CLEAR`,
      `${name}.0=CLEAR`,
      `${name}.2=CLEAR`,
      `${name}=3`,
    ])
    expect(shape([{ role: "sessionToken", value: "x".repeat(5000) }], { ...old, [name]: "z" })).toEqual([
      `${name}.1=1064`,
      `${name}.0=3936`,
      `${name}.2=CLEAR`,
      `${name}=CLEAR`,
    ])
  })

  it("clears all chunks of a session that ended, valid or not", { tags: ["threat:CK-37"] }, () => {
    const broken = { [`${name}.0`]: "a", [`${name}.7`]: "b", [`${name}.x`]: "other" }
    expect(shape([{ role: "sessionToken", clear: true }], broken)).toEqual([`${name}.0=CLEAR`, `${name}.7=CLEAR`])
  })

  it("writes each name once, with the last change", { tags: ["threat:CK-31"] }, () => {
    expect(
      shape(
        [
          { role: "csrfToken", value: "a" },
          { role: "state", value: "abc" },
          { role: "csrfToken", value: "bc" },
          { role: "state", clear: true },
        ],
        { "authjs.state": "x" },
      ),
    ).toEqual(["authjs.csrf-token=2", "authjs.state=CLEAR"])
    expect(
      shape([
        { role: "state", value: "abc" },
        { role: "state", clear: true },
      ]),
    ).toEqual([])
  })

  it("refuses a session that no browser would keep, whole", { tags: ["threat:CK-23"] }, () => {
    const value = "x".repeat(3936 * 10)
    expect(fitsCookies(value, plain.sessionToken)).toBe(true)
    expect(shape([{ role: "sessionToken", value }])).toHaveLength(10)
    expect(fitsCookies(`${value}x`, plain.sessionToken)).toBe(false)
    expect(() => concrete([{ role: "sessionToken", value: `${value}x` }])).toThrow(/larger than 10 cookies/)
  })
})

it("tells whether a value fits into one cookie of 4,096 bytes, with its name and attributes at their longest", {
  tags: ["threat:CK-22"],
}, () => {
  const option = { name: "challenge", options: { path: "/", httpOnly: true, maxAge: 900 } }
  const field = (value: string): string =>
    toSetCookie({ name: option.name, value, options: { ...option.options, expires: new Date(0) } })
  const most = 4096 - field("").length
  expect(field("x".repeat(most))).toHaveLength(4096)
  expect([most, most + 1].map((length) => fitsOneCookie("x".repeat(length), option))).toEqual([true, false])
})

it("tells the name of the whole cookie of which another may be a part", { tags: ["threat:CK-21"] }, () => {
  const names = [
    "session",
    "session.0",
    "session.12",
    "session.1234",
    "session.12345",
    "session.01",
    "session.1.x",
    "a.1.2",
  ]
  expect(names.map(wholeNameOf)).toEqual([
    "session",
    "session",
    "session",
    "session",
    "session.12345",
    "session.01",
    "session.1.x",
    "a.1",
  ])
})

describe("reasonNotSent", () => {
  const settings = (given: {
    fixedOrigin?: string
    useSecureCookies?: boolean
  }): Parameters<typeof reasonNotSent>[0] => {
    const { fixedOrigin, ...options } = given
    return { settings: { ...settingsOf(options), fixedOrigin } }
  }

  it.each([
    [{}, ""],
    [{ fixedOrigin: "https://app.test" }, ' (AUTH_URL is "https://app.test")'],
    [{ fixedOrigin: "http://app.test" }, ""],
    [{ fixedOrigin: "https://app.test", useSecureCookies: true }, " (`useSecureCookies` is true)"],
    [{ useSecureCookies: false }, ""],
  ])("says of a secure cookie why it is secure: %j", (given, reason) => {
    expect(reasonNotSent(settings(given), { secure: true })).toBe(
      `: browsers store and send it over https only${reason}, so the page has to be opened with https`,
    )
  })

  it.each([false, undefined])("says nothing of a cookie with `secure: %s`", (secure) => {
    expect(reasonNotSent(settings({ useSecureCookies: true }), { secure })).toBe("")
  })
})
