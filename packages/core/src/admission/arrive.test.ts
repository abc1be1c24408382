import { describe, expect, it, vi } from "vitest"
import { contextOf } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { account, proofFor } from "../../test/support/proofs.js"
import { memoryAdapter } from "../memory.js"
import type { Proof } from "../methods/method.js"
import { credentialsPolicy, emailPolicy } from "../methods/policy.js"
import type { AuthConfig } from "../types/config.js"
import { arrive, askGate } from "./arrive.js"

const mailed = { provider: "mail", providerAccountId: "ada@app.test", type: "email" as const }
const person = { id: "candidate", name: "Ada", email: "ada@app.test" }
const proofOf = proofFor(person)
const byMail = { policy: emailPolicy, account: mailed, stored: mailed, user: { ...person, id: "mailed" } }
const byPassword = { policy: credentialsPolicy, stored: undefined }

/** An adapter that fails at one operation as often as is said. */
function failingAt(operation: string, times: number, without: readonly string[] = ["transaction"]) {
  const adapter: Record<string, unknown> = { ...memoryAdapter() }
  for (const name of without) delete adapter[name]
  const work = adapter[operation] as (...given: unknown[]) => unknown
  let left = times
  adapter[operation] = vi.fn((...given: unknown[]) => (left-- > 0 ? Promise.reject(new Error("down")) : work(...given)))
  return adapter
}

type SignIn = (question: object, details: never) => unknown

async function around(adapter?: object, signIn?: SignIn, config: Partial<AuthConfig> = {}) {
  const announced = vi.fn()
  const events = { createUser: announced, linkAccount: announced }
  const callbacks = signIn && { callbacks: { signIn: signIn as never } }
  const given = { ...plainSettings, providers: [mailProvider(() => {})], events, ...callbacks, ...config }
  const context = await contextOf("https://app.test/auth/callback/acme", {
    config: { ...given, ...(adapter && { adapter: adapter as never }) },
  })
  return { context, announced }
}

