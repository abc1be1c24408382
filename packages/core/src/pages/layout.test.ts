import { describe, expect, it } from "vitest"
import { entry, hostileTexts, inlineTextsOf, tagsOf } from "../../test/pages/corpus.js"
import { rawHtml, renderHtml } from "../std/html.js"
import { english } from "../texts/wording.js"
import type { Theme } from "../types/appearance.js"
import { confirmPage, verifyRequestPage } from "./email.js"
import { errorPage } from "./error.js"
import { formScript } from "./form-script.js"
import { layout, type PageParts, safeAddress } from "./layout.js"
import { passkeyScript } from "./passkey-script.js"
import { passkeysPage, passkeysStyle, removePasskeyPage, renamePasskeyPage } from "./passkeys.js"
import { signalScript } from "./signal-script.js"
import { signinPage } from "./signin.js"
import { signoutPage } from "./signout.js"
import { styleSheet, styleSheetHash } from "./style.js"
import { inlineText } from "./theme.js"

const wording = english
const ourScript = `<script>${passkeyScript.text}</script>`

type Render = (theme: Theme, text: string) => Promise<PageParts>

const ownStyles = (page: string): readonly string[] => (page === "passkeys" ? [passkeysStyle] : [])

const questionOf = (text: string) => ({
  passkey: { id: text, provider: text, name: text, isSynced: false },
  action: text,
  listUrl: text,
  csrfToken: text,
  returnTo: text,
})

/** Every page with the same text wherever a text from outside can stand. */
const pages: readonly (readonly [string, Render])[] = [
  [
    "signin",
    (theme, text) =>
      signinPage({
        theme,
        wording,
        providers: [
          entry(text, "oauth", { signinUrl: text, style: { logo: text, brandColor: text } }),
          entry(text, "email", { signinUrl: text }),
          entry(text, "credentials", {
            callbackUrl: text,
            fields: { [text]: { label: text, placeholder: text, type: text, [text]: text } },
          }),
          entry(text, "webauthn", { callbackUrl: text, optionsUrl: text, fields: { [text]: { value: text } } }),
        ],
        error: text,
        incident: text,
        email: text,
        csrfToken: text,
        returnTo: text,
        passkeyScript,
      }),
  ],
  [
    "passkeys",
    (theme, text) =>
      passkeysPage({
        theme,
        wording,
        passkeys: [
          { id: text, provider: text, name: text, keptBy: text, isSynced: true, renameUrl: text, removeUrl: text },
        ],
        adding: ["one", "two"].map(() => ({
          id: text,
          name: text,
          callbackUrl: text,
          optionsUrl: text,
          returnTo: text,
        })),
        signals: [{ rpId: text, userId: text, name: text, displayName: text, allAcceptedCredentialIds: [text] }],
        removed: text,
        csrfToken: text,
        homeUrl: text,
      }),
  ],
  ["rename-passkey", (theme, text) => renamePasskeyPage({ theme, wording, ...questionOf(text) })],
  ["remove-passkey", (theme, text) => removePasskeyPage({ theme, wording, ...questionOf(text), isLast: true })],
  ["signout", (theme, text) => signoutPage({ theme, wording, signoutUrl: text, csrfToken: text, returnTo: text })],
  [
    "error",
    (theme, text) => errorPage({ theme, wording, error: text, incident: text, homeUrl: text, signinUrl: text }),
  ],
  [
    "verify-request",
    (theme, text) =>
      verifyRequestPage({
        theme,
        wording,
        homeUrl: text,
        signinUrl: text,
        again: { action: text, csrfToken: text, returnTo: text },
      }),
  ],
  ["confirm", (theme, text) => confirmPage({ theme, wording, email: text, action: text })],
]

const usualTags = new Set(
  "html head meta title style body main div h1 p form input label button span svg rect circle path text noscript a bdi strong details summary ul li time".split(
    " ",
  ),
)

/** Holds the first drawing back until the page is there and its scripts have run: it leads nowhere. */
const drawnOnce = '<link rel="expect" href="#whole" blocking="render">'

