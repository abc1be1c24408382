import { inspect } from "node:util"
import { describe, expect, it, vi } from "vitest"
import { AdapterError, MissingAdapter, MissingAdapterMethods } from "../errors.js"
import type { Adapter } from "../types/adapter.js"
import { createStore, type Store } from "./store.js"

const user = { id: "1", email: "ada@app.test", emailVerified: null }
const session = { sessionToken: "t", userId: "1", expires: new Date("2030-01-01T00:00:00Z") }
const adapterOf = (methods: Record<string, unknown>): Adapter => methods as Adapter
type Failure = Error & { cause?: { err?: Error; operation?: string } }
const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => Promise.reject(new Error("nothing was thrown")),
    (error: unknown) => error as Failure,
  )

describe("an answer that is no row", () => {
  it.each([
    ["getUser", "<html>"],
    ["getUser", [user]],
    ["getUser", { email: "ada@app.test" }],
    ["getUserByEmail", 1],
    ["getUserByAccount", true],
    ["createUser", { email: "ada@app.test" }],
    ["getSessionAndUser", "<html>"],
    ["getSessionAndUser", [session, user]],
    ["useVerificationToken", "<html>"],
    ["getAccount", "<html>"],
    ["getAuthenticator", "<html>"],
    ["listAuthenticatorsByUserId", "<html>"],
    ["listAccountsByUserId", {}],
  ] as const)("of %s is a failure, and not taken for nothing: %j", async (operation, answer) => {
    const store = createStore(adapterOf({ [operation]: () => answer }))
    const ask = store[operation] as (given: string) => Promise<unknown>
    const error = await failureOf(ask("a@app.test"))
    expect(error).toBeInstanceOf(AdapterError)
    expect(error.cause?.err?.message).toMatch(/^Expected a (row|user|list)/)
  })
})

