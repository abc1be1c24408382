/** Every way of signing in to the demo, and what stands in a person's way there. */
import { expect, it } from "vitest"
import { plugInAuthenticator } from "../../support/authenticator.js"
import { password, type World } from "./world.js"

export function waysIn(world: World): void {
  it("signs in with the identity provider", async () => {
    const person = await world.arrive()
    await person.picture(`home-${world.strategy}`)
    await person.openSignIn()
    await person.picture("signin")
    await person.openIdentity()
    await person.picture("identity")
    expect(new URL(person.page.url()).hostname).toBe("127.0.0.1")
    await person.clickButton(/Ada Byron/)
    await person.headed("Hello, Ada Byron")
    expect(person.path()).toBe("/")
    await person.picture("home-signed-in")
    await person.leave()
  })

  it("comes back quietly when the person cancels at the identity provider", async () => {
    const person = await world.arrive()
    await person.openSignIn()
    await person.openIdentity()
    await person.clickButton("Cancel")
    await person.headed("Sign in")
    await person.sees("Signing in was cancelled or declined at the provider.")
    await person.picture("cancelled")
    expect(await person.page.getByRole("alert").count()).toBe(0)
    await person.leave()
  })

  it("signs in by an e-mail link from the mailbox, which works once", async () => {
    const person = await world.arrive()
    const email = world.freshAddress()
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

    const other = await world.arrive()
    await other.page.goto(mail)
    await other.clickLinkInMail()
    await other.headed("This link no longer works")
    await other.picture("link-used")
    await person.leave()
    await other.leave({ mayComplain: /403/ })
  })

  it("refuses a wrong password and takes the right one", async () => {
    const person = await world.arrive()
    await person.openSignIn()
    await person.typePassword(password.email, "not the password")
    await person.sees(/did not match/)
    await person.picture("wrong-password")
    await person.typePassword(password.email, password.secret)
    await person.headed(/^Hello, /)
    await person.sees(password.email)
    await person.leave()
  })

  it("registers a passkey on the account page and signs in with it", async () => {
    const person = await world.arrive()
    const finger = await plugInAuthenticator(person.page)
    const email = world.freshAddress()
    await person.signInByLink(email)
    await person.openAccount()
    await finger.touchFor(() => person.clickButton("Add a passkey"))
    await person.page.getByText(/^Passkey \S{8}/).waitFor()
    await person.picture(`account-passkey-${world.strategy}`)
    await person.signOut()
    await person.usePasskey(finger)
    await person.headed(`Hello, ${email}`)
    await person.leave()
  })

  it("begins with a passkey: an address nobody has used becomes an account", async () => {
    const person = await world.arrive()
    const finger = await plugInAuthenticator(person.page)
    const email = world.freshAddress()
    await person.beginWithPasskey(email, finger)
    await person.signOut()
    // The passkey is offered while the person types; choosing it needs no button.
    await finger.takeOffers()
    await person.clickLink(/^Sign in$/)
    await person.headed(`Hello, ${email}`)
    await person.leave()
  })

  it("does not offer a passkey again that was refused", async () => {
    const person = await world.arrive()
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
    const person = await world.arrive()
    await person.page.goto(`${world.origin()}/auth/signin/demo-po`)
    await person.headed("Page not found")
    await person.picture("not-found")
    await person.clickLink("Sign in")
    await person.headed("Sign in")
    await person.leave({ mayComplain: /404/ })
  })
}
