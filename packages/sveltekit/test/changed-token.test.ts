import { expect, it } from "vitest"
import { refreshing } from "../../core/test/support/refreshed-token.js"
import { acting, application, Browser, config, nameIn, who } from "./support/application.js"

it.each(["session", "update"] as const)(
  "a token that the jwt callback has refreshed is in the cookie of the page that shows the error: %s",
  async (how) => {
    const { state, callbacks } = refreshing()
    const auth = application(
      config({
        callbacks,
      }),
    )
    const browser = new Browser(auth)
    const ada = { provider: "credentials", fields: { name: "Ada", password: "right" }, redirect: false }
    await browser.post(
      "/in",
      {},
      acting((event) => auth.signIn(event, ada)),
    )
    Object.assign(state, { refresh: true, fails: true })
    // SvelteKit makes a page of an error, and sets the cookies on it.
    const failed = await browser.visit("/", async (event) => {
      const work = how === "session" ? auth.session(event) : auth.update(event, {})
      return work.then(
        () => new Response("page"),
        () => new Response("error", { status: 500 }),
      )
    })
    expect(failed.status).toBe(500)
    Object.assign(state, { refresh: false, fails: false })
    expect(await nameIn(await browser.visit("/", who))).toBe("Ada")
    expect(state.seen).toBe(1)
  },
)
