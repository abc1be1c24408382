/** Services that call addresses verified which nobody has looked at: an account that was opened there at somebody else's address opens nothing. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import { Authentik } from "../../src/providers/authentik.js"
import { FusionAuth } from "../../src/providers/fusionauth.js"
import { GitLab } from "../../src/providers/gitlab.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { FetchFunction } from "../../src/types/provider.js"
import { passkeyCeremony, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"
import { client, openIdService, type Service } from "./support/services.js"

const ada = "ada@op.test"
/** Entered without anybody asking for a proof, and called verified all the same. */
const eve = {
  sub: "eve",
  id: 77,
  name: "Eve",
  username: "eve",
  email: ada,
  email_verified: true,
  confirmed_at: "2026-11-25",
}

async function selfManagedGitLab(): Promise<Service> {
  const fetch: FetchFunction = async (input) =>
    Response.json(String(input).endsWith("/oauth/token") ? { access_token: "at", token_type: "bearer" } : eve)
  return {
    provider: GitLab({ ...client, baseUrl: "https://git.corp.test", [customFetch]: fetch } as never),
    async signIn(browser) {
      const { location } = await browser.post("/auth/signin/gitlab", {})
      await browser.get(`/auth/callback/gitlab?code=x&state=${new URL(location ?? "").searchParams.get("state")}`)
    },
  }
}

const services: Readonly<Record<string, () => Promise<Service>>> = {
  "a self-managed GitLab": selfManagedGitLab,
  FusionAuth: () => openIdService(FusionAuth as never, { issuer: "https://op.test", person: eve }),
  Authentik: () => openIdService(Authentik as never, { issuer: "https://op.test/", person: eve }),
}
const rows = Object.entries(services).flatMap(([name, open]) =>
  (["jwt", "database"] as const).map((strategy) => [name, strategy, open] as const),
)

describe.each(rows)("%s, %s", (_, strategy, open) => {
  it("an account prepared at an address is taken away when its owner comes by mail", {
    tags: ["threat:A-022"],
  }, async () => {
    const { provider, signIn } = await open()
    const world = await makeWorld({ strategy, more: [provider] })
    const thief = world.browser()
    await signIn(thief)
    expect(await thief.session()).toMatchObject({ user: { email: ada } })
    const owner = world.browser()
    await world.signInByMail(owner, ada)
    expect(await thief.session()).toBeNull()
    const ownerId = (await world.adapter.getUserByEmail?.(ada))?.id
    const account = { provider: provider.id, providerAccountId: provider.id === "gitlab" ? "77" : "eve" }
    expect((await world.adapter.getUserByAccount?.(account))?.id).not.toBe(ownerId)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  })

  it("somebody's passkey is not taken away by an account at their address", { tags: ["threat:A-022"] }, async () => {
    const { provider, signIn } = await open()
    const config = { experimental: { enableWebAuthn: true } }
    const world = await makeWorld({ strategy, mail: false, more: [provider, Passkey()], config })
    const key = softwarePasskey()
    await passkeyCeremony(world.browser(), key, { action: "register", email: ada })
    const thief = world.browser()
    await signIn(thief)
    expect(await thief.session()).toBeNull()
    const owner = world.browser()
    await signInByPasskey(owner, key)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  })
})
