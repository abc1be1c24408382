/** The functions for the browser. */
import { describe, expect, it } from "vitest"
import { plugInAuthenticator } from "../../support/authenticator.js"
import type { World } from "./world.js"

export function client(world: () => World): void {
  describe("client", () => {
    it("signs in with a password without leaving the page, updates the session, and signs out", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Client")
      await guest.fillsIn({ email, password: "wrong" })
      await guest.clickButton("Password")
      await guest.readsMessage("CredentialsSignin wrong-password 401")
      await guest.is("nobody")
      await guest.fillsIn({ email, password: "right" })
      await guest.clickButton("Password")
      await guest.readsMessage("Welcome")
      await guest.is(email)
      await guest.clickButton("Rename")
      await guest.readsMessage("Now Countess")
      await guest.sees("Name: Countess")
      await guest.clickButton("Leave")
      await guest.readsMessage("Gone")
      await guest.is("nobody")
      expect(guest.path()).toBe(world().at("/client"))
      await guest.leave({ mayComplain: /401/ })
    })

    it("signs in with an identity provider, and leaves for another page", async () => {
      const guest = await world().arrive()
      await guest.opens("Client")
      await guest.clickButton("Identity")
      await guest.headed("Behind the door")
      await guest.is("grace@op.example")
      await guest.opens("Client")
      await guest.clickButton("Leave for home")
      await guest.headed("Home")
      await guest.is("nobody")
      await guest.leave()
    })

    it("asks for an e-mail link without leaving the page", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Client")
      await guest.fillsIn({ email, password: "" })
      await guest.clickButton("Link")
      await guest.readsMessage("Look into your mail")
      await guest.page.goto((await world().running.mailbox.next(email, { timeout: 60_000 })).link)
      await guest.headed("Behind the door")
      await guest.is(email)
      await guest.leave()
    })

    it("leads to the page with every way when no provider is named", async () => {
      const guest = await world().arrive()
      await guest.opens("Client")
      await guest.clickButton("All ways")
      await guest.headed(/^Sign in/)
      expect(guest.path()).toBe(world().at("/auth/signin"))
      await guest.leave()
    })

    it("registers a passkey; signs in with it by code, by the component, and as it is offered while typing", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      const finger = await plugInAuthenticator(guest.page)
      const leave = async (): Promise<void> => {
        await guest.clickButton("Leave for home")
        await guest.headed("Home")
        await guest.is("nobody")
        await guest.opens("Client")
      }
      await guest.opens("Client")
      await guest.fillsIn({ email, password: "right" })
      await guest.clickButton("Password")
      await guest.is(email)
      await finger.touchFor(() => guest.clickButton("Add a passkey"))
      await guest.readsMessage("Passkey added")
      await leave()
      await finger.touchFor(() => guest.clickButton(/^Passkey$/))
      await guest.headed("Behind the door")
      await guest.is(email)
      await guest.opens("Client")
      await leave()
      await guest.opens("Sign in")
      await finger.touchFor(() => guest.clickButton("Sign in with a passkey"))
      await guest.is(email)
      await guest.opens("Client")
      await leave()
      await finger.takeOffers()
      await guest.clickButton("Offer passkeys")
      await guest.headed("Behind the door")
      await guest.is(email)
      await guest.leave()
    })
  })
}
