import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { refreshAll } from "$app/navigation"
import {
  createClient,
  getCsrfToken,
  getProviders,
  getSession,
  registerPasskey,
  signIn,
  signInWithPasskey,
  signOut,
  update,
} from "./client.js"
import * as webauthn from "./webauthn.js"

const asked: string[] = []
const fetch = vi.fn(async (input: string) => {
  asked.push(input)
  if (input.endsWith("/csrf")) return Response.json({ csrfToken: "t" })
  if (input.endsWith("/session")) return Response.json({ user: { name: "Ada" }, expires: "x" })
  if (input.endsWith("/providers")) return Response.json({ own: { type: "credentials" } })
  return Response.json({ url: "https://app.test/base/" })
})

beforeEach(() => {
  asked.length = 0
  vi.stubGlobal("fetch", fetch)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

it("finds the service below the base path of the application", async () => {
  expect(await getSession()).toMatchObject({ user: { name: "Ada" } })
  expect(await getCsrfToken()).toBe("t")
  expect(Object.keys(await getProviders())).toEqual(["own"])
  expect(asked).toEqual(["/base/auth/session", "/base/auth/csrf", "/base/auth/providers"])
})

it("finds it where the page says it is", async () => {
  const meta = { getAttribute: () => "/base/login" }
  vi.stubGlobal("document", { querySelector: () => meta })
  await getSession()
  expect(asked).toEqual(["/base/login/session"])
})

it("signs in and out, and stays on the page when asked to [spec sveltekit client]", async () => {
  const options = { redirect: false, redirectTo: "/base/", name: "Ada" } as const
  expect(await signIn("credentials", options)).toMatchObject({ ok: true, url: "https://app.test/base/" })
  expect(await signOut({ redirect: false })).toEqual({ url: "https://app.test/base/" })
  expect(asked).toEqual(["/base/auth/csrf", "/base/auth/callback/credentials", "/base/auth/csrf", "/base/auth/signout"])
})

it("sends the fields of credentials with the options [spec sveltekit client-credentials]", async () => {
  await signIn("credentials", { redirect: false, redirectTo: "/base/", name: "Ada", password: "right" })
  const [, init] = fetch.mock.calls.at(-1) as unknown as [string, { body: BodyInit }]
  expect(Object.fromEntries(new URLSearchParams(String(init.body)))).toMatchObject({ name: "Ada", password: "right" })
})

it("loads the data of the page anew after an update", async () => {
  expect(await update({ name: "Ada" })).toMatchObject({ user: { name: "Ada" } })
  expect(refreshAll).toHaveBeenCalledTimes(1)
  fetch.mockResolvedValueOnce(Response.json({ error: "Configuration" }, { status: 503 }))
  await expect(update()).rejects.toThrow()
  expect(refreshAll).toHaveBeenCalledTimes(1)
})

it("makes clients for other places", async () => {
  await createClient({ basePath: "/second" }).getSession()
  await createClient().getSession()
  expect(asked).toEqual(["/second/session", "/base/auth/session"])
})

it("asks the service for the options of a passkey, below the base path", async () => {
  fetch.mockImplementation(async (input: string) => {
    asked.push(input)
    return Response.json({ error: "Signin" }, { status: 400 })
  })
  await expect(signInWithPasskey()).rejects.toThrow()
  await expect(registerPasskey({ provider: "webauthn" })).rejects.toThrow()
  expect(asked).toEqual([
    "/base/auth/webauthn-options/passkey?action=authenticate",
    "/base/auth/webauthn-options/webauthn?action=register",
  ])
  expect(webauthn).toMatchObject({ registerPasskey, signIn, signInWithPasskey })
})