describe("the signIn callback", () => {
  const ask = async (signIn: SignIn) => askGate((await around(undefined, signIn)).context, { user: person } as never)

  it("lets in with true, and sends elsewhere with an address", async () => {
    expect(await ask(() => true)).toEqual({ kind: "pass" })
    expect(await ask(() => ({ odd: true }))).toEqual({ kind: "pass" })
    expect(await ask(() => "/terms?x=1")).toEqual({ kind: "elsewhere", goTo: "https://app.test/terms?x=1" })
    expect(await ask(() => "https://op.test/a b")).toEqual({ kind: "elsewhere", goTo: "https://op.test/a%20b" })
  })

  it.each<[unknown, string]>([
    [false, "refused"],
    [undefined, "received undefined"],
    [null, "received null"],
    [0, "received 0"],
    ["", "received an empty string"],
    ["http://[", "not a URL"],
  ])("refuses with %j: %s", async (answer, message) => {
    await expect(ask(() => answer)).rejects.toMatchObject({
      type: "AccessDenied",
      message: expect.stringContaining(message),
    })
  })

  it("refuses with what it throws", async () => {
    const failing = () => {
      throw new Error("not on a Sunday")
    }
    await expect(ask(failing)).rejects.toMatchObject({
      type: "AccessDenied",
      message: expect.stringContaining("Sunday"),
    })
  })

  it("is asked about the stored user, else about the person as they came", async () => {
    const adapter = memoryAdapter()
    const asked = vi.fn((_question: object) => true)
    const { context } = await around(adapter, asked)
    const credentials = { username: "ada" }
    await arrive(context, proofOf({ profile: { sub: "1" } }))
    expect(asked.mock.lastCall?.[0]).toEqual({ user: person, account, profile: { sub: "1" } })
    const { id } = (await adapter.getUserByAccount?.(account)) ?? {}
    await arrive(context, proofOf())
    expect(asked.mock.lastCall?.[0]).toMatchObject({ user: { id }, account })
    await arrive(context, proofOf(byMail))
    expect(asked.mock.lastCall?.[0]).toMatchObject({ user: { id }, account: { ...mailed, userId: id } })
    await arrive(context, proofOf({ ...byPassword, credentials }))
    expect(asked.mock.lastCall?.[0]).toEqual({ user: person, account, credentials })
    const given = asked.mock.lastCall?.[0] as { credentials: unknown }
    expect(given.credentials).not.toBe(credentials)
  })

  it("is given the request behind it, where it names a second parameter", async () => {
    const { context } = await around(memoryAdapter(), (_: object, details?: { request: { url: string } }) =>
      details?.request.url.endsWith("/auth/callback/acme"),
    )
    expect(await arrive(context, proofOf())).toMatchObject({ kind: "arrived" })
  })

  it("writes nothing where it refuses or sends elsewhere", async () => {
    for (const answer of [false, "/terms"]) {
      const adapter = failingAt("createUser", 0)
      const { context } = await around(adapter, () => answer)
      const outcome = await arrive(context, proofOf()).catch(({ type }) => type)
      expect(outcome).toEqual(answer === false ? "AccessDenied" : { kind: "elsewhere", goTo: "https://app.test/terms" })
      expect(adapter["createUser"]).not.toHaveBeenCalled()
    }
  })

  it("allowed the user it was asked about, and nobody who has come meanwhile", async () => {
    const adapter = memoryAdapter()
    const { context } = await around(adapter)
    await arrive(context, proofOf())
    const other = await adapter.createUser?.({ id: "other", email: "other@app.test", emailVerified: null })
    const { context: later } = await around(adapter, async () => {
      await adapter.unlinkAccount?.(account)
      await adapter.linkAccount?.({ ...account, userId: other?.id ?? "" })
      return true
    })
    await expect(arrive(later, proofOf())).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
  })

  it("is not passed by another user to whom the address has moved when a write fails", async () => {
    const { transaction, createUserWithAccount, ...memory } = memoryAdapter()
    await memory.createUser({ ...person, id: "asked", emailVerified: null })
    const adapter = {
      ...memory,
      linkAccount: vi.fn(memory.linkAccount).mockImplementationOnce(async () => {
        await memory.updateUser({ id: "asked", email: "moved@app.test" })
        await memory.createUser({ ...person, id: "banned", emailVerified: null })
        throw new Error("deadlock")
      }),
    }
    const asked = vi.fn((_: object) => true)
    const { context } = await around(adapter, asked)
    await expect(arrive(context, proofOf(byMail))).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
    expect(asked).toHaveBeenCalledTimes(1)
    expect(adapter.linkAccount).toHaveBeenCalledTimes(1)
  })
})

describe("who has arrived", () => {
  it.each(["jwt", "database"] as const)("has a session and is announced in order, %s strategy", async (strategy) => {
    const announced: string[] = []
    const events = {
      createUser: () => void announced.push("createUser"),
      linkAccount: () => void announced.push("linkAccount"),
    }
    const { context } = await around(memoryAdapter(), undefined, { session: { strategy }, events })
    const kindsOf = async (given: Partial<Proof>) => {
      const arrived = await arrive(context, proofOf(given))
      if (arrived.kind !== "arrived") throw new Error(arrived.kind)
      expect(arrived.cookies).toEqual([expect.objectContaining({ role: "sessionToken", value: expect.any(String) })])
      const kinds = [...announced.splice(0), ...arrived.events.map(({ kind }) => kind)]
      return { kinds, last: arrived.events.at(-1)?.message }
    }
    const first = await kindsOf({ profile: { sub: "1" } })
    expect(first.kinds).toEqual(["createUser", "linkAccount", "signIn"])
    expect(first.last).toMatchObject({ account, profile: { sub: "1" }, isNewUser: true })
    const second = await kindsOf({})
    expect(second.kinds).toEqual(["signIn"])
    expect(second.last).toMatchObject({ account, isNewUser: false })
    expect(second.last).not.toHaveProperty("profile")
  })

  it("by password is announced as the object that the application returned", async () => {
    const { context } = await around()
    const answered = { id: "own" }
    for (const [given, user] of [
      [{ answered }, answered],
      [{}, person],
    ] as const) {
      const arrived = await arrive(context, proofOf({ ...byPassword, ...given }))
      const events = arrived.kind === "arrived" ? arrived.events : []
      expect(events).toEqual([{ kind: "signIn", message: { user, account } }])
    }
    const without = await arrive(context, proofOf())
    expect(without).toMatchObject({ events: [{ kind: "signIn", message: { user: person, account } }] })
    expect(without.kind === "arrived" && without.events[0]?.message).not.toHaveProperty("isNewUser")
  })
})

