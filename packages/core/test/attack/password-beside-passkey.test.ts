/** A user with a password, which is no account, and a passkey beside it: a provider that says it verified their address does not become their owner. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Credentials } from "../../src/providers/credentials.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Provider } from "../../src/types/provider.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

it.each(["jwt", "database"] as const)("is refused, %s", { tags: ["threat:A-022"] }, async (strategy) => {
  const adapter = memoryAdapter()
  const user = await adapter.createUser({ id: "ada", email: "ada@op.test", name: "Ada", emailVerified: null })
  const passwords = Credentials({
    credentials: { name: {}, password: { type: "password" } },
    authorize: ({ password }) => (password === "right" ? user : null),
  })
  const world = await makeWorld({
    strategy,
    adapter,
    mail: false,
    more: [Passkey() as Provider, passwords],
    config: { experimental: { enableWebAuthn: true } },
  })
  const [owner, thief] = [world.browser(), world.browser()]
  await owner.post("/auth/callback/credentials", { name: "ada", password: "right" })
  const passkey = softwarePasskey()
  await passkeyCeremony(owner, passkey, { action: "register" })
  expect(await adapter.listAccountsByUserId(user.id)).toHaveLength(1)
  world.op.person = { sub: "evil", name: "Eve", email: "ada@op.test", email_verified: true }
  expect((await world.signInAtOp(thief)).location).toContain("error=OAuthAccountNotLinked")
  expect(await thief.session()).toBeNull()
  expect(await owner.session()).toMatchObject({ user: { email: "ada@op.test" } })
  const again = world.browser()
  await passkeyCeremony(again, passkey, { action: "authenticate" })
  expect(await again.session()).toMatchObject({ user: { email: "ada@op.test" } })
})
