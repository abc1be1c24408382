/** What pages and routes do: guards, streaming, prerendering, no JavaScript, and requests of other sites. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Guest } from "../support/guest.js"
import type { World } from "./world.js"

export function pages(world: () => World): void {
  describe("guards", () => {
    it.each(["/protected", "/members"])("answer 303 and name the page: %s", async (path) => {
      const { at, running } = world()
      const url = `${running.origin}${at(path)}`
      const response = await fetch(url, { redirect: "manual" })
      expect(response.status).toBe(303)
      const location = new URL(response.headers.get("location") ?? "", url)
      expect(location.pathname).toBe(at("/signin"))
      expect(location.searchParams.get("callbackUrl")).toBe(at(path))
    })

    it.each([
      { path: "/protected", heading: "Behind the door" },
      { path: "/members", heading: "Members" },
    ])("lead back to the page after signing in, by each type of provider: $path", async ({ heading, path }) => {
      const email = world().freshAddress()
      const ways = {
        identity: (guest: Guest) => guest.clickButton("Sign in with Identity"),
        password: (guest: Guest) => guest.types("Sign in with password", { email, password: "right" }),
        link: async (guest: Guest) => {
          await guest.types("Mail me a link", { email })
          await guest.headed("Check your email")
          await guest.page.goto((await world().running.mailbox.next(email, { timeout: 60_000 })).link)
        },
      }
      for (const way of Object.values(ways)) {
        const guest = await world().arrive()
        await guest.page.goto(`${world().running.home}${path}`)
        await guest.headed("Sign in")
        await way(guest)
        await guest.headed(heading)
        expect(guest.path()).toBe(world().at(path))
        await guest.leave()
      }
    })

    it.each([
      { link: "Protected", heading: "Behind the door" },
      { link: "Members", heading: "Members" },
    ])("hold when the page is reached by a link, without a document: $link", async ({ heading, link }) => {
      const email = world().freshAddress()
      const guest = await world().arrive()
      await guest.opens(link, "Sign in")
      expect(guest.path()).toBe(world().at("/signin"))
      await guest.types("Sign in with password", { email, password: "right" })
      await guest.headed(heading)
      await guest.opens("Home")
      await guest.opens(link, heading)
      await guest.leave()
    })
  })

  it("streams: the session can be asked for after the page has begun, by many at once", async () => {
    const email = world().freshAddress()
    const guest = await world().arrive()
    await guest.opens("Actions")
    await guest.types("Password, staying", { email, password: "right" })
    await guest.is(email)
    const response = await guest.page.goto(`${world().running.home}/streaming`)
    await guest.sees(`Streamed to ${email}`)
    const text = (await response?.text()) ?? ""
    expect(text.indexOf("Wait"), "the page begins before the answer is there").toBeLessThan(text.indexOf("</html>"))
    expect(text.indexOf("</html>"), "the answer follows").toBeLessThan(text.lastIndexOf(email))
    await guest.opens("Home")
    await guest.opens("Streaming")
    await guest.sees(`Streamed to ${email}`)
    await guest.leave()
  })

  it("prerenders a page with components, for nobody in particular", async () => {
    const { application } = world()
    const file = join(application.folder, "build/prerendered", application.base, "prerendered.html")
    const text = await readFile(file, "utf8")
    expect(text).toContain("nobody")
    expect(text).toContain(`action="${world().at("/signin")}"`)
    expect(text).toContain(`action="${world().at("/signout")}"`)
  })

  it("works with JavaScript switched off", async () => {
    const email = world().freshAddress()
    const guest = await world().arrive({ javaScriptEnabled: false })
    const leave = async (): Promise<void> => {
      await guest.opens("Sign out")
      await guest.clickButton("Leave")
      await guest.headed("Home")
      await guest.is("nobody")
    }
    await guest.opens("Protected", "Sign in")
    await guest.types("Sign in with password", { email, password: "wrong" })
    await guest.page.getByRole("alert").getByText("Refused: wrong-password").waitFor()
    await guest.types("Sign in with password", { email, password: "right" })
    await guest.headed("Behind the door")
    await leave()
    await guest.opens("Protected", "Sign in")
    await guest.types("Mail me a link", { email })
    await guest.headed("Check your email")
    await guest.page.goto((await world().running.mailbox.next(email, { timeout: 60_000 })).link)
    await guest.headed("Behind the door")
    await leave()
    await guest.opens("Protected", "Sign in")
    await guest.clickButton("Sign in with Identity")
    await guest.headed("Behind the door")
    await guest.leave({ mayComplain: /401/ })
  })
}
