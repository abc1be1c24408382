/** Adapters of all kinds: classes, numeric ids, dates as strings, missing results, thrown values that are no errors. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import { address, isRefusal } from "../support/journeys.js"
import { logText } from "../support/logged.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

type Method = (...args: unknown[]) => unknown
const strategies = ["database", "jwt"] as const

/** Every method of an adapter, changed; those inside transactions as well. */
function changed(inner: Adapter, change: (operation: string, method: Method) => Method): Adapter {
  return Object.fromEntries(
    Object.entries(inner).map(([operation, method]) => [
      operation,
      typeof method !== "function"
        ? method
        : operation === "transaction"
          ? (work: (adapter: Adapter) => Promise<unknown>) =>
              inner.transaction?.((inside) => work(changed(inside, change)))
          : change(operation, method as Method),
    ]),
  )
}

/** Methods on a prototype that use `this`. */
class ClassAdapter {
  readonly #inner = memoryAdapter()
  createUser: never = undefined as never
  static make(): Adapter {
    const prototype = ClassAdapter.prototype as unknown as Record<string, Method>
    for (const operation of Object.keys(memoryAdapter())) {
      prototype[operation] = function (this: ClassAdapter, ...args: unknown[]): unknown {
        return (this.#inner as unknown as Record<string, Method>)[operation]?.(...args)
      }
    }
    const adapter = new ClassAdapter()
    Reflect.deleteProperty(adapter, "createUser")
    return adapter as unknown as Adapter
  }
}

/** Ids that count up from 1, as a column of numbers does. */
function numericIds(): Adapter {
  let last = 0
  const numbered = (user: unknown): unknown => ({ ...(user as object), id: ++last })
  return changed(
    memoryAdapter(),
    (operation, method) =>
      (...args) =>
        operation === "createUser" || operation === "createUserWithAccount"
          ? method(numbered(args[0]), ...args.slice(1))
          : method(...args),
  )
}

const asText = (value: unknown): unknown =>
  value instanceof Date
    ? value.toISOString()
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asText(member)]))
      : value

/** Dates come back as ISO text. */
const textDates = (): Adapter => {
  const toDates = (value: unknown): unknown => value
  return changed(memoryAdapter(), (operation, method) => async (...args) => {
    const answer = await method(...args.map(toDates))
    return /^list/.test(operation) ? answer : asText(answer)
  })
}

/** What may answer nothing does so, and nothing found is `undefined`. */
const sparing = (): Adapter => {
  const mute =
    /^(?:linkAccount|unlinkAccount|updateSession|deleteSession|createVerificationToken|deleteUser|createSession|createAuthenticator)$/
  return changed(memoryAdapter(), (operation, method) => async (...args) => {
    const answer = await method(...args)
    return mute.test(operation) || answer === null ? undefined : answer
  })
}

const adapters: readonly (readonly [string, () => Adapter])[] = [
  ["is an object of a class", ClassAdapter.make],
  ["counts its ids", numericIds],
  ["tells dates as text", textDates],
  ["answers nothing where it may", sparing],
  ["is frozen", () => Object.freeze(memoryAdapter())],
]

describe.each(strategies)("an adapter that %s", { tags: ["threat:FD-04", "threat:FD-20"] }, (strategy) => {
  it.each(adapters)("%s: works with every way of signing in", async (_, make) => {
    const config = { experimental: { enableWebAuthn: true } }
    const world = await makeWorld({ strategy, adapter: make(), more: [Passkey()], config })
    const first = world.browser()
    await world.signInAtOp(first)
    expect(world.errors).toEqual([])
    expect(await first.session()).toMatchObject({ user: { email: address } })
    await world.signInAtOp(first)
    expect(await first.session()).toMatchObject({ user: { email: address } })

    const authenticator = softwarePasskey()
    expect(isRefusal(await passkeyCeremony(first, authenticator, { action: "register" }))).toBe(false)
    const second = world.browser()
    expect(isRefusal(await passkeyCeremony(second, authenticator, { action: "authenticate" }))).toBe(false)
    expect(await second.session()).toMatchObject({ user: { email: address } })

    const third = world.browser()
    await world.signInByMail(third, "grace@app.test")
    expect(await third.session()).toMatchObject({ user: { email: "grace@app.test" } })
    await world.signInByMail(third, "grace@app.test")
    await third.post("/auth/signout")
    expect(await third.session()).toBeNull()
    expect(world.errors).toEqual([])
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(2)
  })
})

const thrown: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["a string", "out of order"],
  ["a number", 7],
  ["an object without prototype", Object.create(null)],
  [
    "an object that cannot be read",
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("no")
        },
      },
    ),
  ],
  ["a symbol", Symbol("x")],
  ["an error whose message is an object", Object.assign(new Error("x"), { message: { a: 1 } })],
  ["a frozen error", Object.freeze(new Error("frozen"))],
  ["an error with itself as cause", ((error: Error) => Object.assign(error, { cause: error }))(new Error("round"))],
]

describe.each(thrown)("an adapter that throws %s", { tags: ["threat:FD-04"] }, (_, value) => {
  it.each([
    [
      "at once",
      (): never => {
        throw value
      },
    ],
    ["later", (): Promise<never> => Promise.reject(value)],
  ])("%s is answered like any other fault", async (_how, fail) => {
    const adapter: Adapter = memoryAdapter()
    const world = await makeWorld({ strategy: "database", adapter })
    const browser = world.browser()
    await world.signInAtOp(browser)
    adapter.getSessionAndUser = fail
    expect((await browser.get("/auth/session")).status).toBe(503)
    adapter.getUserByAccount = fail
    const visit = await world.signInAtOp(world.browser())
    expect(visit.location).toContain("/auth/signin?error=Callback")
    const asked = await world.browser().post("/auth/signin/mail", { email: "not an address" })
    expect(asked.location).toBe("https://app.test/auth/signin?error=EmailSignin")
    adapter.createVerificationToken = fail
    const refused = await world.browser().post("/auth/signin/mail", { email: address })
    expect(refused.location).toContain("/auth/signin?error=Signin")
    expect(world.mails).toEqual([])
    expect(world.errors.length).toBeGreaterThanOrEqual(3)
    expect(() => logText(world)).not.toThrow()
  })
})

describe("the default logger", () => {
  it("writes whatever an adapter throws, without a secret", { tags: ["threat:FD-04"] }, async () => {
    const lines: string[] = []
    const spy = vi.spyOn(console, "error").mockImplementation((...args) => void lines.push(args.join(" ")))
    const adapter: Adapter = memoryAdapter()
    const world = await makeWorld({ strategy: "database", adapter, config: { logger: {} as never } })
    const browser = world.browser()
    await world.signInAtOp(browser)
    const token = browser.cookie("__Secure-authjs.session-token") ?? ""
    adapter.getSessionAndUser = (given) => Promise.reject(new Error(`no row ${given} with ("sessionToken")=(${given})`))
    await browser.get("/auth/session")
    spy.mockRestore()
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join("\n")).not.toContain(token)
  })
})
