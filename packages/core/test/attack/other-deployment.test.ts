/** What was begun under another configuration, and what the first request after the start says: neither counts later. */
import { expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { openBrowser } from "../support/browser.js"
import { makeWorld } from "../support/world.js"

it("a provider that was removed signs nobody in, with whatever cookies", { tags: ["threat:A-106"] }, async () => {
  const world = await makeWorld({ strategy: "jwt" })
  const browser = world.browser()
  const begun = await browser.post("/auth/signin/op", {})
  const { pathname, search } = world.op.authorize(begun.location ?? "")
  const later = createAuth({ ...world.config, providers: world.config.providers.slice(1) }, { env: {} })
  const rest = openBrowser(later.handle)
  for (const [name, { value }] of browser.jar) rest.setCookie(name, value)
  const before = world.op.calls.length
  const visit = await rest.get(pathname + search)
  expect(visit.status).toBe(404)
  expect(world.op.calls).toHaveLength(before)
  expect(await rest.session()).toBeNull()
})

it.each([
  { host: "evil.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "http" },
  { host: "app.test", "x-forwarded-host": "x:", "x-forwarded-proto": "x:" },
  { host: "<script>", "x-forwarded-host": "a b" },
])("the host of the first request (%j) is not that of the next", { tags: ["threat:A-038"] }, async (headers) => {
  const world = await makeWorld()
  await world.auth.handle(new Request("https://app.test/auth/csrf", { headers }))
  await world.auth.handle(new Request("https://app.test/auth/signin", { headers }))
  const begun = await world.browser().post("/auth/signin/op", {})
  expect(new URL(begun.location ?? "").searchParams.get("redirect_uri")).toBe("https://app.test/auth/callback/op")
})
