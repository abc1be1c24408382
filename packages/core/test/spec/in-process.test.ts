/**
 * The calls in this process that the hook and the form actions of a component framework rest on: the part of such an
 * integration that the core owes it.
 */
import { expect, it } from "vitest"
import type { RedirectAnswer, Sender } from "../../src/index.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { makeWorld } from "../support/world.js"

const origin = "https://app.test"
const cookieHeader = (cookies: readonly { name: string; value: string }[]): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ")

it.each(["jwt", "database"] as const)(
  "a session is read, begun and ended without a request to the service, %s strategy [spec sveltekit session]",
  async (strategy) => {
    const { auth, adapter } = await makeWorld({ strategy, more: [credentialsProvider()] })
    await adapter.createUser?.({ id: "7", name: "Ada", email: "ada@app.test", emailVerified: null })
    const stranger = { url: `${origin}/inside`, headers: new Headers() }
    expect(await auth.session(stranger)).toEqual({ session: null, cookies: [] })

    const begun = await auth.signIn(stranger, "credentials", { fields: rightCredentials, redirectTo: "/inside" })
    expect(begun.redirect).toBe(`${origin}/inside`)
    const cookie = cookieHeader(begun.cookies)
    const member = { url: `${origin}/inside`, headers: { cookie } }
    expect((await auth.session(member)).session).toMatchObject({ user: { name: "Ada" }, expires: expect.any(String) })

    const ended = await auth.signOut(member, { redirectTo: "/bye" })
    expect(ended.redirect).toBe(`${origin}/bye`)
    expect(ended.cookies).toContainEqual(expect.objectContaining({ name: "__Secure-authjs.session-token", value: "" }))
  },
)

it.each(["javascript:alert(1)", "data:text/html,x"])("no call in this process redirects to %s", async (address) => {
  const config = { callbacks: { signIn: () => address } }
  const { auth } = await makeWorld({ strategy: "jwt", config, more: [credentialsProvider()] })
  const source = { url: `${origin}/inside`, headers: new Headers() }
  const { redirect } = await auth.signIn(source, "credentials", { fields: rightCredentials })
  expect(redirect).toBe(origin)
})

it("a sign-in at a provider is begun with the callback below the base path [spec sveltekit callback-url]", async () => {
  const { auth, op } = await makeWorld({ config: { basePath: "/own" } })
  const source = { url: `${origin}/signin`, headers: new Headers() }
  const { redirect, cookies } = await auth.signIn(source, "op", { redirectTo: "/inside" })
  expect(redirect).toContain(`${op.issuer}/authorize?`)
  expect(new URL(redirect).searchParams.get("redirect_uri")).toBe(`${origin}/own/callback/op`)
  const back = op.authorize(redirect)
  const request = new Request(back, { headers: { cookie: cookieHeader(cookies) } })
  const answer = await auth.handle(request)
  expect(answer.headers.get("location")).toBe(`${origin}/inside`)
})

it("what the application itself sent needs no token, what another site sent is refused [spec sveltekit members]", async () => {
  const { auth } = await makeWorld({ strategy: "jwt", more: [credentialsProvider()] })
  const stranger = { url: `${origin}/inside`, headers: new Headers() }
  const signIn = (sender: Sender): Promise<RedirectAnswer> =>
    auth.signIn(stranger, "credentials", { fields: rightCredentials, sender })
  await expect(signIn("foreign")).rejects.toMatchObject({ type: "MissingCSRF" })
  await expect(signIn("unknown")).rejects.toMatchObject({ type: "MissingCSRF" })
  const { cookies } = await signIn("own")

  const headers = { cookie: cookieHeader(cookies) }
  await expect(auth.signOut({ url: origin, headers }, { sender: "foreign" })).rejects.toMatchObject({
    type: "MissingCSRF",
  })
  const post = (): Request => new Request(`${origin}/auth/signout`, { method: "POST", headers })
  expect((await auth.handle(post())).headers.getSetCookie()).toEqual([])
  const ended = await auth.handle(post(), { sender: "own" })
  expect(ended.headers.getSetCookie().join()).toContain("session-token=;")
})

it("a session that is read when no cookie can be set any more is not extended [spec sveltekit auth]", async () => {
  const { auth } = await makeWorld({
    strategy: "jwt",
    config: { session: { strategy: "jwt", updateAge: 0 } },
    more: [credentialsProvider()],
  })
  const stranger = { url: `${origin}/inside`, headers: new Headers() }
  const { cookies } = await auth.signIn(stranger, "credentials", { fields: rightCredentials })
  const member = { url: `${origin}/inside`, headers: { cookie: cookieHeader(cookies) } }
  expect((await auth.session(member)).cookies).toHaveLength(1)
  const late = await auth.session(member, { extend: false })
  expect(late).toMatchObject({ session: { user: { name: "Ada" } }, cookies: [] })
})

it("the hook passes all other requests to the framework [spec sveltekit members]", async () => {
  const { auth } = await makeWorld()
  expect(
    ["/auth/session", "/auth/callback/op", "/", "/auth", "/auth/other", "/authx/session"].filter(auth.isOwn),
  ).toEqual(["/auth/session", "/auth/callback/op"])
})
