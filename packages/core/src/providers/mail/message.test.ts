/** The mail: its contents, and that nothing inserted becomes markup. */
import { describe, expect, it } from "vitest"
import { hostileTexts, tagsOf } from "../../../test/pages/corpus.js"
import { createWording } from "../../texts/wording.js"
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
    expect(text).toMatch(/until July 22, 2026 at 1:00\sPM UTC/)
    expect(html).toMatch(/until July 22, 2026 at 1:00\sPM UTC/)
    expect(signInMessage({ url }).text).toContain("It works once.")
  })

  it("says why it came, with which browser it was asked for, and that there is nothing to do if it was somebody else", () => {
    const headers = new Headers({
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    })
    for (const part of [
      signInMessage({ url, request: { headers } }).text,
      signInMessage({ url, request: { headers } }).html,
    ]) {
      expect(part).toContain("because somebody entered your address at app.test to sign in, with Firefox on Linux.")
      expect(part).toContain("If it was not you, you need not do anything")
    }
    expect(signInMessage({ url }).text).toContain("at app.test to sign in.\n")
  })

  it("calls the application by its name, on one line", { tags: ["threat:A-175"] }, () => {
    const { subject, html } = signInMessage({ url, theme: { name: "Acme\r\nBcc: all@app.test" } })
    expect(subject).toBe("Sign in to Acme Bcc: all@app.test")
    expect(html).toContain("<title>Sign in to Acme Bcc: all@app.test</title>")
    expect(signInMessage({ url, theme: { name: "<b>Acme</b>" } }).html).toContain("&lt;b&gt;Acme&lt;/b&gt;")
  })

  it("is in the language of its texts, written in their direction", () => {
    const wording = createWording({ lang: "ar", texts: { "mail.button": "دخول" } })
    const { html } = signInMessage({ url, wording })
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toContain(">دخول</a>")
  })

  it("loads nothing, so that no preview tells anybody that it was opened", () => {
    const { html } = signInMessage({ url, theme: { logo: "https://app.test/logo.png" } })
    expect(html).not.toMatch(/<img|<link|url\(|@import|src=|background="/)
    // The link twice, and once as text.
    expect(html.match(/https?:/g)).toHaveLength(3)
  })

  it.each([
    ["#ffe066", "#000000"],
    ["#fe6", "#000000"],
    ["#1b2a6b", "#ffffff"],
    ["rebeccapurple", "#ffffff"],
  ])("writes on a button of the colour %s in %s", (brandColor, onBrand) => {
    expect(signInMessage({ url, theme: { brandColor } }).html).toContain(`;color:${onBrand};font-size:16px`)
  })

  it("escapes what a link holds", {
    tags: ["threat:HT-01", "threat:HT-02", "threat:HT-03", "threat:HT-18", "threat:HT-32", "threat:A-013"],
  }, () => {
    const hostile = `https://app.test/auth/callback/mail?token='"><script>alert(1)</script><style>@import '//evil.test'</style>`
    const { html } = signInMessage({ url: hostile })
    expect(html).not.toMatch(/<script|@import '|"><s/)
    expect(html.match(/<style/g)).toHaveLength(1)
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

  it.each([
    ["auto", "light dark"],
    ["light", "light"],
    ["dark", "dark"],
    ['x" onload="alert(1)', "light dark"],
  ])("knows the colour scheme %s", { tags: ["threat:HT-34"] }, (colorScheme, content) => {
    const { html } = signInMessage({ url, theme: { colorScheme: colorScheme as "auto" } })
    expect(html).toContain(`<meta name="color-scheme" content="${content}">`)
    expect(html.includes("background:#14171c;font")).toBe(colorScheme === "dark")
    expect(html.includes("prefers-color-scheme:dark")).toBe(content === "light dark")
  })

  it("shows hostile text as text, wherever it comes from, beside one link", {
    tags: ["threat:A-013", "threat:A-109"],
  }, () => {
    const usual = new Set(tagsOf(signInMessage({ url, theme: { name: "x" } }).html).map(({ name }) => name))
    for (const [id, text] of hostileTexts) {
      const link = new URL("https://app.test/auth/callback/mail?token=t")
      link.searchParams.set("callbackUrl", text)
      const theme = { name: text, brandColor: text, buttonText: text, logo: text }
      const message = signInMessage({ url: link.href, theme, request: { headers: new Headers({ "user-agent": "x" }) } })
      const tags = tagsOf(message.html)
      expect(
        tags.filter(({ name }) => !usual.has(name)),
        id,
      ).toEqual([])
      expect(
        tags.flatMap(({ attributes }) => [...attributes.keys()].filter((name) => name.startsWith("on"))),
        id,
      ).toEqual([])
      const links = tags.flatMap(({ attributes }) => attributes.get("href") ?? [])
      expect([...new Set(links.map((href) => new URL(href.replaceAll("&amp;", "&")).href))], id).toEqual([link.href])
      expect(
        message.text.match(/https?:\/\/\S+/g)?.filter((found) => found.includes("app.test")),
        id,
      ).toEqual([link.href])
      expect(message.subject, id).not.toMatch(/[\r\n]/)
    }
  })

  it("takes nothing but text", { tags: ["threat:A-178"] }, () => {
    const hostile = { path: "/etc/passwd" } as unknown as string
    expect(signInMessage({ url, theme: { logo: hostile, brandColor: hostile } }).html).toBe(signInMessage({ url }).html)
  })
})
