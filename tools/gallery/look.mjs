/** Looks at one page of the gallery in Chromium: brings it into its state, takes a picture, and says what is wrong with it. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { address } from "./states.mjs"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
/** Bytes, compressed. */
const heaviest = 30_000
/** Runs in every page before its own scripts: keeps what the policy refuses, and stops the countdown of pictures. */
export const beforeScripts = () => {
  window.refused = []
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    // Browsers ask for it by themselves; no page names an icon.
    if (blockedURI.endsWith("/favicon.ico")) return
    window.refused.push(`the policy refused ${violatedDirective} ${blockedURI}`)
  })
  window.setInterval = () => 0
}

/** Opens a page of the gallery and does what its state needs. Without scripts there are no steps. */
export async function open(page, { origin, lang, theme, state, situation = "usual" }) {
  const { name, steps, fill, remembers } = state
  const hasScript = situation !== "no script"
  await page.goto(`${origin}/${lang}/${name}/${theme}`)
  if (remembers && hasScript) {
    await page.evaluate((typed) => sessionStorage.setItem("latchkey.address", typed), address)
    await page.reload()
  }
  if (fill) await page.locator("input[data-address]").first().fill(address)
  for (const step of steps) if (hasScript || step === "summary") await page.locator(step).first().click()
}

/** The picture of a page. */
export function pictureOf(page) {
  return page.screenshot({ fullPage: true, animations: "disabled" })
}

/** What is wrong with a page: nothing, as a rule. `page` was opened with {@link contextFor} of the same piece. */
export async function complaintsOf(page, { gallery, ...piece }) {
  const { lang, state, theme, situation = "usual" } = piece
  const complaints = []
  const listen = (message) => message.location().url.endsWith("favicon.ico") || complaints.push(message.text())
  const fail = (error) => complaints.push(error.message)
  page.on("console", listen).on("pageerror", fail)
  try {
    await open(page, { origin: gallery.origin, ...piece })
    if (situation === "no script") complaints.push(...(await uselessButtons(page)))
    else complaints.push(...(await measured(page, state)), ...(await violations(page)), ...(await unreached(page)))
    if (situation === "reduced motion") complaints.push(...(await moving(page)))
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (overhang > 0) complaints.push(`sticks out by ${overhang} px`)
    const bytes = gallery.weight({ lang, name: state.name, theme })
    if (bytes > heaviest) complaints.push(`weighs ${bytes} bytes, more than ${heaviest}`)
    const policy = gallery.policy({ lang, name: state.name, theme })
    if (policy.includes("unsafe-")) complaints.push(`has the policy ${policy}`)
  } finally {
    page.off("console", listen).off("pageerror", fail)
  }
  return complaints
}

/** How much the page moved while it came up (Cumulative Layout Shift), and what its policy refused. */
export async function measured(page, { steps }) {
  const { shift, refused } = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let shift = 0
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value
        }).observe({ type: "layout-shift", buffered: true })
        requestAnimationFrame(() =>
          requestAnimationFrame(() => setTimeout(() => resolve({ shift, refused: window.refused }), 50)),
        )
      }),
  )
  // A step that the person asks for moves what stands below it.
  return shift > 0 && steps.length === 0 ? [...refused, `moves by ${shift.toFixed(4)}`] : refused
}

/** What axe finds. */
async function violations(page) {
  const found = await page.evaluate(`${axe};axe.run(document, { runOnly: ${JSON.stringify(rules)} })`)
  return found.violations.map(({ id, nodes }) => `axe: ${id}: ${nodes.map(({ target }) => target).join(", ")}`)
}

/** Tab goes through everything that can be used, in the order of the page, and shows where it is. */
async function unreached(page) {
  const wanted = await page.evaluate(() => {
    document.activeElement?.blur()
    getSelection().removeAllRanges()
    window.order = [...document.querySelectorAll("a[href],button,input:not([type=hidden]),summary")].filter(
      (element) => !element.disabled && element.checkVisibility({ visibilityProperty: true }),
    )
    // Tab begins where the person last was: at the top of the page.
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute("tabindex")
    return window.order.length
  })
  const complaints = []
  for (let index = 0; index < wanted; index++) {
    await page.keyboard.press("Tab")
    const wrong = await page.evaluate((at) => {
      const focused = document.activeElement
      const say = (element) => `<${element.localName}> ${element.textContent || element.name || ""}`.trim()
      if (focused !== window.order[at]) return `Tab goes to ${say(focused)} instead of ${say(window.order[at])}`
      const { outlineStyle, outlineWidth } = getComputedStyle(focused)
      return outlineStyle === "none" || parseFloat(outlineWidth) < 2 ? `no focus can be seen on ${say(focused)}` : ""
    }, index)
    if (wrong) complaints.push(wrong)
  }
  return complaints
}

/** Nothing turns and nothing fades, not even on a button that waits. */
function moving(page) {
  return page.evaluate(() => {
    for (const button of document.querySelectorAll("button")) button.setAttribute("aria-busy", "true")
    return document.getAnimations().map(({ animationName, transitionProperty }) => {
      return `moves: ${animationName ?? transitionProperty}`
    })
  })
}

/** Without scripts, every button that can be seen sends a form, and no field that has to be filled is hidden. */
function uselessButtons(page) {
  return page.evaluate(() => {
    const isSeen = (element) => element.checkVisibility({ visibilityProperty: true })
    const useless = [...document.querySelectorAll("button")].filter((one) => isSeen(one) && one.type !== "submit")
    const hidden = [...document.querySelectorAll("form:not([hidden]) [required]")].filter((one) => !isSeen(one))
    return [
      ...useless.map(({ textContent }) => `without scripts the button "${textContent}" does nothing`),
      ...hidden.map(({ name }) => `without scripts the field "${name}" is hidden`),
    ]
  })
}