describe("operations of a store", () => {
  it("finds methods of a class and calls them on the adapter itself", async () => {
    class Base {
      #users = new Map([["1", user]])
      getUser(id: string) {
        return this.#users.get(id) ?? null
      }
    }
    class Inherited extends Base {}
    const store = createStore(new Inherited() as Adapter)
    expect(await store.getUser("1")).toBe(user)
    expect(store.has("getUser")).toBe(true)
    expect(store.has("deleteUser")).toBe(false)
  })

  it("looks an operation up at each call", async () => {
    const adapter = adapterOf({})
    const store = createStore(adapter)
    await expect(store.getUser("1")).rejects.toBeInstanceOf(MissingAdapterMethods)
    adapter.getUser = () => user
    expect(await store.getUser("1")).toBe(user)
  })

  it("names the operation that is missing [spec errors 3]", { tags: ["threat:FD-29"] }, async () => {
    const error = await failureOf(createStore(adapterOf({})).createUser(user))
    expect(error).toBeInstanceOf(MissingAdapterMethods)
    expect(error.message).toContain('"createUser"')
    expect(error.cause?.operation).toBe("createUser")
  })

  it("says that there is no adapter at all", async () => {
    const store = createStore(undefined)
    expect(store.isPresent).toBe(false)
    expect(store.has("getUser")).toBe(false)
    const error = await failureOf(store.getUser("1"))
    expect(error).toBeInstanceOf(MissingAdapter)
    expect(error.message).toContain('"getUser"')
  })

  it.each([
    ["rejects", () => Promise.reject(new Error("down"))],
    [
      "throws at once",
      () => {
        throw new Error("down")
      },
    ],
    ["rejects with a text", () => Promise.reject("down")],
    ["has a getter that throws", undefined],
  ])(
    "wraps the failure of an adapter that %s [spec errors 4]",
    { tags: ["threat:FD-04"] },
    async (_, createAuthenticator) => {
      const adapter = createAuthenticator
        ? adapterOf({ createAuthenticator })
        : Object.defineProperty({}, "createAuthenticator", {
            get() {
              throw new Error("down")
            },
          })
      const error = await failureOf(createStore(adapter as Adapter).createAuthenticator({} as never))
      expect(error).toBeInstanceOf(AdapterError)
      expect(error.cause?.operation).toBe("createAuthenticator")
      expect(error.cause?.err).toBeInstanceOf(Error)
      expect(error.message).not.toContain("down")
    },
  )

  it("keeps the error of the database as it is, so that its code can be read", async () => {
    const below = Object.assign(new Error("duplicate"), { code: "23505" })
    const error = await failureOf(createStore(adapterOf({ createUser: () => Promise.reject(below) })).createUser(user))
    expect(error.cause?.err).toBe(below)
  })

  it.each([
    ["getSessionAndUser", ["3c9d-of-a-session"], ["3c9d-of-a-session"]],
    ["deleteSession", ["3c9d-of-a-session"], ["3c9d-of-a-session"]],
    ["createSession", [{ ...session, sessionToken: "3c9d-of-a-session" }], ["3c9d-of-a-session"]],
    [
      "linkAccount",
      [{ userId: "1", access_token: "ya29.of-google", refresh_token: "1//0g-of-google" }],
      ["ya29.of-google", "1//0g-of-google"],
    ],
    ["createUserWithAccount", [user, { access_token: "ya29.of-google" }], ["ya29.of-google"]],
    ["createUser", [{ ...user, google: { tokens: ["ya29.of-google"] } }], ["ya29.of-google"]],
  ] as const)(
    "keeps what %s was given out of a message that repeats it",
    { tags: ["threat:A-012"] },
    async (operation, given, secrets) => {
      const query = `Failed query: insert into account values ($1, $2)\nparams: google,${secrets.join(",")}`
      const thrown = Object.assign(new TypeError(query), { params: secrets, code: "23502", cause: new Error(query) })
      const store = createStore(adapterOf({ [operation]: () => Promise.reject(thrown) }))
      const { cause } = await failureOf((store[operation] as (...args: unknown[]) => Promise<unknown>)(...given))
      expect(cause?.err).toBeInstanceOf(TypeError)
      expect(cause?.err).toMatchObject({ message: expect.stringContaining("params: google,"), code: "23502" })
      const shown = inspect(cause, { depth: 9 })
      for (const secret of secrets) expect(shown).not.toContain(secret)
    },
  )

  it("never asks for an empty address", { tags: ["threat:FD-23"] }, async () => {
    const getUserByEmail = vi.fn(() => user)
    const store = createStore(adapterOf({ getUserByEmail }))
    for (const empty of ["", "  ", undefined, null]) expect(await store.getUserByEmail(empty as string)).toBeNull()
    expect(getUserByEmail).not.toHaveBeenCalled()
    expect(await store.getUserByEmail("ada@app.test")).toBe(user)
  })

  it.each([
    ["as null", {}, null],
    ["as the empty string to an adapter with `emptyEmail`", { emptyEmail: true }, ""],
  ])(
    "passes a user without an address %s, in a transaction as well, and returns the empty string",
    { tags: ["threat:FD-23"] },
    async (_, flag, email) => {
      const given: unknown[] = []
      const keep = (row: object): object => {
        given.push((row as { email: unknown }).email)
        return row
      }
      const operations = { createUser: keep, updateUser: keep, createUserWithAccount: keep }
      const transaction = (work: (inner: Adapter) => unknown) => work(adapterOf(operations))
      const store = createStore(adapterOf({ ...operations, ...flag, transaction }))
      const nameless = { ...user, email: "" }
      const account = { provider: "p", providerAccountId: "a", type: "oauth" } as const
      await store.transaction(async (inner) => {
        for (const work of [store, inner]) {
          expect((await work.createUser(nameless)).email).toBe("")
          expect((await work.updateUser(nameless)).email).toBe("")
          expect((await work.createUserWithAccount(nameless, account)).email).toBe("")
        }
      })
      expect(given).toEqual(Array.from({ length: 6 }, () => email))
    },
  )

  it.each([null, undefined])("returns the empty string where a stored address is %s", async (email) => {
    const row = { ...user, email }
    const stored = { session, user: row }
    const store = createStore(adapterOf({ getUser: () => row, getSessionAndUser: () => stored }))
    expect((await store.getUser("1"))?.email).toBe("")
    expect((await store.getSessionAndUser("t"))?.user.email).toBe("")
  })

  it("hands over rows the adapter may change", async () => {
    const given = Object.freeze({ ...user })
    const createUser = (row: { id?: string }) => {
      row.id = "2"
      return row
    }
    expect(await createStore(adapterOf({ createUser })).createUser(given)).toMatchObject({ id: "2" })
    expect(given.id).toBe("1")
  })
})

