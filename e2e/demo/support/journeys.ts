/** Every way of signing in to the demo, clicking only what a person sees. */
import type { Browser } from "playwright-core"
import { expect, it } from "vitest"
import { plugInAuthenticator } from "../../support/authenticator.js"
import type { Demo } from "./demo.js"
import { Person } from "./person.js"

let count = 0

/** What runs when a journey begins. */
export interface Running {
  readonly browser: Browser
  readonly demo: Demo
}

/** Declares the tests of all journeys; they are to be called inside `describe`, for a demo of a strategy. */
export function journeys(running: () => Running, strategy: string): void {
  const arrive = (options?: Parameters<typeof Person.arrive>[2]): Promise<Person> =>
    Person.arrive(running().browser, running().demo.origin, options)
  const freshAddress = (): string => `person${++count}@mail.test`
  const password = { email: "ada@demo.test", password: "analytical-engine-1843" }

  it("signs in with the identity provider", async () => {
    const person = await arrive()
    await person.picture(`home-${strategy}`)
    await person.openSignIn()
    await person.picture("signin")
    await person.clickButton("Continue with Demo Identity")
    await person.headed("Choose an account")
    await person.picture("identity")
    expect(new URL(person.page.url()).hostname).toBe("127.0.0.1")
    await person.clickButton(/Ada Byron/)
    await person.headed("Hello, Ada Byron")
    expect(person.path()).toBe("/")
    await person.picture("home-signed-in")
    await person.leave()
  })

  it("comes back quietly when the person cancels at the identity provider", async () => {
    const person = await arrive()
    await person.openSignIn()
    await person.clickButton("Continue with Demo Identity")
    await person.headed("Choose an account")
    await person.clickButton("Cancel")
    await person.headed("Sign in")
    await person.sees("Signing in was cancelled or declined at the provider.")
    await person.picture("cancelled")
    expect(await person.page.getByRole("alert").count()).toBe(0)
    await person.leave()
  })

  it("signs in by an e-mail link from the mailbox, which works once", async () => {
    const person = await arrive()
    const email = freshAddress()
    await person.openSignIn()
    await person.askForLink(email)
    await person.picture("check-mail")
    await person.clickLink("Open the mailbox")
    await person.picture("mailbox")
    await person.openMail(email)
    await person.picture("mail")
    const mail = person.page.url()
    await person.clickLinkInMail()
    await person.headed(`Hello, ${email}`)

    const other = await arrive()
    await other.page.goto(mail)
    await other.clickLinkInMail()
    await other.headed("This link no longer works")
    await other.picture("link-used")
    await person.leave()
    await other.leave({ mayComplain: /403/ })
  })

  it("refuses a wrong password and takes the right one", async () => {
    const person = await arrive()
    await person.openSignIn()
    await person.typePassword(password.email, "not the password")
    await person.sees(/did not match/)
    await person.picture("wrong-password")
    await person.typePassword(password.email, password.password)
    await person.headed(/^Hello, /)
    await person.sees(password.email)
    await person.leave()
  })

  it("registers a passkey on the account page and signs in with it", async () => {
    const person = await arrive()
    const finger = await plugInAuthenticator(person.page)
    const email = freshAddress()
    await person.signInByLink(email)
    await person.clickLink("Account")
    await person.headed("Your account")
    await finger.touchFor(() => person.clickButton("Add a passkey"))
    await person.page.getByText(/^Passkey \S{8}/).waitFor()
    await person.picture(`account-passkey-${strategy}`)
    await person.signOut()
    await person.openSignIn()
    await finger.touchFor(() => person.clickButton("Sign in with a passkey"))
    await person.headed(`Hello, ${email}`)
    await person.leave()
  })

  it("begins with a passkey: an address nobody has used becomes an account", async () => {
    const person = await arrive()
    const finger = await plugInAuthenticator(person.page)
    const email = freshAddress()
    await person.openSignIn()
    await person.giveAddress(email)
    await finger.touchFor(() => person.clickButton("Create a passkey"))
    await person.headed(`Hello, ${email}`)
    await person.signOut()
    // The passkey is offered while the person types; choosing it needs no button.
    await finger.takeOffers()
    await person.clickLink(/^Sign in$/)
    await person.headed(`Hello, ${email}`)
    await person.leave()
  })

  it("links an account while signed in, which then opens the same user, and unlinks it", async () => {
    const person = await arrive()
    const email = freshAddress()
    await person.signInByLink(email)
    await person.clickLink("Account")
    await person.clickButton("Unlink E-mail link")
    await person.sees("That is the only way left to sign in.")
    await person.clickButton("Link Demo Identity")
    await person.chooseAtIdentity("Grace Hopper")
    await person.headed("Your account")
    await person.page.locator("[data-list=accounts]").getByText("Demo Identity").waitFor()
    await person.picture(`account-linked-${strategy}`)
    await person.signOut()
    await person.openSignIn()
    await person.useIdentity("Grace Hopper")
    await person.headed(`Hello, ${email}`)
    await person.clickLink("Account")
    await person.page
      .getByRole("listitem")
      .filter({ hasText: "Demo Identity" })
      .getByRole("button", { name: "Unlink" })
      .click()
    // The whole name: the button that was pressed ends with the same words.
    await person.page.getByRole("button", { name: "Link Demo Identity", exact: true }).waitFor()
    await person.leave()
  })

  it("lists the devices of a person, and signs out the others", async () => {
    const [here, there] = [await arrive(), await arrive()]
    const email = freshAddress()
    await there.signInByLink(email)
    await here.signInByLink(email)
    await here.clickLink("Account")
    await here.headed("Your account")
    await here.page.getByRole("listitem").filter({ hasText: "(this device)" }).waitFor()
    await here.clickButton("Sign out all other devices")
    await here.sees("All other devices are signed out.")
    await here.page.reload()
    await here.headed("Your account")
    await there.page.reload()
    await there.page.getByRole("link", { name: /^Sign in$/ }).waitFor()
    await Promise.all([here.leave(), there.leave()])
  })

  it("keeps a person signed in through fifty reads at once while the session gets a new token", async () => {
    const person = await arrive()
    await person.signInByLink(freshAddress())
    const { reads, ended } = await person.page.evaluate(async () => {
      const json = (path: string, init?: RequestInit) => fetch(path, init).then((answer) => answer.json())
      const { csrfToken } = await json("/auth/csrf")
      const body = JSON.stringify({ csrfToken, end: "others" })
      const some = () => Array.from({ length: 25 }, () => json("/auth/session"))
      const early = some()
      const rotation = json("/auth/sessions", { method: "POST", body, headers: { "content-type": "application/json" } })
      const late = some()
      return { ended: await rotation, reads: await Promise.all([...early, ...late]) }
    })
    expect(ended).toEqual({ ended: 0 })
    expect(reads.filter((session) => session?.user)).toHaveLength(50)
    await person.page.reload()
    await person.page.getByRole("link", { name: "Sign out" }).waitFor()
    await person.leave()
  })

  it("tells somebody whose new account belongs to another person so, and leads back signed in", async () => {
    const owner = await arrive()
    await owner.openSignIn()
    await owner.useIdentity("Ada Byron")
    await owner.headed("Hello, Ada Byron")
    await owner.leave()

    const person = await arrive()
    const email = freshAddress()
    await person.signInByLink(email)
    await person.clickLink("Account")
    await person.clickButton("Link Demo Identity")
    await person.chooseAtIdentity("Ada Byron")
    await person.headed("You are signed in")
    await person.sees("That account could not be added to yours")
    await person.sees(email)
    await person.picture(`not-added-${strategy}`)
    await person.clickLink("Continue")
    await person.headed("Your account")
    await person.sees(email)
    await person.leave()
  })

  it("says who is signed in where one signs in, and lets them sign out first", async () => {
    const person = await arrive()
    const email = freshAddress()
    await person.signInByLink(email)
    await person.page.goto(`${running().demo.origin}/auth/signin?callbackUrl=%2Faccount`)
    await person.headed("You are signed in")
    await person.sees(email)
    await person.sees("adds it to this account")
    await person.picture(`signed-in-already-${strategy}`)
    await person.clickButton("Sign out")
    await person.headed("Sign in")
    await person.useIdentity("Ada Byron")
    await person.headed("Your account")
    await person.signOut()
    await person.page.goto(`${running().demo.origin}/auth/signout`)
    await person.headed("You are not signed in")
    await person.picture("signed-out")
    await person.clickLink("Sign in")
    await person.headed("Sign in")
    await person.leave()
  })

  it("does not offer a passkey again that was refused", async () => {
    const person = await arrive()
    const finger = await plugInAuthenticator(person.page)
    await finger.keepForgotten("localhost")
    await finger.takeOffers()
    let answers = 0
    person.page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/auth/callback/passkey")) answers++
    })
    await person.clickLink(/^Sign in$/)
    await person.sees("Signing in did not start.")
    // A page that offers passkeys again and again would never be idle.
    await person.page.waitForLoadState("networkidle")
    expect(answers).toBe(1)
    await person.leave()
  })

  it("meets a misspelt link with a page that leads on", async () => {
    const person = await arrive()
    await person.page.goto(`${running().demo.origin}/auth/signin/demo-po`)
    await person.headed("Page not found")
    await person.picture("not-found")
    await person.clickLink("Sign in")
    await person.headed("Sign in")
    await person.leave({ mayComplain: /404/ })
  })

  it("asks on the protected page and comes back to it", async () => {
    const person = await arrive()
    await person.clickLink("Protected")
    await person.headed("Sign in")
    await person.sees("Please sign in to see this page.")
    await person.picture("session-required")
    await person.useIdentity("Ada Byron")
    await person.headed("Behind the door")
    expect(person.path()).toBe("/protected")
    await person.leave()
  })

  it("comes back to the protected page by every other way as well", async () => {
    const byPassword = await arrive()
    await byPassword.clickLink("Protected")
    await byPassword.headed("Sign in")
    await byPassword.typePassword(password.email, password.password)
    await byPassword.headed("Behind the door")
    await byPassword.leave()

    const byLink = await arrive()
    const email = freshAddress()
    await byLink.clickLink("Protected")
    await byLink.headed("Sign in")
    await byLink.askForLink(email)
    await byLink.openMail(email)
    await byLink.clickLinkInMail()
    await byLink.headed("Behind the door")
    await byLink.leave()
  })

  it("signs out, and the protected page asks again", async () => {
    const person = await arrive()
    await person.openSignIn()
    await person.typePassword(password.email, password.password)
    await person.headed(/^Hello, /)
    await person.clickLink("Sign out")
    await person.headed(/Sign out/)
    await person.picture("signout")
    await person.clickButton(/Sign out/)
    await person.headed("Every way of signing in")
    await person.clickLink("Protected")
    await person.headed("Sign in")
    await person.leave()
  })

  it("finishes two tabs that sign in at once, each where it began", async () => {
    const first = await arrive()
    await first.clickLink("Protected")
    await first.headed("Sign in")
    await first.clickButton("Continue with Demo Identity")
    await first.headed("Choose an account")
    const second = await first.openTab()
    await second.clickLink("Account")
    await second.headed("Sign in")
    await second.clickButton("Continue with Demo Identity")
    await second.headed("Choose an account")
    await first.clickButton(/Ada Byron/)
    await first.headed("Behind the door")
    await second.clickButton(/Ada Byron/)
    await second.headed("Your account")
    await first.leave()
  })

  it("speaks the language that the browser prefers, or the one that was chosen on the home page", async () => {
    const person = await arrive({ locale: "de-AT" })
    await person.clickLink(/^Sign in$/)
    await person.headed("Bei Latchkey demo anmelden")
    await person.page.goBack()
    await person.page.getByLabel("Language of the sign-in pages and mails").selectOption("français")
    await person.clickButton("Use it")
    await person.clickLink(/^Sign in$/)
    await person.headed("Connexion à Latchkey demo")
    await person.leave()
  })

  it("works with JavaScript switched off", async () => {
    const person = await arrive({ javaScriptEnabled: false })
    await person.clickLink("Protected")
    await person.headed("Sign in")
    await person.picture("signin-without-javascript")
    await person.useIdentity("Ada Byron")
    await person.headed("Behind the door")
    await person.signOut()
    await person.openSignIn()
    await person.typePassword(password.email, password.password)
    await person.headed(/^Hello, /)
    await person.signOut()
    await person.signInByLink(freshAddress())
    await person.clickLink("Account")
    await person.headed("Your account")
    // What is visible is tested, not what is in the document.
    expect(await person.page.locator("main").innerText()).toContain("Passkeys need JavaScript.")
    await person.leave()
  })

  it("looks good in the dark and on a small screen", async () => {
    const person = await arrive({ colorScheme: "dark", viewport: { width: 390, height: 844 } })
    await person.picture("home-dark-small")
    await person.fits()
    await person.openSignIn()
    await person.picture("signin-dark-small")
    await person.useIdentity("Ada Byron")
    await person.headed("Hello, Ada Byron")
    await person.clickLink("Account")
    await person.headed("Your account")
    await person.picture("account-dark-small")
    await person.fits()
    await person.leave()
  })
}
