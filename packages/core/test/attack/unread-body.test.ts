/** A request that is refused regardless of its body is refused before the body is read, because parsing is the expensive part. */
import { describe, expect, it } from "vitest"
import { skipCSRFCheck } from "../../src/config/markers.js"
import type { HandleOptions } from "../../src/engine/public.js"
import { makeWorld, type World } from "../support/world.js"

const json = { "content-type": "application/json" }

/** Posts JSON; says whether the body was read, and what the answer was. */
async function post(
  world: World,
  path: string,
  options: HandleOptions & { headers?: Record<string, string>; fields?: object } = {},
): Promise<{ isRead: boolean; status: number }> {
  const { headers, fields, sender } = options
  const body = JSON.stringify({ csrfToken: "x", ...fields })
  const request = new Request(`https://app.test${path}`, { method: "POST", headers: { ...json, ...headers }, body })
  const { status } = await world.auth.handle(request, sender ? { sender } : {})
  return { isRead: request.bodyUsed, status }
}

describe("a body is not read", () => {
  it.each([
    ["without the cookie of the CSRF token", "/auth/signin/op", {}],
    ["with such a cookie that is too long to be one", "/auth/signout", { cookie: cookieOf("x".repeat(3000)) }],
    ["at a path that names no action", "/auth/other", { cookie: cookieOf("x") }],
    ["for a provider that is not there", "/auth/signin/nowhere", { cookie: cookieOf("x") }],
    ["for an action that is not posted to", "/auth/csrf", { cookie: cookieOf("x") }],
  ])("%s", async (_, path, headers) => {
    expect(await post(await makeWorld(), path, { headers })).toMatchObject({ isRead: false })
  })

  it("while the configuration refuses every request", async () => {
    const world = await makeWorld({ config: { secret: "" } })
    expect(await post(world, "/auth/callback/op")).toEqual({ isRead: false, status: 500 })
  })

  it("where the protection is switched off and another site sent the form", async () => {
    const world = await makeWorld({ config: { skipCSRFCheck } })
    expect(await post(world, "/auth/signout", { sender: "foreign" })).toMatchObject({ isRead: false })
    expect(await post(world, "/auth/signout")).toMatchObject({ isRead: true })
  })
})

describe("a body is read", () => {
  it("with the cookie, and the token in it counts", async () => {
    const world = await makeWorld()
    const browser = world.browser()
    await browser.get("/auth/csrf")
    expect((await browser.post("/auth/signin/op", {})).location).toContain(world.op.issuer)
  })

  it("without the cookie where the integration has seen that the application sent it", async () => {
    expect(await post(await makeWorld(), "/auth/signout", { sender: "own" })).toEqual({ isRead: true, status: 302 })
  })

  it("where no token is required", async () => {
    expect(await post(await makeWorld(), "/auth/callback/op")).toMatchObject({ isRead: true })
  })
})

it("the refusal is the same as with the body: the cookie is missing", async () => {
  const world = await makeWorld()
  await post(world, "/auth/signout")
  expect(world.errors[0]?.message).toMatch(/its cookie "__Host-authjs\.csrf-token" is missing/)
})

function cookieOf(value: string): string {
  return `__Host-authjs.csrf-token=${value}`
}
