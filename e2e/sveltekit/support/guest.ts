/** What a person does in the application of the journeys, in the words of its pages. */
import type { Browser, BrowserContextOptions } from "playwright-core"
import { type Arrival, arriveAt, Visitor } from "../../support/visitor.js"
import type { Running } from "./server.js"

/** An address and what opens it. */
export interface Password {
  readonly email: string
  readonly password: string
}

/** Somebody with a browser of their own, on the home page. Warnings of the console count as faults. */
export class Guest extends Visitor {
  readonly #hasScript: boolean

  private constructor(arrival: Arrival, hasScript: boolean) {
    super(arrival)
    this.#hasScript = hasScript
  }

  static async arrive(browser: Browser, { home }: Running, options: BrowserContextOptions = {}): Promise<Guest> {
    const arrival = await arriveAt(browser, home, { ...options, warnings: true })
    return new Guest(arrival, options.javaScriptEnabled !== false)
  }

  /** Goes to a page by its link, and waits for the heading that is expected there. */
  async opens(name: string, expected = name): Promise<void> {
    await this.page.getByRole("navigation").getByRole("link", { name, exact: true }).click()
    await this.headed(expected)
    if (this.#hasScript) await this.page.locator("html[data-alive]").waitFor({ state: "attached" })
  }

  /** Whom the layout of every page names. */
  async is(who: string): Promise<void> {
    await this.page
      .getByRole("status")
      .and(this.page.getByText(who, { exact: true }))
      .waitFor()
  }

  /** Fills the form that a button belongs to, and presses it. */
  async types(button: string, fields: Partial<Password>): Promise<void> {
    const form = this.formOf(button)
    if (fields.email !== undefined) await form.getByRole("textbox").first().fill(fields.email)
    if (fields.password !== undefined) await form.getByLabel("Password").fill(fields.password)
    await form.getByRole("button", { name: button, exact: true }).click()
  }

  /** Fills in the form of the page that calls the functions of the client. */
  async fillsIn({ email, password }: Password): Promise<void> {
    await this.page.getByLabel("Address").fill(email)
    await this.page.getByLabel("Password").fill(password)
  }

  /** Waits for a message of the page that calls the functions of the client. */
  async readsMessage(text: string): Promise<void> {
    await this.page.getByRole("log").filter({ hasText: text }).waitFor()
  }
}
