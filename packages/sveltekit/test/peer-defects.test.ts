/** The defects of the SvelteKit integration of Auth.js (57 to 67 in our list) do not occur here. */
import { isRedirect, type RequestEvent } from "@sveltejs/kit"
import { afterEach, expect, it, vi } from "vitest"
import { getSession, registerPasskey, signInWithPasskey } from "../src/client.js"
import { addressOf, optionFields, signInFields } from "../src/components/form-parts.js"
import { application, Browser, config, origin, stage } from "./support/application.js"

const ada = { providerId: "credentials", name: "Ada", password: "right" }

afterEach(() => {
  vi.unstubAllGlobals()
})

function posted(form: Record<string, string>, at: string = origin): ReturnType<typeof stage> {
  const body = new URLSearchParams(form)
  return stage(new Request(`${at}/signin`, { method: "POST", body, headers: { origin: at } }))
}

async function locationOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.catch((error: unknown) => error)
  if (!isRedirect(thrown)) throw thrown
  return thrown.location
}

it("57: the base path can be chosen", async () => {
  const browser = new Browser(application(config({ basePath: "/login" }), { kitBase: "/app" }))
  expect((await browser.visit("/app/login/session")).status).toBe(200)
  expect(await (await browser.visit("/app/auth/session")).text()).toBe("page")
})

it.each([{ AUTH_TRUST_HOST: "true" }, { VERCEL: "1" }, { AUTH_URL: origin }])(
  "58: %j is looked at before the host is mistrusted in production",
  async (environment) => {
    const { trustHost: _, ...silent } = config()
    const status = async (env: Record<string, string>): Promise<number> => {
      const app = application(silent, { environment: async () => ({ NODE_ENV: "production", ...env }) })
      return (await new Browser(app).visit("/auth/session")).status
    }
    expect(await status(environment as Record<string, string>)).toBe(200)
    expect(await status({})).toBe(500)
  },
)

it("59: forged requests are refused, whatever their body is", async () => {
  const app = application()
  for (const type of ["application/json", "text/plain", "Application/X-WWW-Form-URLEncoded"]) {
    const browser = new Browser(app)
    await browser.post("/signin", ada, (event) => app.signIn(event) as never)
    const headers = { "content-type": type, origin: "https://evil.test" }
    await browser.visit("/auth/signout", undefined, { method: "POST", headers, body: "{}" })
    expect(browser.has("session-token")).toBe(true)
  }
  expect((await new Browser(app).visit("/auth/csrf")).status).toBe(200)
})

it("60: the text `false` in the field `redirect` is false", async () => {
  const { event } = posted({ ...ada, redirectTo: "/in", redirect: "false" })
  expect(await application().signIn(event)).toEqual({ redirect: `${origin}/in` })
})

it("61: the component keeps redirectTo and redirect apart, and drops no authorization parameters", () => {
  const options = { redirectTo: "/in", redirect: false }
  expect(optionFields(options)).toEqual([
    ["redirectTo", "/in"],
    ["redirect", "false"],
  ])
  for (const authorizationParams of ["prompt=login", new URLSearchParams("prompt=login"), { prompt: "login" }])
    expect(signInFields({ provider: "git", options, authorizationParams })).toContainEqual([
      "authorizationParams-prompt",
      "login",
    ])
})

it("62: a host or a path that contains `signin` stays as it is", async () => {
  const at = "https://signin.example"
  const app = application(config({ basePath: "/signin/auth" }))
  expect(await locationOf(app.signIn(posted({ ...ada, redirectTo: "/signin" }, at).event))).toBe(`${at}/signin`)
  const answer = await new Browser(app, at).visit("/signin/auth/providers")
  expect(await answer.json()).toMatchObject({ git: { signinUrl: `${at}/signin/auth/signin/git` } })
})

it("63: signIn and signOut answer alike when they do not redirect", async () => {
  const app = application()
  const form = { redirectTo: "/x", redirect: "false" }
  expect(await app.signIn(posted({ ...ada, ...form }).event)).toEqual({ redirect: `${origin}/x` })
  expect(await app.signOut(posted(form).event)).toEqual({ redirect: `${origin}/x` })
})

it("64: what fails is thrown as an error, never as a redirect that leads nowhere", async () => {
  const authorization = "not an address"
  const broken = config({ adapter: { getUserByAccount: () => Promise.reject(new Error("away")) } as never })
  for (const given of [
    broken,
    config({ providers: [{ id: "git", type: "oauth", name: "Git", authorization } as never] }),
  ]) {
    const thrown = await application(given)
      .signIn(posted({ providerId: "git" }).event)
      .catch((error: unknown) => error)
    if (isRedirect(thrown)) expect(URL.canParse(thrown.location)).toBe(true)
    else expect(thrown).toBeInstanceOf(Error)
  }
  const faulty = config({ callbacks: { redirect: () => undefined as never } })
  const thrown = await application(faulty)
    .signIn(posted(ada).event)
    .catch((error: unknown) => error)
  expect(isRedirect(thrown) ? URL.canParse(thrown.location) : thrown instanceof Error).toBe(true)
})

it("65: passkeys are asked for where the service is, under both ids", async () => {
  const asked: string[] = []
  vi.stubGlobal("fetch", async (input: string) => {
    asked.push(input)
    return Response.json({}, { status: 400 })
  })
  await signInWithPasskey().catch(() => undefined)
  await registerPasskey({ provider: "webauthn" }).catch(() => undefined)
  expect(asked).toEqual([
    "/base/auth/webauthn-options/passkey?action=authenticate",
    "/base/auth/webauthn-options/webauthn?action=register",
  ])
})

it("66: components and client know the base path of the application", async () => {
  expect(addressOf("signin")).toBe("/base/signin")
  const fetch = vi.fn(async () => Response.json(null))
  vi.stubGlobal("fetch", fetch)
  await getSession()
  expect(fetch).toHaveBeenCalledWith("/base/auth/session", undefined)
})

it("67: cookies have the attributes they were given, on plain http too", async () => {
  const { event, set } = posted({ ...ada, redirect: "false" }, "http://app.test")
  await application().signIn(event)
  expect(set).toEqual([
    {
      name: "authjs.session-token",
      value: expect.any(String),
      options: expect.objectContaining({ secure: false, httpOnly: true, sameSite: "lax", path: "/" }),
    },
  ])
})

it("the session is resolved once in a request and written by the hook, also when a page streams it (pain 9)", async () => {
  const session = vi.fn(({ session: given }) => given)
  const app = application(config({ session: { updateAge: 0 }, callbacks: { session } }))
  const browser = new Browser(app)
  await browser.post("/signin", ada, (event) => app.signIn(event) as never)
  let streamed: Promise<unknown> | undefined
  const load = async ({ locals }: RequestEvent): Promise<Response> => {
    await Promise.all([locals.auth(), locals.auth(), locals.auth()])
    streamed = new Promise((resolve) => setTimeout(resolve, 0)).then(() => locals.auth())
    return new Response("shell")
  }
  await browser.visit("/", load)
  expect(await streamed).toMatchObject({ user: { name: "Ada" } })
  expect(session).toHaveBeenCalledTimes(1)
})
