/** Texts with their values. */
import { describe, expect, it } from "vitest"
import { createWording, directionOf, english } from "./wording.js"

describe("a wording", () => {
  it("puts values in the place of names, also where a value looks like a name", () => {
    expect(english.text("signin.with", { provider: "{provider} & Co" })).toBe("Sign in with {provider} & Co")
    expect(english.text("device.both", { browser: "{system}", system: "Windows" })).toBe("{system} on Windows")
  })

  it("chooses the form of a number and writes the number as the language does", () => {
    expect([1, 2, 1000].map((count) => english.text("verify.againIn", { count }))).toEqual([
      "You can send it again in 1 second.",
      "You can send it again in 2 seconds.",
      "You can send it again in 1,000 seconds.",
    ])
    const polish = createWording({
      lang: "pl",
      texts: { "verify.againIn": { one: "{count} klucz", few: "{count} klucze", other: "{count} kluczy" } },
    })
    expect([1, 3, 5].map((count) => polish.text("verify.againIn", { count }))).toEqual([
      "1 klucz",
      "3 klucze",
      "5 kluczy",
    ])
  })

  it("takes a text of the application before a built-in one, and English where there is none", () => {
    const wording = createWording({ lang: "sv", texts: {}, own: { "signin.heading": "Logga in" } })
    expect(wording.text("signin.heading")).toBe("Logga in")
    expect(wording.text("signout.heading")).toBe("Sign out")
  })

  it("gives a text in pieces for pages", () => {
    expect(english.pieces("signout.questionNamed")).toEqual([
      { text: "You are signed in as " },
      { name: "name" },
      { text: ". Do you want to sign out?" },
    ])
  })

  it("writes dates as the language does, in UTC", () => {
    const date = new Date("2026-07-22T23:30:00Z")
    expect(english.day(date)).toBe("July 22, 2026")
    expect(createWording({ lang: "de", texts: {} }).day(date)).toBe("22. Juli 2026")
    expect(createWording({ lang: "de", texts: {} }).moment(date)).toBe("22. Juli 2026 um 23:30 UTC")
  })
})

it.each([
  ["en", "ltr"],
  ["ar", "rtl"],
  ["ar-EG", "rtl"],
  ["HE", "rtl"],
  ["arn", "ltr"],
])("writes %s from %s", (lang, dir) => {
  expect(directionOf(lang)).toBe(dir)
})
