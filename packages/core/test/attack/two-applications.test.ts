/** Two applications with a secret each: what one of them sealed is worth nothing at the other, on one host or on two. */
import { softwarePasskey } from "@latchkey/testing"
import { toBase64url } from "@latchkey/testing/webauthn"
import { expect, it, vi } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { AuthConfig } from "../../src/types/config.js"
import { openBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { optionsOf, registerPasskey } from "../support/passkeys.js"
import { passwordProvider, plainSettings } from "../support/password-service.js"

const secretOf = (name: string): string => `secret-of-${name}`.padEnd(32, ".")
const application = (name: string, more: Partial<AuthConfig>) =>
  createAuth({ ...plainSettings, secret: secretOf(name), providers: [], ...more }, { env: {} })

it("a passkey that one application lets strangers register is not taken by the other", {
  tags: ["threat:CK-34"],
}, async () => {
  const passkeys = { experimental: { enableWebAuthn: true } }
  const open = application("shop", { ...passkeys, adapter: memoryAdapter(), providers: [Passkey] })
  const closed = [Passkey({ getUserInfo: () => null })]
  const office = application("office", { ...passkeys, adapter: memoryAdapter(), providers: closed })
  const [shop, desk] = [openBrowser(open.handle), openBrowser(office.handle)]
  expect((await registerPasskey(desk, softwarePasskey(), "eve@op.test")).status).toBe(400)
  const { options } = await optionsOf(shop, { action: "register", email: "eve@op.test" })
  for (const [name, { value }] of shop.jar) desk.setCookie(name, value)
  const body = { action: "register", data: JSON.stringify(await softwarePasskey().create(options)) }
  const visit = await desk.post("/auth/callback/passkey", body, { csrf: false, json: true })
  expect(visit.setCookies).not.toContain(sessionCookie)
  expect(await desk.session()).toBeNull()
})

it("a link to the passkeys of one application hides no passkey of the other, whose relying party is the same", {
  tags: ["threat:CK-34"],
}, async () => {
  const more = { experimental: { enableWebAuthn: true }, features: [passkeys()], providers: [Passkey] }
  const { handle } = application("shop", { ...more, adapter: memoryAdapter() })
  const office = openBrowser(application("office", { ...more, adapter: memoryAdapter() }).handle)
  const [shop, eve] = [openBrowser(handle), openBrowser(handle)]
  const atOffice = softwarePasskey()
  await registerPasskey(shop, softwarePasskey(), "ada@app.test")
  await registerPasskey(office, atOffice, "ada@app.test")
  const attestedId = atOffice.credentials[0]?.id ?? new Uint8Array()
  const id = toBase64url(attestedId)
  const page = { accept: "text/html", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
  const link = await shop.get(`/auth/passkeys?did=didRemove&removed=${id}`, page)
  expect(link.text).toContain("data-signals=")
  expect(link.text).not.toContain(id)
  // Nor by what Eve gets when she makes up a passkey of that id, and removes it from an account of her own.
  const { options } = await optionsOf(eve, { action: "register", email: "eve@op.test" })
  const madeUp = await softwarePasskey().create(options, { attestedId, answer: { id, rawId: id } })
  const body = { action: "register", data: JSON.stringify(madeUp) }
  await eve.post("/auth/callback/passkey", body, { csrf: false, json: true })
  const fields = { remove: id, last: "true" }
  const { location } = await eve.post("/auth/passkeys", fields, { csrf: false, headers: { accept: "text/html" } })
  const { pathname, search } = new URL(location ?? "about:blank")
  expect((await eve.get(pathname + search, page)).text).toContain(`data-removed="${id}"`)
  expect((await shop.get(pathname + search, page)).text).not.toContain(id)
})

it("a session of one tenant is none at another, and makes no user there", { tags: ["threat:SF-18"] }, async () => {
  const created = vi.fn(memoryAdapter().createUser)
  const adapter = { ...memoryAdapter(), createUser: created, createUserWithAccount: created }
  const tenant = (name: string, more: Partial<AuthConfig> = {}) =>
    application(name, { providers: [passwordProvider()], ...more })
  const one = openBrowser(tenant("one").handle)
  await one.post("/auth/callback/password", { username: "ada", password: "right" }, { csrf: false })
  expect(await one.session()).toMatchObject({ user: {} })
  for (const strategy of ["jwt", "database"] as const) {
    const other = openBrowser(tenant("other", { adapter, session: { strategy, updateAge: 0 } }).handle)
    other.setCookie(sessionCookie, one.cookie(sessionCookie) ?? "")
    expect(await other.session()).toBeNull()
    other.setCookie(sessionCookie, one.cookie(sessionCookie) ?? "")
    expect((await other.get("/auth/signin")).text).not.toContain("ada")
  }
  expect(created).not.toHaveBeenCalled()
})