describe("rows of a store", () => {
  it.each([
    ["getUser", ["1"]],
    ["getUserByAccount", [{ provider: "p", providerAccountId: "a" }]],
    ["getSessionAndUser", ["t"]],
    ["useVerificationToken", [{ identifier: "a", token: "b" }]],
    ["getAccount", ["a", "p"]],
    ["getAuthenticator", ["c"]],
    ["updateSession", [{ sessionToken: "t" }]],
    ["deleteSession", ["t"]],
    ["linkAccount", [{}]],
    ["unlinkAccount", [{}]],
    ["createVerificationToken", [{}]],
    ["deleteUser", ["1"]],
  ])("reads nothing from %s as null", { tags: ["threat:FD-04"] }, async (operation, args) => {
    const store = createStore(adapterOf({ [operation]: () => undefined })) as never as Record<
      string,
      (...args: unknown[]) => unknown
    >
    expect(await store[operation]?.(...args)).toBeNull()
  })

  it("makes dates of ISO text", { tags: ["threat:FD-20"] }, async () => {
    const store = createStore(
      adapterOf({
        getUser: () => ({ ...user, emailVerified: "2024-05-06T07:08:09.123Z" }),
        getSessionAndUser: () => ({
          session: { ...session, expires: "2024-05-06T07:08:09+02:00" },
          user: { ...user, emailVerified: "2024-05-06T07:08Z" },
        }),
        useVerificationToken: () => ({ identifier: "a", token: "b", expires: "2024-05-06T07:08:09Z" }),
      }),
    )
    expect((await store.getUser("1"))?.emailVerified).toEqual(new Date("2024-05-06T07:08:09.123Z"))
    const both = await store.getSessionAndUser("t")
    expect(both?.session.expires).toEqual(new Date("2024-05-06T05:08:09Z"))
    expect(both?.user.emailVerified).toEqual(new Date("2024-05-06T07:08:00Z"))
    expect((await store.useVerificationToken({ identifier: "a", token: "b" }))?.expires).toEqual(
      new Date("2024-05-06T07:08:09Z"),
    )
  })

  it.each([["soon"], [1_900_000_000], [null], [new Date("x")], ["2024-05-06 07:08:09"]])(
    "does not take %s for the end of a session",
    { tags: ["threat:FD-20"] },
    async (expires) => {
      const store = createStore(adapterOf({ getSessionAndUser: () => ({ session: { ...session, expires }, user }) }))
      await expect(store.getSessionAndUser("t")).rejects.toBeInstanceOf(AdapterError)
    },
  )

  it.each([
    ["no user", { session, user: null }],
    ["no session", { session: undefined, user }],
    ["the user of another session", { session, user: { ...user, id: "2" } }],
  ])("reads a pair with %s as null", { tags: ["threat:SF-21"] }, async (_, pair) => {
    expect(await createStore(adapterOf({ getSessionAndUser: () => pair })).getSessionAndUser("t")).toBeNull()
  })

  it("passes rows on as they are: ids keep their type, further columns stay", async () => {
    const row = { ...user, id: 7, role: "admin" }
    const pair = { session: { ...session, userId: 7 }, user: row }
    const store = createStore(adapterOf({ getUser: () => row, getSessionAndUser: () => pair }))
    expect(await store.getUser("7")).toBe(row)
    expect(await store.getSessionAndUser("t")).toBe(pair)
  })

  it("needs the stored user back", async () => {
    const store = createStore(adapterOf({ createUser: () => undefined, updateUser: () => null }))
    await expect(store.createUser(user)).rejects.toBeInstanceOf(AdapterError)
    await expect(store.updateUser({ id: "1" })).rejects.toBeInstanceOf(AdapterError)
  })

  it("takes the row it gave when an adapter stores without answering", async () => {
    const store = createStore(adapterOf({ createSession: () => undefined, createAuthenticator: () => undefined }))
    expect(await store.createSession(session)).toEqual(session)
    expect(await store.createAuthenticator({ credentialID: "c" } as never)).toEqual({ credentialID: "c" })
  })

  it("reads no list as an empty one, and no updated counter as a failure", { tags: ["threat:FD-12"] }, async () => {
    const silent = { listAuthenticatorsByUserId: () => undefined, updateAuthenticatorCounter: () => undefined }
    const store = createStore(adapterOf(silent))
    expect(await store.listAuthenticatorsByUserId("1")).toEqual([])
    await expect(store.updateAuthenticatorCounter("c", 1)).rejects.toBeInstanceOf(AdapterError)
  })
})

