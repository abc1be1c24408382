/** Sessions whose tokens the application makes, in rows that a store does not find by their user: they end by their records. */
import { randomUUID } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { passkeys } from "../../src/passkeys.js"
import { managedSessions } from "../../src/sessions.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { withoutSome } from "../support/without-some.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"
const byClaim = (profile: { email_verified?: boolean }): boolean | undefined => profile.email_verified

it.each(["mail", "a provider that links by address"])(
  "end when the owner of the address comes by %s, and add nothing",
  { tags: ["threat:A-022"] },
  async (way) => {
    const { experimental, providers: more = [] } = passkeyConfig
    const world = await makeWorld({
      adapter: withoutSome(["deleteSessionsByUserId"]),
      more,
      provider: { emailVerified: byClaim, allowDangerousEmailAccountLinking: true },
      config: {
        session: { strategy: "database", generateSessionToken: () => randomUUID() },
        experimental,
        features: [passkeys(), managedSessions()],
      },
    })
    const [thief, owner, later] = [world.browser(), world.browser(), world.browser()]
    await registerPasskey(thief, softwarePasskey(), address)
    expect(await thief.session()).toMatchObject({ user: { email: address } })
    await (way === "mail" ? world.signInByMail(owner, address) : world.signInAtOp(owner))
    expect(await owner.session()).toMatchObject({ user: { email: address } })
    expect(await thief.session()).toBeNull()
    const key = softwarePasskey()
    await registerPasskey(thief, key)
    if (key.credentials.length > 0) await signInByPasskey(later, key)
    expect(await later.session()).toBeNull()
    expect(await owner.session()).toMatchObject({ user: { email: address } })
  },
)
