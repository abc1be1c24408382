/** Nothing is added from a session that ends meanwhile, and no session goes on from it: neither from one that ended just before, nor from one that is being ended. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { endings, theft } from "../support/ending.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"

const tags = ["threat:SF-08"]
const strategies = ["jwt", "database"] as const
const refused = "https://app.test/auth/signin?error=OAuthAccountNotLinked"

/** A store without transactions: what was written has to be taken back. */
function withoutTransactions() {
  const { transaction: _, ...adapter } = memoryAdapter()
  return adapter
}

/** A store that takes nothing back: nothing may be written. */
function withoutUnlinking() {
  const { unlinkAccount: _, ...adapter } = memoryAdapter()
  return adapter
}

it("a sign-in whose row is not there yet ends with all others", { tags }, async () => {
  const { world, hold, phone, end } = await theft({ strategy: "database", adapter: withoutTransactions() })
  const signingIn = await hold("createSession", () => world.signInByMail(phone, "ada@app.test"))
  await end("endOthers")
  expect((await signingIn.finish()).location).toContain("error=")
  expect(await phone.session()).toBeNull()
})

describe.each(strategies)("a session that ends while an account is added to it, %s strategy", { tags }, (strategy) => {
  it.each(endings)("adds none where it ends by %s while the application is asked", async (how) => {
    const { world, moments, thief, end, ownerOfAccount } = await theft({ strategy, adapter: withoutUnlinking() })
    moments.asked = () => end(how)
    expect((await world.signInAtOp(thief)).location).toBe(refused)
    expect([await ownerOfAccount(), await thief.session()]).toEqual([undefined, null])
  })

  it("adds no passkey", async () => {
    const { world, moments, thief, end } = await theft({ strategy, adapter: memoryAdapter() })
    moments.asked = async () => {
      moments.asked = async () => {}
      await end("endAll")
    }
    const passkey = softwarePasskey()
    await registerPasskey(thief, passkey)
    const later = world.browser()
    await signInByPasskey(later, passkey)
    expect([await thief.session(), await later.session()]).toEqual([null, null])
  })

  it.each(endings)("has what it added taken back where it ends by %s while that is written", async (how) => {
    const { world, hold, thief, end, ownerOfAccount } = await theft({ strategy, adapter: withoutTransactions() })
    const adding = await hold("linkAccount", () => world.signInAtOp(thief))
    await end(how)
    expect((await adding.finish()).location).toBe(refused)
    expect([await ownerOfAccount(), await thief.session()]).toEqual([undefined, null])
  })

  it("leaves no session to another browser that signs in with the account at that moment", async () => {
    const { world, hold, thief, end, ownerOfAccount } = await theft({ strategy, adapter: withoutTransactions() })
    const other = world.browser()
    const begun = await other.post("/auth/signin/op")
    const back = world.op.authorize(begun.location ?? "")
    // The account is written, and the session is looked for once more.
    const adding = await hold("linkAccount", () => world.signInAtOp(thief))
    const looking = await hold(strategy === "jwt" ? "getRecord" : "createSession", () => adding.finish())
    expect(await ownerOfAccount()).toBe("ada@app.test")
    await end("endAll")
    await other.get(back.pathname + back.search)
    expect(await other.session()).not.toBeNull()
    await looking.finish()
    expect([await ownerOfAccount(), await thief.session(), await other.session()]).toEqual([undefined, null, null])
  })

  it("leaves none that went on from such a session either", async () => {
    const { world, hold, thief, end } = await theft({ strategy, adapter: withoutTransactions() })
    const [other, taken, added] = [world.browser(), softwarePasskey(), softwarePasskey()]
    const adding = await hold("createAuthenticator", () => registerPasskey(thief, taken))
    const looking = await hold(strategy === "jwt" ? "getRecord" : "createSession", () => adding.finish())
    await end("endAll")
    await signInByPasskey(other, taken)
    await registerPasskey(other, added)
    expect(await other.session()).not.toBeNull()
    await looking.finish()
    expect(await other.session()).toBeNull()
  })

  it.each(["endOthers", "end by its name"] as const)("does not go on three times where %s has begun", async (how) => {
    const { world, hold, other, thief, end } = await theft({ strategy, adapter: withoutTransactions() })
    const ending = await hold(strategy === "jwt" ? "takeRecord" : "countRecord", () => end(how))
    for (let added = 0; added < 3; added++) await registerPasskey(thief, softwarePasskey())
    expect(await thief.session()).not.toBeNull()
    await ending.finish()
    expect([await thief.session(), await other.session()]).toEqual([null, expect.anything()])
    expect(world.errors).toEqual([])
  })

  it("leaves the sessions that began by other accounts of the same provider", async () => {
    const { world, hold, other, phone, thief, end } = await theft({ strategy, adapter: withoutTransactions() })
    const thiefAtOp = world.op.person
    const ownerAtOp = { sub: "ada-1", name: "Ada", email: "ada@op.test" }
    world.op.person = ownerAtOp
    await world.signInAtOp(other)
    world.op.person = thiefAtOp
    const adding = await hold("linkAccount", () => world.signInAtOp(thief))
    await end("endOthers")
    world.op.person = ownerAtOp
    await world.signInAtOp(phone)
    await adding.finish()
    expect([await thief.session(), await phone.session()]).toEqual([null, expect.anything()])
  })

  it("has what stays announced, where the adapter cannot take it back", async () => {
    const { unlinkAccount: _, transaction: __, ...adapter } = memoryAdapter()
    const { world, moments, hold, thief, end, ownerOfAccount } = await theft({ strategy, adapter })
    let announced = 0
    moments.announced = async () => void announced++
    const adding = await hold("linkAccount", () => world.signInAtOp(thief))
    await end("endAll")
    expect((await adding.finish()).location).toBe(refused)
    expect([await ownerOfAccount(), await thief.session()]).toEqual(["ada@app.test", null])
    expect(announced).toBe(1)
  })

  it.each(["endOthers", "end by its name"] as const)("does not go on where %s has found it already", async (how) => {
    const { world, hold, thief, end } = await theft({ strategy, adapter: withoutTransactions() })
    const ending = await hold(strategy === "jwt" ? "takeRecord" : "deleteSession", () => end(how))
    await world.signInAtOp(thief)
    expect(await thief.session()).not.toBeNull()
    await ending.finish()
    expect(await thief.session()).toBeNull()
  })
})