describe("where a write fails", () => {
  it("it is tried once more on what is there then", async () => {
    const { context } = await around(failingAt("createUserWithAccount", 1))
    expect(await arrive(context, proofOf())).toMatchObject({ kind: "arrived", login: { isNew: true } })
    const linking = failingAt("linkAccount", 1, ["transaction", "createUserWithAccount"])
    expect(await arrive((await around(linking)).context, proofOf(byMail))).toMatchObject({ kind: "arrived" })
  })

  it.each<[string, string, Partial<Proof>, string]>([
    ["an account", "createUserWithAccount", {}, "OAuthCreateAccountError"],
    ["an address", "createUser", byMail, "EmailCreateAccountError"],
  ])("twice for %s, the user could not be stored", async (_, operation, given, type) => {
    const adapter = failingAt(operation, 9)
    const { context } = await around(adapter)
    await expect(arrive(context, proofOf(given))).rejects.toMatchObject({ type, cause: { operation } })
    expect(adapter[operation]).toHaveBeenCalledTimes(2)
  })

  it("where nobody is stored, it is tried once, and keeps its name", async () => {
    const adapter = failingAt("updateAccount", 9)
    const { context } = await around(adapter)
    await arrive(context, proofOf())
    const again = { ...account, access_token: "new" } as never
    await expect(arrive(context, proofOf({ stored: again }))).rejects.toMatchObject({ type: "AdapterError" })
    expect(adapter["updateAccount"]).toHaveBeenCalledOnce()
  })

  it("of the session alone, the new user is announced all the same", async () => {
    const { context, announced } = await around(failingAt("createSession", 9), undefined, {
      session: { strategy: "database" },
    })
    await expect(arrive(context, proofOf())).rejects.toMatchObject({ type: "AdapterError" })
    expect(announced).toHaveBeenCalledTimes(2)
  })

  it("of the session in a transaction, it is no failure of the user", async () => {
    const session = { strategy: "database" } as const
    const memory = memoryAdapter()
    const transaction = (work: (inner: object) => Promise<unknown>) =>
      memory.transaction?.(
        (inner) => work({ ...inner, createSession: () => Promise.reject(new Error("down")) }) as never,
      )
    const { context, announced } = await around({ ...memory, transaction }, undefined, { session })
    await expect(arrive(context, proofOf())).rejects.toMatchObject({ type: "AdapterError" })
    expect(announced).not.toHaveBeenCalled()
    expect(await memory.getUserByAccount?.(account)).toBeNull()
  })

  it("that is no failure of the store passes as it is", async () => {
    const { context } = await around(memoryAdapter(), undefined, { session: { strategy: "jwt" } })
    const grace = { ...person, id: "grace" }
    const other = { ...account, providerAccountId: "2" }
    await arrive(context, proofOf({ account: other, stored: other, user: grace }))
    await expect(arrive(context, proofOf())).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
  })
})

describe("a person whom another request is storing", () => {
  it("is waited for where user and account are written one after the other, and only there", async () => {
    for (const [without, isWaitedFor] of [
      [["transaction", "createUserWithAccount"], true],
      [["transaction"], false],
    ] as const) {
      const adapter = failingAt("getUserByEmail", 0, without)
      const { context } = await around(adapter)
      const create = adapter["createUser"] as (user: object) => Promise<{ id: string }>
      const { id } = await create({ ...person, emailVerified: null })
      const link = adapter["linkAccount"] as (given: object) => Promise<unknown>
      setTimeout(() => void link({ ...account, userId: id }), 5)
      const outcome = await arrive(context, proofOf()).then(
        ({ kind }) => kind,
        ({ type }) => type,
      )
      expect(outcome).toBe(isWaitedFor ? "arrived" : "OAuthAccountNotLinked")
    }
  })
})
