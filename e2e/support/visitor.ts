/** Steps of a visitor in a browser: looks at what is on the screen and clicks it. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core"
import { expect } from "vitest"

/** A warning or an error of the browser's console. */
export interface Complaint {
  readonly text: string
  /** What it is about: the script, or the address that could not be loaded; empty where the browser does not say. */
  readonly url: string
}

/** Where a visitor is and what went wrong there. */
export interface Arrival {
  readonly page: Page
  readonly origin: string
  /** So far. */
  readonly complaints: Complaint[]
}

const patience = 15_000
/** Milliseconds by which every answer is held back, style sheets twice as long: `JOURNEY_LATENCY=200` shows which step does not wait for what it needs. */
const latency = Number(process.env["JOURNEY_LATENCY"] || 0)

/** Opens a browser without cookies or history and goes to an address. Warnings count as complaints when asked to. */
export async function arriveAt(
  browser: Browser,
  origin: string,
  { warnings = false, ...options }: BrowserContextOptions & { readonly warnings?: boolean } = {},
): Promise<Arrival> {
  const context = await browser.newContext(options)
  const complaints: Complaint[] = []
  context.on("weberror", (error) => complaints.push({ text: String(error.error()), url: "" }))
  context.on("console", (message) => {
    if (message.type() === "error" || (warnings && message.type() === "warning"))
      complaints.push({ text: message.text(), url: message.location().url })
  })
  if (latency > 0)
    await context.route("**/*", async (route) => {
      const held = route.request().resourceType() === "stylesheet" ? 2 * latency : latency
      await new Promise((resolve) => setTimeout(resolve, held))
      await route.continue()
    })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  await page.goto(origin)
  return { page, origin, complaints }
}

/** Somebody with a browser of their own. */
export class Visitor {
  readonly context: BrowserContext
  readonly page: Page
  protected readonly arrival: Arrival

  constructor(arrival: Arrival) {
    this.arrival = arrival
    this.page = arrival.page
    this.context = arrival.page.context()
  }

  /** A second tab of the same browser. */
  async anotherTab(): Promise<Arrival> {
    const page = await this.context.newPage()
    page.setDefaultTimeout(patience)
    await page.goto(this.arrival.origin)
    return { ...this.arrival, page }
  }

  /** Closes the browser. Nothing may have gone wrong in it, but what `mayComplain` expects. */
  async leave({ mayComplain }: { mayComplain?: RegExp } = {}): Promise<void> {
    await this.context.close()
    const surprising = this.arrival.complaints.filter(({ text }) => !mayComplain?.test(text))
    expect(surprising, "complaints in the browser's console").toEqual([])
  }

  async clickLink(name: string | RegExp): Promise<void> {
    await this.page.getByRole("link", { name }).first().click()
  }

  async clickButton(name: string | RegExp): Promise<void> {
    await this.page.getByRole("button", { name }).first().click()
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor({ state: "visible" })
  }

  /** Waits until the page has a heading and is complete: a click aimed before the style sheet has come misses what it moves. */
  async headed(name: string | RegExp): Promise<void> {
    const headings = this.page.getByRole("heading", { level: 1 })
    try {
      await headings.and(this.page.getByRole("heading", { name })).waitFor({ state: "visible" })
      await this.page.waitForLoadState("load")
    } catch (cause) {
      const shown = await headings.allInnerTexts().catch(() => [])
      throw new Error(`Expected the heading ${name}; ${this.page.url()} shows ${JSON.stringify(shown)}.`, { cause })
    }
  }

  /** The form that a button belongs to. */
  formOf(button: string | RegExp): Locator {
    return this.page.locator("form").filter({ has: this.page.getByRole("button", { name: button }) })
  }

  /** Nothing sticks out of the window to the side. */
  async fits(): Promise<void> {
    // Without its style sheet a page may be wider than the window.
    await this.page.waitForLoadState("load")
    const overhang = await this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overhang, "pixels that stick out to the side").toBeLessThanOrEqual(0)
  }

  path(): string {
    return new URL(this.page.url()).pathname
  }

  /** Keeps a picture of the page when `JOURNEY_PICTURES` names a folder. */
  async picture(name: string): Promise<void> {
    const pictures = process.env["JOURNEY_PICTURES"]
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await this.page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }
}
