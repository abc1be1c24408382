/** The mail: its contents, and that nothing inserted becomes markup. */
import { describe, expect, it } from "vitest"
import { signInMessage } from "./message.js"

const url =
  "https://app.test/auth/callback/mail?callbackUrl=https%3A%2F%2Fapp.test%2F%3Fa%3D1%26b%3D2&token=t&email=a%40b.test"
const expires = new Date("2026-07-22T13:00:00Z")

/** Attribute values and texts of the HTML, decoded once as a mail program does. */
const decoded = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

describe("signInMessage", () => {
  it("holds the link in both parts, whole", { tags: ["threat:HT-32", "threat:HT-33", "threat:FM-09"] }, () => {
    const { subject, text, html } = signInMessage({ url, expires })
    expect(subject).toBe("Sign in to app.test")
    expect(text.split("\n")).toContain(url)
    expect(decoded(html).split(`href="${url}"`)).toHaveLength(3)
    expect(html).not.toContain(url)
  })

  it("says when the link expires", () => {
    const { text, html } = signInMessage({ url, expires })
    expect(text).toContain("until 2026-07-22 13:00 UTC")
    expect(html).toContain("until 2026-07-22 13:00 UTC")
    expect(signInMessage({ url }).text).toContain("It works once.")
  })

  it("escapes what a link holds", {
    tags: ["threat:HT-01", "threat:HT-02", "threat:HT-03", "threat:HT-18", "threat:A-013"],
  }, () => {
    const hostile = `https://app.test/auth/callback/mail?token='"><script>alert(1)</script><style>@import '//evil.test'</style>`
    const { html } = signInMessage({ url: hostile })
    expect(html).not.toMatch(/<script|<style|@import '|"><s/)
    expect(decoded(html)).toContain(hostile)
  })

  it.each([
    ["HT-05", "</style><script>alert(1)</script>"],
    ["HT-06", "red;} body{background:url(//evil.test)}"],
    ["HT-06", "url(//evil.test)"],
    ["HT-06", "red;position:fixed"],
    ["HT-02", '"><img src=x onerror=alert(1)>'],
    ["own", "expression(alert(1))"],
  ])("[%s] drops an invalid colour: %s", (_, brandColor) => {
    const { html } = signInMessage({ url, theme: { brandColor, buttonText: brandColor } })
    expect(html).toBe(signInMessage({ url }).html)
  })

  it.each([
    "#abc",
    "#AABBCC",
    "#aabbccdd",
    "rebeccapurple",
    "rgb(1, 2, 3)",
    "rgba(1 2 3 / 50%)",
    "hsl(120deg 50% 50%)",
  ])("takes the colour %s [spec theme brandColor]", (brandColor) => {
    expect(signInMessage({ url, theme: { brandColor } }).html).toContain(`background:${brandColor};`)
    expect(signInMessage({ url, theme: { buttonText: brandColor } }).html).toContain(`;color:${brandColor};`)
  })

  it.each([
    ["HT-07", "javascript:alert(1)"],
    ["HT-08", "data:text/html;base64,PHNjcmlwdD4="],
    ["HT-09", "//evil.test/x.png"],
    ["own", "http://app.test/logo.png"],
    ["own", "logo.png"],
  ])("[%s] shows no picture from %s", (_, logo) => {
    expect(signInMessage({ url, theme: { logo } }).html).not.toContain("<img")
  })

  it("shows the logo of the theme", () => {
    expect(signInMessage({ url, theme: { logo: "https://app.test/logo.png" } }).html).toContain(
      '<img src="https://app.test/logo.png" alt=""',
    )
  })

  it.each([
    ["auto", "light dark"],
    ["light", "light"],
    ["dark", "dark"],
    ['x" onload="alert(1)', "light dark"],
  ])("knows the colour scheme %s", { tags: ["threat:HT-34"] }, (colorScheme, content) => {
    const { html } = signInMessage({ url, theme: { colorScheme: colorScheme as "auto" } })
    expect(html).toContain(`<meta name="color-scheme" content="${content}">`)
    expect(html.includes("#14171c")).toBe(colorScheme === "dark")
  })

  it("takes nothing but text", { tags: ["threat:A-178"] }, () => {
    const hostile = { path: "/etc/passwd" } as unknown as string
    expect(signInMessage({ url, theme: { logo: hostile, brandColor: hostile } }).html).toBe(signInMessage({ url }).html)
  })
})
