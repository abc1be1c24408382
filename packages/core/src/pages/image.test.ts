import { describe, expect, it } from "vitest"
import { renderHtml } from "../std/html.js"
import { providerMark, readLogo, readOwnPicture, readProviderLogo } from "./image.js"

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
  ])(
    "at %j: without another host %j, the theme %j, a provider by https",
    { tags: ["threat:HT-07", "threat:HT-08", "threat:HT-09", "threat:A-105"] },
    (address, own, logo) => {
      expect(readOwnPicture(address)?.source).toBe(own)
      expect(readLogo(address)?.source).toBe(logo)
      expect(readProviderLogo(address)?.source).toBe(own ?? (logo?.startsWith("https:") ? logo : undefined))
    },
  )
})

describe("a provider's mark", () => {
  const markOf = (style: object, name = "Acme"): string => renderHtml(providerMark({ id: "acme", name, style }).html)

  it.each([
    [svg, "data:"],
    ["/a.svg", "'self'"],
    ["https://cdn.test/a.svg", "https://cdn.test"],
  ])("is its logo at %j, and the policy lets in %j and no more [spec shape button-style]", (logo, source) => {
    expect(markOf({ logo })).toBe(`<img class="mark" src="${logo}" alt="">`)
    expect(providerMark({ id: "a", name: "A", style: { logo } }).source).toBe(source)
  })

  it("keeps its colour beside the logo", () => {
    const style = { logo: svg, brandColor: "#123456" }
    expect(providerMark({ id: "a", name: "A", style }).colour).toBe("#123456")
    expect(providerMark({ id: "a", name: "A", style: { logo: svg, brandColor: "red}x{" } }).colour).toBeUndefined()
  })

  it("is its initial on its colour where the logo cannot be shown, and no other host is asked", () => {
    const mark = providerMark({
      id: "a",
      name: "Acme",
      style: { logo: "http://cdn.test/a.svg", brandColor: "#123456" },
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
