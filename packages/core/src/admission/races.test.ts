/** Sign-ins that another request overtakes, or whose writes fail: what is read again, what is tried once more, and which error says so. */
import { describe, expect, it, vi } from "vitest"
import { contextOf } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { account, proofFor } from "../../test/support/proofs.js"
import { memoryAdapter } from "../memory.js"
import type { Proof } from "../methods/method.js"
import { emailPolicy } from "../methods/policy.js"
import type { AuthConfig } from "../types/config.js"
import { arrive } from "./arrive.js"

const person = { id: "candidate", name: "Ada", email: "ada@app.test" }
const proofOf = proofFor(person)
const mailed = { provider: "mail", providerAccountId: "ada@app.test", type: "email" as const }
const byMail: Partial<Proof> = { policy: emailPolicy, account: mailed, stored: mailed }
const byTrustedAddress: Partial<Proof> = { emailStatus: "verified", mayLinkByEmail: true }

type Method = (...given: unknown[]) => Promise<unknown>
type Rows = Record<string, ReturnType<typeof vi.fn<Method>>>

/** A store without some operations, whose calls are counted. */
function storeWithout(...without: readonly string[]): Rows {
  const operations = Object.entries(memoryAdapter()).filter(([name]) => !without.includes(name))
  return Object.fromEntries(operations.map(([name, work]) => [name, vi.fn(work as Method)]))
}
const storing = (store: Rows, user: object = {}) =>
  store["createUser"]?.({ ...person, id: "stored", emailVerified: null, ...user }) as Promise<{ id: string }>
const down = (): Promise<never> => Promise.reject(new Error("down"))

async function arriving(store: object, given: Partial<Proof> = {}, config: Partial<AuthConfig> = {}, cookie = "") {
  const settings = { ...plainSettings, providers: [mailProvider(() => {})], adapter: store as never, ...config }
  const request = new Request("https://app.test/auth/callback/acme", { headers: { cookie } })
  return arrive(await contextOf(request, { config: settings }), proofOf(given))
}

const halves = ["transaction", "createUserWithAccount"]

describe("where user and account are written one after the other", () => {
  it("nothing is read again of a person who may come in, or whom waiting does not help", async () => {
    const known = storeWithout(...halves)
    await storing(known)
    await arriving(known, byMail)
    expect(known["getUserByEmail"]).toHaveBeenCalledTimes(2)
    const stranger = storeWithout(...halves)
    const begunBy = { kind: "somebody", id: "who has left" } as const
    await expect(arriving(stranger, { begunBy })).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
    expect(stranger["getUserByAccount"]).toHaveBeenCalledTimes(2)
  })

  it("but in a transaction, nobody is waited for", async () => {
    const store = storeWithout("createUserWithAccount")
    await storing(store)
    await expect(arriving(store)).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
    expect(store["getUserByEmail"]).toHaveBeenCalledTimes(1)
  })
})

describe("a write that fails", () => {
  it.each<[string, Partial<Proof>]>([
    ["an account to the user with its address", byTrustedAddress],
    ["an address to its user", byMail],
  ])("is tried once more where it links %s", async (_, given) => {
    const store = storeWithout(...halves)
    await storing(store, { emailVerified: new Date() })
    store["linkAccount"]?.mockImplementationOnce(down)
    expect(await arriving(store, given)).toMatchObject({ kind: "arrived", login: { isNew: false } })
  })

  it("twice is that of the store where somebody is stored already", async () => {
    const store = storeWithout(...halves)
    await storing(store, { emailVerified: new Date() })
    store["linkAccount"]?.mockImplementation(down)
    await expect(arriving(store, byTrustedAddress)).rejects.toMatchObject({
      type: "AdapterError",
      cause: { operation: "linkAccount" },
    })
  })

  it("is the one that is reported where nothing can be read afterwards", async () => {
    const store = storeWithout("transaction")
    store["createUserWithAccount"]?.mockImplementation(() => {
      store["getUserByAccount"]?.mockImplementation(down)
      return down()
    })
    await expect(arriving(store)).rejects.toMatchObject({
      type: "OAuthCreateAccountError",
      cause: { operation: "createUserWithAccount", err: { type: "AdapterError" } },
    })
  })

  it("is not what is reported where somebody else has come with the address by the second try", async () => {
    const store = storeWithout("transaction")
    store["createUserWithAccount"]?.mockImplementationOnce(down)
    const find = store["getUserByEmail"]?.getMockImplementation() as Method
    let asked = 0
    // The last of four look-ups: before the callback, before each write, and between the two tries.
    store["getUserByEmail"]?.mockImplementation(async (...given) => {
      asked += 1
      if (asked === 4) await storing(store)
      return find(...given)
    })
    await expect(arriving(store)).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
  })

  it("is no refusal, which is not tried again", async () => {
    const store = storeWithout("createUserWithAccount", "transaction")
    const signIn = async (): Promise<boolean> => {
      await storing(store)
      return true
    }
    const outcome = arriving(store, {}, { callbacks: { signIn } })
    await expect(outcome).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
    // Once before the callback, and four times while the other request might still link its account.
    expect(store["getUserByEmail"]).toHaveBeenCalledTimes(5)
  })

  it("of the earlier session, in one transaction with a new user, is that of the session", async () => {
    for (const operation of ["getSessionAndUser", "deleteSession"]) {
      const memory = memoryAdapter()
      const { id } = (await memory.createUser?.({ id: "other", email: "other@app.test", emailVerified: null })) ?? {}
      await memory.createSession?.({ sessionToken: "earlier", userId: id ?? "", expires: new Date("2027-01-01") })
      const transaction = (work: (inner: object) => unknown) =>
        memory.transaction?.((inner) => work({ ...inner, [operation]: down }) as never)
      const store = { ...memory, transaction }
      const cookie = "__Secure-authjs.session-token=earlier"
      const outcome = arriving(store, byMail, { session: { strategy: "database" } }, cookie)
      await expect(outcome.then(() => operation)).rejects.toMatchObject({ type: "AdapterError", cause: { operation } })
    }
  })
})

describe("the session in a cookie", () => {
  it("begins when the rows are committed: the user stays where it cannot", async () => {
    const store = storeWithout()
    const createUser = vi.fn()
    const jwt = (): never => {
      throw new Error("no token today")
    }
    const outcome = arriving(store, {}, { callbacks: { jwt }, events: { createUser } })
    await expect(outcome).rejects.toMatchObject({ type: "CallbackRouteError" })
    expect(createUser).toHaveBeenCalledOnce()
    expect(await store["getUserByAccount"]?.(account)).toMatchObject({ email: person.email })
  })
})

describe("the user whom the signIn callback was asked about", () => {
  it("must still be there", async () => {
    const store = storeWithout()
    const first = await arriving(store)
    const id = first.kind === "arrived" ? first.login.user.id : undefined
    const signIn = async (): Promise<boolean> => {
      await store["deleteUser"]?.(id)
      return true
    }
    await expect(arriving(store, {}, { callbacks: { signIn } })).rejects.toMatchObject({
      type: "OAuthAccountNotLinked",
      cause: { provider: "acme" },
    })
  })

  it("is the owner of the account, not whoever has the address", async () => {
    const store = storeWithout()
    await storing(store, { emailVerified: new Date() })
    const signIn = vi.fn((_question: object) => true)
    await arriving(store, byTrustedAddress, { callbacks: { signIn } })
    expect(signIn.mock.lastCall?.[0]).toMatchObject({ user: { id: "candidate" } })
  })
})
