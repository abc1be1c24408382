/** What a person does in the demo, in the words of its pages. */
import type { Browser } from "playwright-core"
import type { Finger } from "../../support/authenticator.js"
import { arriveAt, Visitor } from "../../support/visitor.js"

/** Somebody with a browser of their own: no cookies, no history. */
export class Person extends Visitor {
  static async arrive(
    browser: Browser,
    origin: string,
    options: NonNullable<Parameters<typeof arriveAt>[2]> = {},
  ): Promise<Person> {
    return new Person(await arriveAt(browser, origin, options))
  }

  /** A second tab of the same browser. */
  async openTab(): Promise<Person> {
    return new Person(await this.anotherTab())
  }

  // Ways through the demo that several journeys share.

  async openSignIn(): Promise<void> {
    await this.clickLink(/^Sign in$/)
    await this.headed("Sign in")
    // A person is not faster than the script of the page.
    await this.page.waitForLoadState("networkidle")
  }

  /** Asks for the protected page, which asks whoever is not signed in to sign in. */
  async askForProtected(): Promise<void> {
    await this.clickLink("Protected")
    await this.headed("Sign in")
  }

  async openAccount(): Promise<void> {
    await this.clickLink("Account")
    await this.headed("Your account")
  }

  async openIdentity(): Promise<void> {
    await this.clickButton("Continue with Demo Identity")
    await this.headed("Choose an account")
  }

  async useIdentity(who: string): Promise<void> {
    await this.openIdentity()
    await this.chooseAtIdentity(who)
  }

  async chooseAtIdentity(who: string): Promise<void> {
    await this.headed("Choose an account")
    await this.clickButton(new RegExp(who))
  }

  async typePassword(email: string, password: string): Promise<void> {
    await this.giveAddress(email)
    await this.page.getByLabel("Password", { exact: true }).fill(password)
    await this.page.getByRole("button", { name: "Sign in", exact: true }).click()
  }

  async askForLink(email: string): Promise<void> {
    await this.giveAddress(email)
    await this.clickButton("Email me a link")
    await this.headed("Check your mail")
  }

  /** Types the address, and goes on to the ways that need it where the page asks for it first. */
  async giveAddress(email: string): Promise<void> {
    await this.page.getByLabel("Email", { exact: true }).fill(email)
    const next = this.page.getByRole("button", { name: "Continue", exact: true })
    if (await next.isVisible()) await next.click()
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

  /**
   * Clicks until the page leaves, twice at most: the mail is a frame in a process of its own, which a busy browser may show
   * before clicks reach it.
   */
  async clickLinkInMail(): Promise<void> {
    const link = this.page
      .frameLocator("iframe")
      .getByRole("link", { name: /sign in/i })
      .first()
    for (let tries = 0; tries < 2; tries++) {
      const leaving = this.page
        .waitForRequest((request) => request.isNavigationRequest() && request.frame() === this.page.mainFrame(), {
          timeout: 5_000,
        })
        .catch(() => undefined)
      await link.click()
      if (await leaving) return
    }
    throw new Error("Expected the link of the mail to leave the page, and two clicks did nothing.")
  }

  async signInByLink(email: string): Promise<void> {
    await this.openSignIn()
    await this.askForLink(email)
    await this.openMail(email)
    await this.clickLinkInMail()
    await this.headed(new RegExp(`Hello, ${email.replaceAll(".", "\\.")}`))
  }

  /** Becomes a new user with an address and a passkey. */
  async beginWithPasskey(email: string, finger: Finger): Promise<void> {
    await this.openSignIn()
    await this.giveAddress(email)
    await finger.touchFor(() => this.clickButton("Create a passkey"))
    await this.headed(`Hello, ${email}`)
  }

  async usePasskey(finger: Finger): Promise<void> {
    await this.openSignIn()
    await finger.touchFor(() => this.clickButton("Sign in with a passkey"))
  }

  async signOut(): Promise<void> {
    await this.clickLink("Sign out")
    await this.headed(/Sign out/)
    await this.clickButton(/Sign out/)
    await this.headed("Every way of signing in")
  }
}
