import type { RequestEvent } from "@sveltejs/kit"
import { expect, it } from "vitest"
import { stage } from "../../test/support/application.js"
import { cookiesSet } from "./cookies-set.js"

it("tells what was cleared where the framework does not show it, as SvelteKit 3 does not", {
  tags: ["threat:RC-12"],
}, () => {
  const { request, locals } = stage(
    new Request("https://app.test/", { headers: { cookie: "session=first;other=1; nameless; \u00a0blank=2; kept=3" } }),
  ).event
  const cookies = { getAll: () => [{ name: "kept", value: "\0sent 3" }] }
  const state = cookiesSet({ request, locals, cookies } as unknown as RequestEvent)
  expect(Object.fromEntries(state)).toEqual({ session: "", other: "" })
})
