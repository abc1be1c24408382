import { describe, expect, it } from "vitest"
import { type Html, html, rawHtml, renderHtml } from "./html.js"

const injections = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onfocus=alert(1) autofocus x='",
  "</title><svg/onload=alert(1)>",
  "<!--<script>",
  "--!>",
  "<base href=//evil.test>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
]

describe("html", () => {
  it.each(injections)(
    "leaves no mark-up of %j alive",
    {
      tags: [
        "threat:HT-01",
        "threat:HT-02",
        "threat:HT-03",
        "threat:HT-04",
        "threat:HT-11",
        "threat:HT-15",
        "threat:HT-19",
      ],
    },
    (text) => {
      const inside = renderHtml(html`<p title="${text}">${text}</p>`).slice('<p title="'.length, -"</p>".length)
      expect(inside.replace('">', "")).not.toMatch(/[<>"']/)
    },
  )

  it("shows an entity literally, decoded by nobody", { tags: ["threat:HT-12"] }, () => {
    expect(renderHtml(html`${"&lt;script&gt;"}`)).toBe("&amp;lt;script&amp;gt;")
  })

  it("leaves template marks of other languages text", { tags: ["threat:HT-10", "threat:HT-20"] }, () => {
    expect(renderHtml(html`${"{{constructor}} +ADw-script+AD4-"}`)).toBe("{{constructor}} +ADw-script+AD4-")
  })

  it("nests pieces and lists without escaping them twice", () => {
    const items = ["a&b", "<c>"].map((item) => html`<li>${item}</li>`)
    expect(renderHtml(html`<ul>${items}</ul>`)).toBe("<ul><li>a&amp;b</li><li>&lt;c&gt;</li></ul>")
  })

  it.each([
    [null, ""],
    [undefined, ""],
    [false, ""],
    [true, ""],
    [0, "0"],
    ["", ""],
    [[], ""],
    [["<", [">", 1]], "&lt;&gt;1"],
  ])("renders %j as %j", (value, expected) => {
    expect(renderHtml(html`${value as string}`)).toBe(expected)
  })

  it("escapes the text of an object of another type", () => {
    const forged = { toString: () => "<b>" }
    expect(renderHtml(html`${forged as unknown as string}`)).toBe("&lt;b&gt;")
    expect(() => renderHtml({} as Html)).toThrow(TypeError)
  })

  it("takes trusted text as it is", () => {
    expect(renderHtml(html`<style>${rawHtml("a>b{}")}</style>`)).toBe("<style>a>b{}</style>")
  })
})
