import { readFileSync } from "node:fs"
import { type Handle, isHttpError, isRedirect, type RequestEvent } from "@sveltejs/kit"
import { describe, expect, it } from "vitest"
import { trustedElsewhere } from "../../../../e2e/support/hostile-headers.js"
import { application, config, origin, stage } from "../../test/support/application.js"
import { guardBelow } from "./guard.js"

const requireSession = guardBelow("/app")
type Guarded = Parameters<typeof requireSession>[0]

function visiting(path: string, session: unknown, init: RequestInit = {}): Guarded {
  const { event } = stage(new Request(origin + path, init), { auth: async () => session })
  return event
}

async function locationOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.catch((error: unknown) => error)
  if (!isRedirect(thrown)) throw thrown
  expect(thrown.status).toBe(303)
  return thrown.location
}

describe("requireSession", () => {
  it("returns the session of a person", async () => {
    const session = { user: { name: "Ada" }, expires: "x" }
    expect(await requireSession(visiting("/app/mine", session))).toBe(session)
  })

  it.each([null, { expires: "x" }, { user: null }, undefined])(
    "lets nobody else pass: %j [spec sveltekit guard]",
    async (session) => {
      expect(await locationOf(requireSession(visiting("/app/mine?a=1&b=2", session)))).toBe(
        "/app/signin?error=SessionRequired&callbackUrl=%2Fapp%2Fmine%3Fa%3D1%26b%3D2",
      )
    },
  )

  it("lets nobody pass by a header that names a path, a person or another program", {
    tags: ["threat:A-081", "threat:A-114", "threat:A-116", "threat:A-152"],
  }, async () => {
    const app = application(config())
    for (const headers of trustedElsewhere) {
      const locals: { auth?: () => Promise<unknown> } = {}
      const { event } = stage(new Request(`${origin}/app/mine`, { headers }), locals)
      locals.auth = () => app.auth(event)
      expect(await locationOf(requireSession(event as Guarded)), JSON.stringify(headers)).toContain("SessionRequired")
    }
  })

  it("leads to another page, with its query and fragment", async () => {
    const redirectTo = "/in?lang=de#form"
    expect(await locationOf(requireSession(visiting("/app/mine", null), { redirectTo }))).toBe(
      "/in?lang=de&error=SessionRequired&callbackUrl=%2Fapp%2Fmine#form",
    )
  })

  it("names no other host to return to", async () => {
    expect(await locationOf(requireSession(visiting("/app/../..//evil.test/x", null)))).toBe(
      "/app/signin?error=SessionRequired&callbackUrl=%2Fevil.test%2Fx",
    )
  })

  it("returns nobody to what was posted", async () => {
    const event = visiting("/app/mine", null, { method: "POST" })
    expect(await locationOf(requireSession(event))).toBe("/app/signin?error=SessionRequired")
  })

  it.each([
    ["/app/signin", {}],
    ["/app/signin/?error=SessionRequired", {}],
    ["/in", { redirectTo: "/in/?lang=de#form" }],
  ])(
    "says what is wrong where it stands before the page it leads to: %s",
    { tags: ["threat:PA-25", "threat:PA-19"] },
    async (path, options) => {
      await expect(requireSession(visiting(path, null), options)).rejects.toMatchObject({
        type: "InvalidConfiguration",
      })
    },
  )

  it.each([{ status: 404 }, { status: 401 }, {}])(
    "lets no cache keep its refusal for somebody who may pass: %j",
    { tags: ["threat:HD-03"] },
    async (options) => {
      const app = application(config())
      // As SvelteKit answers what a `load` throws: inside of `resolve`.
      const answer = (thrown: unknown): Response => {
        if (isHttpError(thrown)) return new Response("error page", { status: thrown.status })
        if (isRedirect(thrown)) return new Response(null, { status: thrown.status, headers: { location: "/in" } })
        throw thrown
      }
      const kept = async (guard: (event: RequestEvent) => Promise<unknown>) => {
        const { event } = stage(new Request(`${origin}/app/mine`))
        const resolve = (inner: RequestEvent) => guard(inner).then(() => new Response("in"), answer)
        const { headers, status } = await app.handle({ event, resolve })
        return [status, headers.get("cache-control")]
      }
      const refused = [options.status ?? 303, "private, no-store"]
      expect(await kept((event) => app.require(event, options as object))).toEqual(refused)
      expect(await kept((event) => requireSession(event, options as object))).toEqual(refused)
    },
  )

  it("answers with the given status", async () => {
    const thrown = await requireSession(visiting("/app/api", null), { status: 401 }).catch((error: unknown) => error)
    expect(isHttpError(thrown, 401)).toBe(true)
  })
})

describe("requireSession never fails open", () => {
  it("without the hook", async () => {
    const { event } = stage(new Request(origin))
    await expect(requireSession(event)).rejects.toThrow(/export `handle`/)
  })

  it.each([
    ["the session callback fails", config({ callbacks: { session: () => Promise.reject(new Error("away")) } })],
    ["there is no secret", config({ secret: "" })],
    ["the configuration cannot be made", () => Promise.reject(new Error("away"))],
  ])("when %s", async (_, source) => {
    const good = application()
    const { event, set } = stage(new Request(origin))
    await good.signIn(event, { provider: "credentials", fields: { name: "Ada", password: "right" }, redirect: false })
    const cookie = set.map(({ name, value }) => `${name}=${value}`).join("; ")
    const staged = stage(new Request(origin, { headers: { cookie } }))
    const outcome = application(source as never).handle({
      event: staged.event,
      resolve: async (inner) => {
        await requireSession(inner)
        return new Response("inside")
      },
    })
    const thrown = await Promise.resolve(outcome).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(Error)
  })
})

/** The hook that the guide prints, without what it imports. */
function printedGuard(): Handle {
  const guide = readFileSync(new URL("../../../../docs/guides/sveltekit.md", import.meta.url), "utf8")
  const [, code = ""] = /^(const guard = [\s\S]*?^})$/m.exec(guide) ?? []
  return new Function("requireSession", `${code}\nreturn guard`)(requireSession)
}

describe("the hook of the guide", () => {
  const resolve = async (): Promise<Response> => new Response("inside")
  const arriving = (id: string, isRemoteRequest: boolean) =>
    printedGuard()({ event: { ...visiting("/app/news", null), route: { id }, isRemoteRequest } as never, resolve })

  it("guards calls of remote functions, whatever page they say they come from", async () => {
    expect(await locationOf(Promise.resolve(arriving("/news", true)))).toContain("/app/signin?")
    expect(await locationOf(Promise.resolve(arriving("/(inside)/mine", false)))).toContain("/app/signin?")
    expect(await (await arriving("/news", false)).text()).toBe("inside")
  })
})
