/** Cookies that come with what a page fetches from its own application, and a Response that is returned for many requests. */
import type { RequestEvent } from "@sveltejs/kit"
import { describe, expect, it } from "vitest"
import { type Answering, answered, copies, holdingBack, peopleIn, sessionName as session } from "./support/answered.js"
import { application, config, type Page } from "./support/application.js"

const app = application(config({ session: { updateAge: 0 } }))
const tags = ["threat:HD-06"]

const begin = (name: string, answer: () => Response): Page => {
  return async (event) => {
    await app.signIn(event, { provider: "credentials", fields: { name, password: "right" }, redirect: false })
    return answer()
  }
}

/** A route of the application, as the page fetches it. */
const route = (page: Page, more: Answering = {}): Required<Pick<Answering, "fetched">> => ({
  fetched: (event) => answered(app, { page, within: event, ...more }),
})

const fetching: Page = async (event) => event.fetch("/route")

describe("a session that was begun in what a page fetches", () => {
  it("reaches nobody who is answered at the same time with the same Response", { tags }, async () => {
    const one = new Response(null, { status: 204 })
    const { behind, goOn } = holdingBack()
    const page: Page = async (event) => {
      await fetching(event)
      return one
    }
    const ada = answered(app, { page, behind, ...route(begin("Ada", () => new Response("in"))) })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const stranger = await answered(app, { page: () => one })
    goOn()
    expect([await peopleIn(app, stranger), await peopleIn(app, await ada)]).toEqual([[], ["Ada"]])
  })

  it("reaches nobody later, where the page has not sent it on and a hook copies what the route returns", {
    tags,
  }, async () => {
    const one = new Response(null, { status: 204 })
    const page: Page = async (event: RequestEvent) => {
      await fetching(event)
      await app.signOut(event, { redirect: false })
      return new Response("out")
    }
    const out = await answered(app, {
      page,
      ...route(
        begin("Dan", () => one),
        { behind: copies },
      ),
    })
    expect(await peopleIn(app, out)).toEqual(["nobody"])
    expect(await peopleIn(app, await answered(app, { page: () => one }))).toEqual([])
    expect(await peopleIn(app, await answered(app, { page: () => one, behind: copies }))).toEqual([])
  })

  it("reaches nobody who is answered at the same time where the service itself has begun it", { tags }, async () => {
    let line = ""
    const page: Page = async (event) => {
      const answer = await fetching(event)
      line = answer.headers.getSetCookie().find((one) => one.startsWith(`${session}=`)) ?? ""
      const other = new Response(null, { headers: { "set-cookie": line } })
      const stranger = await answered(app, { page: () => other })
      return Response.json(stranger.headers.getSetCookie())
    }
    const cookie = (await answered(app, { page: begin("Ada", () => new Response()) })).headers.getSetCookie().join("; ")
    const fetched = {
      fetched: (within: RequestEvent) => answered(app, { url: "https://app.test/auth/session", cookie, within }),
    }
    const answer = await answered(app, { page, ...fetched })
    expect(line).toMatch(/=[^;]{100}/)
    expect(await answer.json()).toEqual([])
  })

  it("stays where an endpoint passes on what it has fetched, also for a domain that SvelteKit does not show", async () => {
    for (const domain of [undefined, "shown.test"]) {
      const line = `${session}=passed-on; Path=/${domain ? `; Domain=${domain}` : ""}`
      const inner: Page = ({ cookies }) => {
        cookies.set(session, "passed-on", { path: "/", ...(domain && { domain }) })
        return new Response("in")
      }
      const answer = await answered(app, { page: fetching, ...route(inner) })
      expect(answer.headers.getSetCookie().map((one) => one.split("; ")[0])).toContain(line.split("; ")[0])
    }
  })
})
