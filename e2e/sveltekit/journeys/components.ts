/** Signing in and out through the components, by every type of provider they serve. */
import { describe, expect, it } from "vitest"
import type { World } from "./world.js"

export function components(world: () => World): void {
  describe("components", () => {
    it("sign in with an identity provider and pass on authorization parameters", async () => {
      const guest = await world().arrive()
      await guest.opens("Sign in")
      await guest.picture("components")
      await guest.clickButton("Sign in with Identity")
      await guest.is("grace@op.example")
      expect(guest.path()).toBe(world().at("/"))
      await guest.leave()
    })

    it("sign in by an e-mail link", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Sign in")
      await guest.types("Mail me a link", { email })
      await guest.headed("Check your email")
      await guest.page.goto((await world().running.mailbox.next(email, { timeout: 60_000 })).link)
      await guest.is(email)
      await guest.leave()
    })

    it("show a refusal beside the form, and sign in with the right password", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Sign in")
      await guest.types("Sign in with password", { email, password: "wrong" })
      await guest.page.getByRole("alert").getByText("Refused: wrong-password").waitFor()
      await guest.is("nobody")
      await guest.types("Sign in with password", { email, password: "right" })
      await guest.is(email)
      expect(guest.path()).toBe(world().at("/"))
      await guest.leave({ mayComplain: /401/ })
    })

    it("lead to the page with every way when no provider is named", async () => {
      const guest = await world().arrive()
      await guest.opens("Sign in")
      await guest.clickButton("See all ways")
      await guest.headed(/^Sign in/)
      expect(guest.path()).toBe(world().at("/auth/signin"))
      await guest.clickButton("Continue with Identity")
      await guest.is("ada@op.example")
      await guest.leave()
    })

    it("sign out", async () => {
      const guest = await world().arrive()
      await guest.opens("Sign in")
      await guest.clickButton("Sign in with Identity")
      await guest.is("grace@op.example")
      await guest.opens("Sign out")
      await guest.clickButton("Leave")
      await guest.headed("Home")
      await guest.is("nobody")
      expect(guest.path()).toBe(world().at("/"))
      await guest.leave()
    })

    it("work on a prerendered page", async () => {
      const guest = await world().arrive()
      await guest.opens("Prerendered")
      await guest.is("nobody")
      await guest.clickButton("Sign in with Identity")
      await guest.headed("Behind the door")
      await guest.opens("Prerendered")
      await guest.page.getByRole("button", { name: "Sign out" }).click()
      await guest.is("nobody")
      await guest.leave()
    })
  })
}

/** The components for snippets, which Svelte 5 alone has. */
export function runes(world: () => World): void {
  describe("components with snippets", () => {
    it("sign in by every type of provider and out again, back on their page", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      const leave = async (): Promise<void> => {
        await guest.headed("Runes")
        await guest.clickButton("Leave")
        await guest.is("nobody")
      }
      await guest.page.goto(`${world().running.home}/runes`)
      await guest.clickButton("Sign in with Identity")
      await guest.is("ada@op.example")
      await leave()
      await guest.types("Mail me a link", { email })
      await guest.headed("Check your email")
      await guest.page.goto((await world().running.mailbox.next(email, { timeout: 60_000 })).link)
      await guest.is(email)
      await leave()
      await guest.types("Sign in with password", { email, password: "right" })
      await guest.is(email)
      await leave()
      expect(guest.path()).toBe(world().at("/runes"))
      await guest.leave()
    })
  })
}