describe("transactions of a store", () => {
  it("runs on the store itself when the adapter has none", async () => {
    const store = createStore(adapterOf({}))
    expect(await store.transaction(async (inner) => inner === store)).toBe(true)
    const bare = createStore(undefined)
    expect(await bare.transaction(async (inner) => inner === bare)).toBe(true)
  })

  it("gives a store over the transactional adapter, once: a second one inside would wait for a connection", {
    tags: ["threat:FD-15"],
  }, async () => {
    let begun = 0
    class Database {
      inside = false
      getUser() {
        return this.inside ? user : null
      }
      async transaction<T>(work: (adapter: Adapter) => Promise<T>): Promise<T> {
        begun += 1
        return work(Object.assign(new Database(), { inside: true }) as Adapter)
      }
    }
    const store = createStore(new Database() as Adapter)
    const found = await store.transaction((inner) => inner.transaction((innermost) => innermost.getUser("1")))
    expect(found).toBe(user)
    expect(begun).toBe(1)
    expect(await store.getUser("1")).toBeNull()
  })

  it.each([
    ["as it is", (work: () => Promise<unknown>) => work()],
    [
      "also when the adapter wraps it",
      (work: () => Promise<unknown>) => work().catch(() => Promise.reject(new Error("rolled back"))),
    ],
    ["also when the adapter swallows it", (work: () => Promise<unknown>) => work().catch(() => undefined)],
  ])("passes an error of the work on %s", async (_, run) => {
    const transaction = (work: (adapter: Adapter) => Promise<unknown>) => run(() => work({}))
    const store = createStore(adapterOf({ transaction }))
    const thrown = { refused: true }
    await expect(store.transaction(() => Promise.reject(thrown))).rejects.toBe(thrown)
  })

  it("wraps a failed commit", async () => {
    const transaction = async (work: (adapter: Adapter) => Promise<unknown>) => {
      await work({})
      throw new Error("commit failed")
    }
    const error = await failureOf(createStore(adapterOf({ transaction })).transaction(async () => 1))
    expect(error).toBeInstanceOf(AdapterError)
    expect(error.cause).toMatchObject({ operation: "transaction", err: { message: "commit failed" } })
  })

  it("counts only the last run when an adapter tries again after a conflict", { tags: ["threat:FD-17"] }, async () => {
    const transaction = async (work: (adapter: Adapter) => Promise<unknown>) => {
      await work({}).catch(() => undefined)
      await work({})
    }
    let runs = 0
    const work = async (_: Store) => {
      runs += 1
      if (runs === 1) throw new Error("conflict")
      return runs
    }
    expect(await createStore(adapterOf({ transaction })).transaction(work)).toBe(2)
  })

  it("refuses a transaction that never ran its work", async () => {
    const store = createStore(adapterOf({ transaction: () => undefined }))
    await expect(store.transaction(async () => 1)).rejects.toBeInstanceOf(AdapterError)
  })
})
