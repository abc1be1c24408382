/** The demo in browsers with other settings: language, colours, size, no JavaScript. */
import { expect, it } from "vitest"
import { password, type World } from "./world.js"

export function browsers(world: World): void {
  it("speaks the language that the browser prefers, or the one that was chosen on the home page", async () => {
    const person = await world.arrive({ locale: "de-AT" })
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
    const person = await world.arrive({ javaScriptEnabled: false })
    await person.askForProtected()
    await person.picture("signin-without-javascript")
    await person.useIdentity("Ada Byron")
    await person.headed("Behind the door")
    await person.signOut()
    await person.openSignIn()
    await person.typePassword(password.email, password.secret)
    await person.headed(/^Hello, /)
    await person.signOut()
    await person.signInByLink(world.freshAddress())
    await person.openAccount()
    // What is visible is tested, not what is in the document.
    expect(await person.page.locator("main").innerText()).toContain("Passkeys need JavaScript.")
    await person.leave()
  })

  it("looks good in the dark and on a small screen", async () => {
    const person = await world.arrive({ colorScheme: "dark", viewport: { width: 390, height: 844 } })
    await person.picture("home-dark-small")
    await person.fits()
    await person.openSignIn()
    await person.picture("signin-dark-small")
    await person.useIdentity("Ada Byron")
    await person.headed("Hello, Ada Byron")
    await person.openAccount()
    await person.picture("account-dark-small")
    await person.fits()
    await person.leave()
  })
}