describe("a session in a sealed cookie that ends once the account is added", { tags }, () => {
  it.each(endings)("keeps the account where it ends by %s, and does not go on", async (how) => {
    const { world, moments, thief, end, ownerOfAccount } = await theft({ strategy: "jwt", adapter: memoryAdapter() })
    moments.announced = () => end(how)
    await world.signInAtOp(thief)
    expect([await ownerOfAccount(), await thief.session()]).toEqual(["ada@app.test", null])
  })

  it.each([
    { how: "endOthers", operation: "putRecord" },
    { how: "endOthers", operation: "takeRecord" },
    { how: "signing out", operation: "takeRecord" },
  ] as const)("does not go on where it ends by $how before $operation", async ({ how, operation }) => {
    const { world, hold, thief, end } = await theft({ strategy: "jwt", adapter: withoutTransactions() })
    const adding = await hold(operation, () => world.signInAtOp(thief))
    await end(how)
    await adding.finish()
    expect(await thief.session()).toBeNull()
  })
})

describe("a session in a row that ends while the next one is written", { tags }, () => {
  const operations = ["createSession", "deleteSession", "takeRecord"] as const
  const cases = operations.flatMap((operation) => endings.map((how) => ({ operation, how })))
  it.each(cases)("has what it added taken back where it ends by $how before $operation", async ({ operation, how }) => {
    const { world, hold, thief, end, ownerOfAccount } = await theft({
      strategy: "database",
      adapter: withoutTransactions(),
    })
    const adding = await hold(operation, () => world.signInAtOp(thief))
    await end(how)
    expect((await adding.finish()).location).toBe(refused)
    expect([await ownerOfAccount(), await thief.session()]).toEqual([undefined, null])
  })
})
