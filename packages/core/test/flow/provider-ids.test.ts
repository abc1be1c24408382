/** Whatever id a provider may have, the addresses that the service itself writes lead to it. */
import { expect, it } from "vitest"
import { createClient } from "../../src/client.js"
import { makeWorld } from "../support/world.js"

const origin = "https://app.test"

it.each(["tenant:main", "main@tenant", "a~b", "a.b_c-d"])(
  "a provider with the id %s is found where it is listed",
  async (id) => {
    const world = await makeWorld({ adapter: false, provider: { id } })
    const answer = await world.auth.handle(new Request(`${origin}/auth/providers`))
    const { signinUrl, callbackUrl } = ((await answer.json()) as Record<string, Record<string, string>>)[id] ?? {}
    expect((await world.auth.handle(new Request(signinUrl ?? ""))).status).toBe(200)

    const { redirect } = await world.auth.signIn({ url: origin, headers: {} }, id)
    expect(new URL(redirect).searchParams.get("redirect_uri")).toBe(callbackUrl)
    const denied = await world.auth.handle(new Request(`${callbackUrl}?error=access_denied`))
    expect(denied.status).toBe(302)
  },
)

it("the browser client uses the same URL for it", async () => {
  const asked: string[] = []
  const fetch = async (url: string): Promise<Response> => {
    asked.push(url)
    return Response.json({ csrfToken: "t", url: origin })
  }
  const { signIn } = createClient({ fetch, navigate: () => undefined })
  await signIn("tenant:main", { redirect: false, redirectTo: "/", providerType: "email" } as never)
  expect(asked).toContain("/auth/signin/tenant:main")
})

it.each([[null], [7], [true], [["/x"]], [{ id: "a" }]])(
  "what is not a string is no provider of a call: %j",
  async (given) => {
    const world = await makeWorld({ adapter: false })
    const called = world.auth.signIn({ url: origin, headers: {} }, given as never)
    await expect(called).rejects.toMatchObject({ type: "InvalidProvider" })
  },
)
