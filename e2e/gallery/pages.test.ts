/**
 * Every built-in page in Chromium: each state in each language and in each situation, and every two of themes, colour
 * schemes and widths together. `LATCHKEY_MATRICES=full` takes all of them.
 */
import { afterAll, describe, expect, it } from "vitest"
import { nameOf, pieces } from "../../tools/gallery/chosen.mjs"
import { type Situation, situations } from "../../tools/gallery/chromium.mjs"
import { complaintsOf, measured } from "../../tools/gallery/look.mjs"
import { serveGallery } from "../../tools/gallery/serve.mjs"
import { casesOfMatrix } from "../../tools/matrix/pairwise.js"
import { useChromium } from "./visit.js"

const gallery = await serveGallery()
const withPage = useChromium()
afterAll(() => gallery.close())

const all = pieces(gallery).flatMap((piece) =>
  (Object.keys(situations) as Situation[]).map((situation) => ({ ...piece, situation })),
)
const cases = casesOfMatrix(all, ({ state, ...values }) => ({ state: state.name, ...values }))

describe("built-in pages", () => {
  const named = cases.map((piece) => ({ name: nameOf(piece), ...piece }))

  it.each(named)("nothing is wrong with $name, $situation", async (piece) => {
    const complaints = await withPage(piece, (page) => complaintsOf(page, { gallery, ...piece }))
    expect(complaints).toEqual([])
  })
})

describe("a page that arrives in pieces", () => {
  const plain = pieces(gallery).filter(
    ({ theme, lang, scheme, width }) => `${theme} ${lang} ${scheme} ${width}` === "plain en light 960",
  )
  const named = plain.map((piece) => ({ name: piece.state.name, ...piece })).filter(({ state }) => !state.steps.length)

  it.each(named)("does not move: $name", async (piece) => {
    await withPage(piece, async (page) => {
      await page.goto(`${gallery.origin}/${piece.lang}/${piece.state.name}/${piece.theme}?pieces`)
      expect(await measured(page, piece.state)).toEqual([])
    })
  })
})

/** A page with something wrong in it: the document as it is sent, or what happens on it. */
interface Fault {
  readonly situation?: Situation
  readonly html?: (text: string) => string
  /** Runs before the scripts of the page, when it has loaded. */
  readonly script?: string
}

const after =
  (place: string, added: string) =>
  (text: string): string =>
    text.replace(place, place + added)
const rule = (text: string): string => `document.styleSheets[0].insertRule(${JSON.stringify(text)})`

function complaintsWith({ situation = "usual", html, script }: Fault): Promise<readonly string[]> {
  const [piece] = pieces(gallery)
  if (!piece) throw new Error("The gallery is empty.")
  return withPage({ ...piece, situation }, async (page) => {
    if (script) await page.addInitScript(`addEventListener("load", () => { ${script} })`)
    if (html)
      await page.route("**/signin/**", async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: html(await response.text()) })
      })
    return complaintsOf(page, { gallery, ...piece, situation })
  })
}

const faults: readonly (readonly [string, RegExp, Fault])[] = [
  ["sticks out to the side", /sticks out/, { html: after("</h1>", '<svg width="2000" height="1"></svg>') }],
  ["says no language", /axe: html-has-lang/, { html: (text) => text.replace(/<html[^>]*>/, "<html>") }],
  [
    "carries a style that the policy does not name",
    /refused style-src/,
    { html: after("<head>", "<style>p{}</style>") },
  ],
  [
    "is reached by Tab in another order",
    /Tab goes to/,
    { html: (text) => text.replace("<input id", "<input tabindex=3 id") },
  ],
  ["shows no focus", /no focus can be seen/, { script: rule("*{outline:none!important}") }],
  [
    "turns where motion is not wanted",
    /moves: turn/,
    { situation: "reduced motion", script: rule("button::after{animation:turn 1s infinite!important}") },
  ],
  [
    "has a button that needs a script",
    /button "Continue" does nothing/,
    { situation: "no script", html: (text) => text.replace("data-next hidden", "data-next") },
  ],
  [
    "hides a field without a script",
    /field "email" is hidden/,
    { situation: "no script", html: (text) => text.replace('<div class="field">', "<div hidden>") },
  ],
  [
    "moves while it comes up",
    /moves by/,
    { script: 'requestAnimationFrame(() => requestAnimationFrame(() => document.body.prepend("late")))' },
  ],
]

describe("a look at a page", () => {
  it.each(faults)("finds one that %s", async (_, complaint, fault) => {
    expect((await complaintsWith(fault)).join("\n")).toMatch(complaint)
  })
})