describe("every page", () => {
  it.each(pages)(
    "%s is a whole document: charset, language, title, one heading",
    { tags: ["threat:HT-20"] },
    async (_, render) => {
      const text = renderHtml((await render({}, "x")).html)
      expect(text).toMatch(/^<!doctype html>\n<html lang="en" /)
      expect(text).toMatch(/<head>\n<meta charset="utf-8">/)
      expect(text.match(/<h1>/g)).toHaveLength(1)
      // The tab is called what the page is.
      expect(/<title>(.+)<\/title>/.exec(text)?.[1]).toBe(/<h1>(.+)<\/h1>/.exec(text)?.[1])
      expect(text).toContain('<main class="card">')
    },
  )

  it.each(pages)(
    "%s lists the hash of each inline element and no other, themed or not",
    { tags: ["threat:HT-35", "threat:HT-36", "threat:V3-10"] },
    async (page, render) => {
      for (const theme of [{}, { brandColor: "#123456", buttonText: "white" }]) {
        const parts = await render(theme, "x")
        const { styles, scripts } = inlineTextsOf(renderHtml(parts.html))
        const hashes = (texts: readonly string[]) =>
          Promise.all(texts.map(async (text) => (await inlineText(text)).hash))
        expect(styles).toHaveLength(("brandColor" in theme ? 2 : 1) + ownStyles(page).length)
        expect(parts.styleHashes).toEqual(await hashes(styles))
        expect(parts.scriptHashes).toEqual(await hashes(scripts))
        expect(parts.imageSources).toEqual([])
        // Nothing is loaded, from here or elsewhere.
        const text = renderHtml(parts.html).replace(drawnOnce, "")
        for (const { name, attributes } of tagsOf(text)) {
          expect(["link", "img", "iframe", "object", "embed", "base", "source"]).not.toContain(name)
          expect([...attributes.keys()]).not.toContain("src")
        }
        expect(styles.join("")).not.toMatch(/@import|url\(/)
      }
    },
  )

  it("has no script that sends messages to other windows, takes any, or runs text", { tags: ["threat:B9-36"] }, () => {
    const scripts = [passkeyScript, formScript, signalScript].map(({ text }) => text)
    for (const text of scripts)
      expect(text).not.toMatch(/postMessage|BroadcastChannel|onmessage|["']message["']|opener|\beval\b|Function\(/)
  })

  it.each(pages)(
    "%s shows hostile text as text",
    { tags: ["threat:A-109", "threat:A-158", "threat:A-172", "threat:V3-02", "threat:VX-02", "threat:HT-35"] },
    async (page, render) => {
      for (const [id, text] of hostileTexts) {
        const document = renderHtml(
          (
            await render(
              { name: `${text} app`, brandColor: text, buttonText: text, logo: text, colorScheme: text as "auto" },
              text,
            )
          ).html,
        )
        const scripts = page === "signin" ? [passkeyScript.text] : []
        expect(inlineTextsOf(document), id).toEqual({ styles: [styleSheet, ...ownStyles(page)], scripts })
        const rest = document.replace(styleSheet, "").replace(ourScript, "").replace(drawnOnce, "")
        const tags = tagsOf(rest)
        const strange = tags.filter(({ name }) => !usualTags.has(name))
        expect(strange, id).toEqual([])
        const attributes = tags.flatMap((tag) => [...tag.attributes.keys()])
        expect(
          attributes.filter((name) => /^on|^style$|[<>'"&]/.test(name)),
          id,
        ).toEqual([])
        expect(rest.match(/<(?!\/?[a-z0-9]+[\s>/]|!doctype)/i), id).toBeNull()
        expect(tags.find(({ name }) => name === "html")?.attributes.get("data-scheme"), `${id} [HT-34]`).toBe("auto")
      }
    },
  )

  it.each(pages)(
    "%s leads and posts only to http(s) addresses",
    { tags: ["threat:HT-07", "threat:A-105", "threat:B9-30"] },
    async (_, render) => {
      for (const text of [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "//evil.test",
        "/\\evil.test",
        "java\nscript:alert(1)",
        "",
      ]) {
        const tags = tagsOf(renderHtml((await render({}, text)).html).replace(drawnOnce, ""))
        const targets = tags.flatMap(({ attributes }) =>
          ["href", "action", "src", "formaction"].flatMap((name) => attributes.get(name) ?? []),
        )
        for (const target of targets) expect(target, text).toMatch(/^(?:\/$|https:\/\/app\.test\/)/)
      }
    },
  )

  it("is drawn once, when all of it is there and its scripts have run", async () => {
    const page = { theme: {}, wording, homeUrl: "/", signinUrl: "/" }
    const scripted = renderHtml((await verifyRequestPage({ ...page, formScript })).html)
    expect(scripted).toMatch(
      /<head>[\s\S]*<link rel="expect" href="#whole" blocking="render">[\s\S]*<\/script>\n<div id="whole" hidden>/,
    )
    expect(renderHtml((await verifyRequestPage(page)).html)).toMatch(
      /<head>[\s\S]*<link rel="expect" href="#whole" blocking="render">[\s\S]*<\/main>\s*<div id="whole" hidden>/,
    )
  })

  it.each([
    ["auto", undefined, "light dark"],
    ["auto", "auto", "light dark"],
    ["dark", "dark", "dark"],
    ["light", "light", "light"],
  ] as const)(
    "is drawn in %s for the colour scheme %j [spec theme colorScheme]",
    async (scheme, colorScheme, content) => {
      const text = renderHtml(
        (await verifyRequestPage({ theme: colorScheme ? { colorScheme } : {}, wording, homeUrl: "/", signinUrl: "/" }))
          .html,
      )
      expect(text).toContain(`<html lang="en" data-scheme="${scheme}">`)
      expect(text).toContain(`<meta name="color-scheme" content="${content}">`)
    },
  )

  it("shows the theme's logo instead of the keyhole and says where it comes from [spec theme logo]", async () => {
    const { html, imageSources } = await verifyRequestPage({
      theme: { logo: "https://cdn.test/logo.svg?a&b" },
      wording,
      homeUrl: "/",
      signinUrl: "/",
    })
    expect(renderHtml(html)).toContain('<img class="logo" src="https://cdn.test/logo.svg?a&amp;b" alt="">')
    expect(renderHtml(html)).not.toContain('class="keyhole"')
    expect(imageSources).toEqual(["https://cdn.test"])
  })
})

describe("without a logo", () => {
  const above = async (theme: Theme, title: string): Promise<string | undefined> => {
    const { html } = await layout({ theme, wording }, { title, body: rawHtml("") })
    return /<main class="card">\n(?:<(svg|p) class="(?:keyhole|app)".*?>(?:([^<]*)<\/p>)?)?/
      .exec(renderHtml(html))
      ?.slice(1)
      .join(" ")
      .trim()
  }

  it("a page shows the name of the application, unless its heading does", async () => {
    expect(await above({ name: "Acme & Sons" }, "Check your email")).toBe("p Acme &amp; Sons")
    expect(await above({ name: "Acme" }, "Sign in to Acme")).toBe("")
  })

  it("a page shows a keyhole where nothing says whose it is", async () => {
    expect(await above({}, "Sign in")).toBe("svg")
  })
})

describe("the style sheet", () => {
  it("has the hash that is declared for it", async () => {
    expect(styleSheetHash).toBe((await inlineText(styleSheet)).hash)
  })

  it("loads nothing", () => {
    expect(styleSheet).not.toMatch(/url\(|@import|@font-face/)
  })

  it("draws dark for the dark scheme and for auto on a dark system, with the same colours", () => {
    const [byScheme, bySystem] = [
      /:root\[data-scheme=dark\]\{color-scheme:dark;([^}]*)\}/,
      /dark\)\{:root\[data-scheme=auto\]\{([^}]*)\}/,
    ].map((pattern) => styleSheet.match(pattern)?.[1])
    expect(byScheme).toContain("--card:#17191f")
    expect(bySystem).toBe(byScheme)
  })
})

it.each([
  ["https://app.test/a?b#c", "https://app.test/a?b#c"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["/a/b", "/a/b"],
  ["/", "/"],
  ["a/b", "/"],
  ["ftp://app.test", "/"],
  ["blob:https://app.test/1", "/"],
])("takes %j as the address %j", (given, expected) => {
  expect(safeAddress(given)).toBe(expected)
})
