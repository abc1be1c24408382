/** Looks at one page in a browser: brings it into its state, takes a picture, and says what is wrong with it. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { address } from "./states.mjs"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** Opens a page of the gallery and does what its state needs. */
export async function open(page, { origin, lang, theme, state }) {
  const { name, steps, fill, remembers } = state
  await page.goto(`${origin}/${lang}/${name}/${theme}`)
  if (remembers) {
    await page.evaluate((typed) => sessionStorage.setItem("latchkey.address", typed), address)
    await page.reload()
  }
  if (fill) await page.locator("input[data-address]").first().fill(address)
  for (const step of steps) await page.locator(step).first().click()
}

/** What axe finds. */
export async function violations(page) {
  const found = await page.evaluate(`${axe};axe.run(document, { runOnly: ${JSON.stringify(rules)} })`)
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`)
}

/** How much the page moved while it came up (Cumulative Layout Shift), and whether something sticks out to the side. */
export function movement(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let shift = 0
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value
        }).observe({ type: "layout-shift", buffered: true })
        const overhang = document.documentElement.scrollWidth - window.innerWidth
        requestAnimationFrame(() => setTimeout(() => resolve({ shift, overhang }), 20))
      }),
  )
}
