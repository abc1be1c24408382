/** A runtime whose `fetch` is exchanged, by tests or instrumentation: what another one fetched is not believed. */
import { afterEach, expect, it, vi } from "vitest"
import { oidcAt, openDesk, signIn } from "../../../test/support/oauth-desk.js"
import { makeOpKey, openOp } from "../../../test/support/op.js"
import { createCaches } from "../../config/caches.js"
import { customFetch } from "../../config/markers.js"

afterEach(() => vi.unstubAllGlobals())

it("knows neither the document nor the keys that another `fetch` brought", async () => {
  const caches = createCaches()
  for (const path of ["first", "second", "third"]) {
    const op = await openOp()
    op.keys = [await makeOpKey("the-same-name")]
    op.metadata = { authorization_endpoint: `${op.issuer}/${path}` }
    vi.stubGlobal("fetch", op.fetch)
    const desk = openDesk(oidcAt(op, { [customFetch]: undefined }), { caches })
    expect((await desk.begin()).url.pathname).toBe(`/${path}`)
    await expect(signIn(desk, op)).resolves.toMatchObject({ account: { provider: "op" } })
  }
})
