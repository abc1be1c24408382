import { describe, expect, it } from "vitest"
import { renderHtml } from "../std/html.js"
import { providerMark, readLogo, readOwnPicture } from "./image.js"

const svg = "data:image/svg+xml,%3Csvg/%3E"

describe("a picture", () => {
  it.each([
    [svg, "data:", "data:"],
    ["data:image/png;base64,AAAA", "data:", "data:"],
    ["DATA:IMAGE/WEBP;base64,AA", "data:", "data:"],
    ["/logo.svg", "'self'", "'self'"],
    ["https://cdn.test/l.svg", undefined, "https://cdn.test"],
    ["http://localhost:3000/l.svg", undefined, "http://localhost:3000"],
    ["//cdn.test:8443/l.svg", undefined, "cdn.test:8443"],
    ["javascript:alert(1)", undefined, undefined],
    ["data:text/html;base64,PHNjcmlwdD4=", undefined, undefined],
    ["data:image/svg", undefined, undefined],
    ["/\\evil.test/x.png", undefined, undefined],
    ["logo.svg", undefined, undefined],
    ["https://user:secret@cdn.test/l.svg", undefined, undefined],
    ["https://:secret@cdn.test/l.svg", undefined, undefined],
    ["https://a;sandbox/l.svg", undefined, undefined],
    ["https://a'/l.svg", undefined, undefined],
    ["https://[::1]/l.svg", undefined, undefined],
    ["file:///etc/passwd", undefined, undefined],
    [undefined, undefined, undefined],
    [7, undefined, undefined],
  ])("at %j: a provider may %j, the theme %j [HT-07] [HT-08] [HT-09] [A-105]", (address, own, logo) => {
    expect(readOwnPicture(address)?.source).toBe(own)
    expect(readLogo(address)?.source).toBe(logo)
  })
})

describe("a provider's mark", () => {
  const markOf = (style: object, name = "Acme"): string => renderHtml(providerMark({ id: "acme", name, style }).html)

  it("is its logo where that needs no other host [spec shape button-style]", () => {
    expect(markOf({ logo: svg })).toBe(`<img class="mark" src="${svg}" alt="">`)
    expect(providerMark({ id: "a", name: "A", style: { logo: "/a.svg" } }).source).toBe("'self'")
  })

  it("is its initial on its colour otherwise, and no other host is asked", () => {
    const mark = providerMark({
      id: "a",
      name: "Acme",
      style: { logo: "https://cdn.test/a.svg", brandColor: "#123456" },
    })
    expect(mark.source).toBeUndefined()
    expect(renderHtml(mark.html)).toContain(' color="#123456"')
    expect(renderHtml(mark.html)).toContain(">A</text>")
  })

  it("takes the older name of the colour, and none that is no colour", () => {
    expect(markOf({ bg: "teal" })).toContain(' color="teal"')
    expect(markOf({ brandColor: 'x" onload="y' })).not.toContain("color=")
  })

  it.each([
    ["élan", "É"],
    ["42 School", "4"],
    ["  spaced", "S"],
    ["𝔸lpha", "𝔸"],
    ["", "A"],
  ])("of %j begins with %j", (name, initial) => {
    expect(markOf({}, name)).toContain(`>${initial}</text>`)
  })
})
