/**
 * The calls in this process that a component framework's hook and form actions rest on. There is no package for such a
 * framework yet: what is shown here is the part of the integration that the core owes it.
 */
import { expect, it } from "vitest"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { makeWorld } from "../support/world.js"

const origin = "https://app.test"
const cookieHeader = (cookies: readonly { name: string; value: string }[]): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ")

it.each(["jwt", "database"] as const)(
  "a session is read, begun and ended without a request to the service, %s strategy [spec integration 2]",
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

it.each(["javascript:alert(1)", "data:text/html,x"])("no call in this process leads to %s", async (address) => {
  const config = { callbacks: { signIn: () => address } }
  const { auth } = await makeWorld({ strategy: "jwt", config, more: [credentialsProvider()] })
  const source = { url: `${origin}/inside`, headers: new Headers() }
  const { redirect } = await auth.signIn(source, "credentials", { fields: rightCredentials })
  expect(redirect).toBe(origin)
})

it("a sign-in at a provider is begun with the callback below the base path [spec integration 2]", async () => {
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

it("the hook leaves what is not the service's to the framework [spec integration 2]", async () => {
  const { auth } = await makeWorld()
  expect(
    ["/auth/session", "/auth/callback/op", "/", "/auth", "/auth/other", "/authx/session"].filter(auth.isOwn),
  ).toEqual(["/auth/session", "/auth/callback/op"])
})
