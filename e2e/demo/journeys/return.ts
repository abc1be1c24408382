/** Where a person arrives after signing in to the demo. */
import { expect, it } from "vitest"
import { password, type World } from "./world.js"

export function returning(world: World): void {
  it("asks on the protected page and comes back to it", async () => {
    const person = await world.arrive()
    await person.askForProtected()
    await person.sees("Please sign in to see this page.")
    await person.picture("session-required")
    await person.useIdentity("Ada Byron")
    await person.headed("Behind the door")
    expect(person.path()).toBe("/protected")
    await person.leave()
  })

  it("comes back to the protected page by every other way as well", async () => {
    const byPassword = await world.arrive()
    await byPassword.askForProtected()
    await byPassword.typePassword(password.email, password.secret)
    await byPassword.headed("Behind the door")
    await byPassword.leave()

    const byLink = await world.arrive()
    const email = world.freshAddress()
    await byLink.askForProtected()
    await byLink.askForLink(email)
    await byLink.openMail(email)
    await byLink.clickLinkInMail()
    await byLink.headed("Behind the door")
    await byLink.leave()
  })

  it("finishes two tabs that sign in at once, each where it began", async () => {
    const first = await world.arrive()
    await first.askForProtected()
    await first.openIdentity()
    const second = await first.openTab()
    await second.clickLink("Account")
    await second.headed("Sign in")
    await second.openIdentity()
    await first.clickButton(/Ada Byron/)
    await first.headed("Behind the door")
    await second.clickButton(/Ada Byron/)
    await second.headed("Your account")
    await first.leave()
  })
}
