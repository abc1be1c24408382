/** The corpus of e-mail addresses: valid ones, and strings that only look like one. */

import { describe, expect, it, vi } from "vitest"
import { quickest } from "../../test/support/quickest.js"
import { EmailAddressRefused } from "../errors.js"
import { foldsIntoOthers, isOneAddress, mailboxOf, normalizeAddress } from "./email-address.js"

/** 254 characters, as many as fit into a path (RFC 5321 §4.5.3.1.3 with its brackets). */
const longest = `${"a".repeat(64)}@${"b".repeat(63)}.${"b".repeat(63)}.${"b".repeat(56)}.test`

describe("normalizeAddress takes one usual address", () => {
  it.each([
    ["EM-001", "User@Example.TEST", "user@example.test"],
    ["EM-002", "  user@example.test  ", "user@example.test"],
    ["EM-003", "a.b+c@example.test", "a.b+c@example.test"],
    ["EM-004", "user@sub.example.test", "user@sub.example.test"],
    ["EM-005", "o'neil@example.test", "o'neil@example.test"],
    ["EM-006", "user@xn--exmple-cua.test", "user@xn--exmple-cua.test"],
    ["EM-082", "xn--0@victim.test", "xn--0@victim.test"],
    ["EM-094", "v_@victim.test", "v_@victim.test"],
    ["own", "a@b.co", "a@b.co"],
    ["own", "a@b.1-1.test", "a@b.1-1.test"],
    ["own", longest, longest],
    ["own", " ".repeat(512 - longest.length) + longest, longest],
    ["own", `${"a".repeat(64)}@victim.test`, `${"a".repeat(64)}@victim.test`],
  ])("[%s] %j -> %j", (_, typed, address) => {
    expect(normalizeAddress(typed)).toBe(address)
  })
})

