/** What a person does in a browser: looks at what is on the screen and clicks it. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { expect } from "vitest"

const pictures = process.env["DEMO_PICTURES"]

/** Somebody with a browser of their own: no cookies, no history. */
export class Person {
  readonly context: BrowserContext
  readonly page: Page
  readonly #origin: string
  readonly #complaints: string[]

  private constructor(page: Page, origin: string, complaints: string[]) {
    this.context = page.context()
    this.page = page
    this.#origin = origin
    this.#complaints = complaints
  }

  static async arrive(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Person> {
    const context = await browser.newContext(options)
    const complaints: string[] = []
    context.on("weberror", (error) => complaints.push(String(error.error())))
    context.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text())
    })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const person = new Person(page, origin, complaints)
    await page.goto(origin)
    return person
  }

  /** A second tab of the same browser. */
  async openTab(): Promise<Person> {
    const page = await this.context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(this.#origin)
    return new Person(page, this.#origin, this.#complaints)
  }

  /** Closes the browser. Nothing may have gone wrong in it, but what `mayComplain` expects. */
  async leave({ mayComplain }: { mayComplain?: RegExp } = {}): Promise<void> {
    await this.context.close()
    const surprising = this.#complaints.filter((complaint) => !mayComplain?.test(complaint))
    expect(surprising, "errors in the browser's console").toEqual([])
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

  /** The heading of the page. */
  async headed(name: string | RegExp): Promise<void> {
    await this.page.getByRole("heading", { level: 1, name }).waitFor({ state: "visible" })
  }

  path(): string {
    return new URL(this.page.url()).pathname
  }

  /** Keeps a picture of the page when `DEMO_PICTURES` names a folder. */
  async picture(name: string): Promise<void> {
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await this.page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }

  // Ways through the demo that several journeys share.

  async openSignIn(): Promise<void> {
    await this.clickLink(/^Sign in$/)
    await this.headed("Sign in")
    // Nobody is faster than the script of the page.
    await this.page.waitForLoadState("networkidle")
  }

  async useIdentity(who: string): Promise<void> {
    await this.clickButton("Sign in with Demo Identity")
    await this.chooseAtIdentity(who)
  }

  async chooseAtIdentity(who: string): Promise<void> {
    await this.headed("Choose an account")
    await this.clickButton(new RegExp(who))
  }

  async typePassword(email: string, password: string): Promise<void> {
    const form = this.page
      .locator("form")
      .filter({ has: this.page.getByRole("button", { name: "Sign in with Password" }) })
    await form.getByLabel("Email").fill(email)
    await form.getByLabel("Password").fill(password)
    await form.getByRole("button", { name: "Sign in with Password" }).click()
  }

  async askForLink(email: string): Promise<void> {
    const form = this.page
      .locator("form")
      .filter({ has: this.page.getByRole("button", { name: "Sign in with Email" }) })
    await form.getByLabel("Email").fill(email)
    await form.getByRole("button", { name: "Sign in with Email" }).click()
    await this.headed("Check your mail")
  }

  /** Opens the newest mail to an address. */
  async openMail(email: string): Promise<void> {
    await this.clickLink(/^Mailbox/)
    await this.headed("Mailbox")
    await this.page
      .getByRole("link", { name: new RegExp(`to ${email.replaceAll(".", "\\.")}`) })
      .first()
      .click()
    await this.headed(/^Sign in to/)
  }

  async clickLinkInMail(): Promise<void> {
    await this.page
      .frameLocator("iframe")
      .getByRole("link", { name: /sign in/i })
      .first()
      .click()
  }

  async signInByLink(email: string): Promise<void> {
    await this.openSignIn()
    await this.askForLink(email)
    await this.openMail(email)
    await this.clickLinkInMail()
    await this.headed(new RegExp(`Hello, ${email.replaceAll(".", "\\.")}`))
  }

  async signOut(): Promise<void> {
    await this.clickLink("Sign out")
    await this.headed(/Sign out/)
    await this.clickButton(/Sign out/)
    await this.headed("Every way of signing in")
  }
}

/** A finger on the authenticator: requests that come while it is not there are never answered. */
export interface Finger {
  /** Does something that asks the authenticator, and touches it. */
  touchFor(action: () => Promise<void>): Promise<void>
  /** From now on takes whatever passkey is offered, also one offered while typing. */
  takeOffers(): Promise<void>
}

/** Gives a page's browser an authenticator that stores passkeys and verifies its person. */
export async function plugInAuthenticator(page: Page): Promise<Finger> {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  const setPresence = (enabled: boolean): Promise<unknown> =>
    session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
  return {
    takeOffers: async () => void (await setPresence(true)),
    async touchFor(action) {
      const used = new Promise((resolve) => {
        session.once("WebAuthn.credentialAdded", resolve)
        session.once("WebAuthn.credentialAsserted", resolve)
      })
      await setPresence(true)
      await action()
      await within(15_000, used, "The authenticator was not asked for anything.")
      await setPresence(false)
    },
  }
}

async function within<T>(milliseconds: number, awaited: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(complaint)), milliseconds)
  })
  return Promise.race([awaited, limit]).finally(() => clearTimeout(timer))
}
