/** Forms of the application's own, whose actions call the functions of the package. */
import { describe, expect, it } from "vitest"
import type { World } from "./world.js"

export function actions(world: () => World): void {
  describe("form actions", () => {
    it.each([
      { way: "form", refusal: "wrong-password" },
      { way: "caught", refusal: "caught wrong-password" },
    ])("tell the page of a refusal and lead on after success: $way", async ({ refusal, way }) => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Actions")
      await guest.types(`Password, ${way}`, { email, password: "wrong" })
      await guest.page.getByRole("alert").getByText(refusal, { exact: true }).waitFor()
      await guest.types(`Password, ${way}`, { email, password: "right" })
      await guest.headed("Behind the door")
      await guest.is(email)
      // SvelteKit 3 answers a refusal with its status, SvelteKit 2 tells it in the body.
      await guest.leave({ mayComplain: /401|422/ })
    })

    it("throw a refusal to SvelteKit when nobody catches it", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Actions")
      await guest.types("Password, direct", { email, password: "wrong" })
      await guest.headed("500")
      await guest.opens("Actions")
      await guest.types("Password, direct", { email, password: "right" })
      await guest.headed("Behind the door")
      await guest.leave({ mayComplain: /500/ })
    })

    it("stay on the page if the form says so, and show the signed-in user at once", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Actions")
      await guest.types("Password, staying", { email, password: "right" })
      await guest.page
        .getByRole("alert")
        .getByText(`Here is ${email}, who could go to ${world().at("/")}`)
        .waitFor()
      await guest.is(email)
      await guest.leave()
    })

    it("sign in by an e-mail link and with an identity provider", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Actions")
      await guest.types("Link", { email })
      await guest.headed("Check your email")
      await guest.page.goto((await world().running.mailbox.next(email, { timeout: 60_000 })).link)
      await guest.headed("Behind the door")
      await guest.is(email)
      await guest.opens("Actions")
      await guest.clickButton("Leave")
      await guest.is("nobody")
      await guest.opens("Actions")
      await guest.clickButton("Identity")
      await guest.headed("Behind the door")
      await guest.is("ada@op.example")
      // The page to which the action leads is the service's own; SvelteKit says so before it lets the browser go there.
      await guest.leave({ mayComplain: /Not found: \S*\/auth\/verify-request/ })
    })

    it("update the session", async () => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens("Actions")
      await guest.types("Password, staying", { email, password: "right" })
      await guest.is(email)
      await guest.clickButton("Rename")
      await guest.page.getByRole("alert").getByText("Now Duchess").waitFor()
      await guest.opens("Client")
      await guest.sees("Name: Duchess")
      expect(guest.path()).toBe(world().at("/client"))
      await guest.leave()
    })
  })
}