// biome-ignore format: a table, each address stays on one line
const refused: readonly (readonly [string, string])[] = [
  ["EM-007", ""],
  ["EM-008", "@"],
  ["EM-009", "user"],
  ["EM-010", "user@"],
  ["EM-011", "@example.test"],
  ["EM-012", "user@@example.test"],
  ["EM-013", "a@b@example.test"],
  ["EM-013", "x@evil.test@victim.test"],
  ["EM-014", "x@evil.test,v@victim.test"],
  ["EM-015", "v@victim.test,evil.test"],
  ["EM-016", "x@evil.test;v@victim.test"],
  ["EM-017", "x@evil.test v@victim.test"],
  ["EM-018", "x@evil.test\nv@victim.test"],
  ["EM-019, A-175", "x@evil.test\r\nBcc: v@victim.test"],
  ["EM-020", "x@evil.test%0d%0aBcc:v@victim.test"],
  ["EM-021", "v@victim.test\u0000@evil.test"],
  ["EM-022", "v@victim.test\u0000"],
  ["EM-023", "\tv@victim.test\u000b"],
  ["EM-024, A-006", '"x@evil.test"@victim.test'],
  ["EM-025, A-173", '"x@evil.test y"@victim.test'],
  ["EM-026", '""@victim.test'],
  ["EM-027", '"a b"@victim.test'],
  ["EM-028", '"a\\"b"@victim.test'],
  ["EM-029", "'x@evil.test'@victim.test"],
  ["EM-030", "Victim <x@evil.test>"],
  ["EM-031", "<x@evil.test>"],
  ["EM-032", "v@victim.test <x@evil.test>"],
  ["EM-033", "<x@evil.test>v@victim.test"],
  ["EM-034", "x@evil.test>v@victim.test"],
  ["EM-035", "group: x@evil.test, v@victim.test;"],
  ["EM-036", "v@victim.test(x@evil.test)"],
  ["EM-037", "(c)v@victim.test"],
  ["EM-038", "v(c)@victim.test"],
  ["EM-039", "x@[127.0.0.1]"],
  ["EM-040", "x@[IPv6:::1]"],
  ["EM-041", "x@127.0.0.1"],
  ["EM-042", "x@localhost"],
  ["EM-043", "x\uff20evil.test"],
  ["EM-044, A-001", "x@evil.test\uff20victim.test"],
  ["EM-045, A-001", "x@evil.test\ufe6bvictim.test"],
  ["EM-046", "v@victim\u3002test"],
  ["EM-047", "v@victim\uff0etest"],
  ["EM-048", "v@vict\u0131m.test"],
  ["EM-049", "v@\u212aelvin.test"],
  ["EM-050", "\u017fupport@victim.test"],
  ["EM-051", "V\u0130P@victim.test"],
  ["EM-052", "v\u00edctim@victim.test"],
  ["EM-053", "v@v\u0456ctim.test"],
  ["EM-054", "\u0430dmin@victim.test"],
  ["EM-055", "admin\u200b@victim.test"],
  ["EM-056", "admin\u00ad@victim.test"],
  ["EM-057", "\u202eadmin@victim.test"],
  ["EM-058", "admin@victim.test\ufeff"],
  ["EM-059", "\ud800@victim.test"],
  ["EM-060", "stra\u00dfe@victim.test"],
  ["EM-061", "\ufb01x@victim.test"],
  ["EM-062, A-174", "-oQ/tmp@victim.test"],
  ["EM-062, A-174", "-X/tmp/a@victim.test"],
  ["EM-063", "--help@victim.test"],
  ["EM-064", "a..b@victim.test"],
  ["EM-065", ".a@victim.test"],
  ["EM-066", "a.@victim.test"],
  ["EM-067", "a@.victim.test"],
  ["EM-068", "a@victim..test"],
  ["EM-069", "a@victim.test."],
  ["EM-070", "a@-victim.test"],
  ["EM-071", "a@vic_tim.test"],
  ["EM-072", "a@victim"],
  ["EM-073", "a@victim.test/path"],
  ["EM-074", "a@victim.test?x=1"],
  ["EM-075", "a@victim.test&email=x@evil.test"],
  ["EM-076", "a%40evil.test@victim.test"],
  ["EM-077", "a!b@victim.test"],
  ["EM-078", "a%b@victim.test"],
  ["EM-079", "@evil.test:v@victim.test"],
  ["EM-080", "=?utf-8?q?x=40evil.test=3e=00?=v@victim.test"],
  ["EM-081", "=?x?q?=40?=@victim.test"],
  ["EM-083", "x@xn--foo@evil-8x0b.test"],
  ["EM-084", "x@xn--.test"],
  ["EM-084", "x@xn--a-ecp.ru-0.xn--0.test"],
  ["EM-085", "x\u0140evil.test@victim.test"],
  ["EM-086", "x@evil.test\u3940victim.test"],
  ["EM-087", "x@evil.test\u010d\u010aBcc"],
  ["EM-088", "javascript:alert(1)@victim.test"],
  ["EM-089", "<svg/onload=1>@victim.test"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this string is an attack on templates and must not become one
  ["EM-090", "${7*7}@victim.test"],
  ["EM-091", "{{7*7}}@victim.test"],
  ["EM-092", "' OR 1=1--@victim.test"],
  ["EM-093", "v%@victim.test"],
  ["EM-095", `${"a".repeat(65)}@victim.test`],
  ["EM-096", `a@${"b".repeat(250)}.test`],
  ["EM-096", `a@${"bbbbbbbbb.".repeat(25)}test`],
  ["own", `${longest}a`],
  ["own", " ".repeat(513 - longest.length) + longest],
  ["own", "vic tim@victim.test"],
  ["own", "victim@vic tim.test"],
  ["own", "a@b.c.1-1"],
  ["A-013", 'v@victim.test, <a href="https://evil.test">Prize</a>'],
]

describe("normalizeAddress refuses the whole of anything else", () => {
  it.each(refused)("[%s] %j", (_, typed) => {
    expect(() => normalizeAddress(typed)).toThrow(EmailAddressRefused)
  })

  it.each([
    [" ".repeat(513), "is too long"],
    [`${longest}a`, "is too long"],
    ["user", "needs one @ with text on both sides"],
    ["x\uff20evil.test", "holds characters that only look like others"],
    ["a..b@victim.test", "has an unusual part before the @"],
    ["a@victim", "has no usual domain"],
  ])("says what is wrong with %j", (typed, why) => {
    expect(() => normalizeAddress(typed)).toThrow(`What was typed is not one e-mail address: it ${why}.`)
  })

  it("does so without repeating the input", () => {
    expect(() => normalizeAddress("secret text@")).not.toThrow(/secret/)
  })

  it.each([
    ["EM-102, A-179", "(".repeat(100_000)],
    ["A-179", "<".repeat(100_000)],
    ["AL-18", "\ufdfa".repeat(100_000)],
    ["AL-18", `${"\ufdfa".repeat(20)}@victim.test`],
    ["AL-01", `${"a.".repeat(25_000)}@`],
    ["AL-01", `a${" ".repeat(50_000)}b@victim.test`],
  ])("[%s] does so quickly for very long input", async (_, typed) => {
    const time = await quickest(() => {
      for (let round = 0; round < 20; round++) expect(() => normalizeAddress(typed)).toThrow(EmailAddressRefused)
    })
    expect(time / 20).toBeLessThan(1)
  })
})

describe("foldsIntoOthers", () => {
  it("normalises no long text, and takes it for text that folds", { tags: ["threat:AL-18"] }, () => {
    const normalize = vi.spyOn(String.prototype, "normalize")
    expect(["a", "a".repeat(512), "a".repeat(513), "\u0301\u0323".repeat(100_000)].map(foldsIntoOthers)).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(normalize).toHaveBeenCalledTimes(2)
    normalize.mockRestore()
  })
})

describe("isOneAddress checks what a normaliser of the application returned", { tags: ["threat:EM-103"] }, () => {
  it.each([
    "user@example.test",
    "User@Example.test",
    "us\u00e9r@example.test",
    "x@localhost",
    "a!b@example.test",
    longest,
  ])("takes %j", (address) => {
    expect(isOneAddress(address)).toBe(true)
  })

  it.each([
    undefined,
    null,
    7,
    "",
    "@",
    "user",
    "@x.test",
    "x@",
    ["x@evil.test"],
    { toString: (): string => "x@evil.test" },
    `${longest}a`,
    "x@evil.test,v@victim.test",
    "x@evil.test v@victim.test",
    "x@evil.test\r\nBcc:v",
    "x\u0000@evil.test",
    "x@evil.test\uff20victim.test",
    '"x"@victim.test',
    "<x@evil.test>",
    "\ud800@victim.test",
    `${"a".repeat(250)}@b.test`,
  ])("refuses %j", { tags: ["threat:PP-17"] }, (value) => {
    expect(isOneAddress(value)).toBe(false)
  })
})

describe("the mailbox that mails are counted at", () => {
  it.each([
    ["Jessica@App.Test", "jessica@app.test"],
    ["jessica@b\u00fccher.test", "jessica@xn--bcher-kva.test"],
    ["jessica@xn--bcher-kva.test", "jessica@xn--bcher-kva.test"],
    ["jessica@ma\ufe0fil.app.test", "jessica@mail.app.test"],
    // Mail software sends it as it is.
    ["jessica@m%61il\u00fc.app.test", "jessica@m%61il\u00fc.app.test"],
    ["jess\u00edca@app.test", "jess\u00edca@app.test"],
    ["jessica@xn--\u00fc.test", "jessica@xn--\u00fc.test"],
    ["no address", "no address"],
    ["no+address", "no+address"],
    ["jessica+1@app.test", "jessica@app.test"],
    ["Jessica+A+b@b\u00fccher.test", "jessica@xn--bcher-kva.test"],
    ["+1@app.test", "+1@app.test"],
    ["jes.sica@app+1.test", "jes.sica@app+1.test"],
  ])("of %j is %j", { tags: ["threat:V6-06"] }, (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox)
  })

  it.each(["\ufe00", "\ufe0f", "\u034f", "\u180b", "\u{e0101}", "\u3164", "\u115f", "\u3002"])(
    "is no other one by %j, which mail software does not see or reads as another",
    { tags: ["threat:A-173"] },
    (mark) => {
      for (const address of [`jessica@ma${mark}il.app.test`, `jess${mark}ica@app.test`])
        expect(isOneAddress(address)).toBe(false)
      expect(isOneAddress("jessica@app.test.")).toBe(false)
      expect(isOneAddress("jessica@b\u00fccher.test")).toBe(true)
    },
  )
})
