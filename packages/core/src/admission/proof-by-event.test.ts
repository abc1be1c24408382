import { describe, expect, it, vi } from "vitest"
import { contextOf, noon } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { account, proofFor, provider } from "../../test/support/proofs.js"
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import { emailPolicy, oauthPolicy } from "../methods/policy.js"
import type { AuthConfig } from "../types/config.js"
import type { AdapterUser } from "../types/identity.js"
import type { Arrived } from "./arrive.js"
import { suspectEvents, warnOfProof } from "./proof-by-event.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const proofOf = proofFor({ id: "candidate", email: ada.email })
const verifying = oauthPolicy({ callsVerified: true, allowUnverifiedEmail: false })
const handlers = { createUser: vi.fn(), linkAccount: vi.fn(), signIn: vi.fn(), updateUser: vi.fn() }

async function around(adapter: object, events: AuthConfig["events"] = handlers) {
  const [warn, debug] = [vi.fn(), vi.fn()]
  const context: Context = await contextOf("https://app.test/auth/callback/acme", {
    config: {
      ...plainSettings,
      ...{ providers: [mailProvider(() => {}), provider("acme")], debug: true, events: events ?? {} },
      logger: { ...plainSettings.logger, warn, debug },
      adapter: adapter as never,
    },
  })
  warn.mockClear()
  debug.mockClear()
  return { context: { ...context, provider: { id: "acme" } } as Context, warn, debug }
}

const arrived = (kinds: readonly string[], user: AdapterUser = ada): Arrived =>
  ({ login: { user, account }, events: kinds.map((kind) => ({ kind })) }) as never

const getUser = async (): Promise<AdapterUser> => ada

describe("the events after which a user is read again", () => {
  const suspect = async (
    kinds: readonly string[],
    given: { proof?: Proof; user?: AdapterUser; adapter?: object; events?: AuthConfig["events"] } = {},
  ) => {
    const { context } = await around(given.adapter ?? { getUser }, given.events)
    return suspectEvents(context, given.proof ?? proofOf(), arrived(kinds, given.user))
  }

  it.each([
    [["createUser"]],
    [["linkAccount"]],
    [["createUser", "linkAccount", "signIn"]],
    [["linkAccount", "signIn"]],
  ])("are those that handlers write to the user in: %s", async (kinds) => {
    expect(await suspect(kinds)).toEqual(kinds)
    expect(await suspect([...kinds, "updateUser"])).toEqual(kinds)
  })

  it("are those that the application handles", async () => {
    expect(await suspect(["createUser", "signIn"], { events: { signIn: handlers.signIn } })).toEqual(["signIn"])
  })

  it.each<[string, readonly string[], Parameters<typeof suspect>[1]]>([
    ["nothing was added", ["signIn"], {}],
    ["the person came by mail", ["createUser"], { proof: proofOf({ policy: emailPolicy }) }],
    ["users cannot be read", ["createUser"], { adapter: {} }],
    ["the address is proven", ["createUser"], { user: { ...ada, emailVerified: noon } }],
    [
      "the provider has verified the address, in whatever case",
      ["createUser"],
      {
        proof: proofOf({
          ...{ emailStatus: "verified", policy: verifying },
          user: { id: "candidate", email: "Ada@APP.test" },
        }),
        user: { ...ada, email: "aDA@app.test" },
      },
    ],
    [
      "neither the provider nor the row has an address",
      ["createUser"],
      {
        proof: proofOf({ emailStatus: "verified", policy: verifying, user: { id: "candidate" } }),
        user: { ...ada, email: undefined as never },
      },
    ],
  ])("are none where %s", async (_, kinds, given) => {
    expect(await suspect(kinds, given)).toEqual([])
  })

  it.each<[string, Partial<Proof>]>([
    ["has verified another address", { user: { id: "candidate", email: "other@app.test" } }],
    ["has verified none", { user: { id: "candidate" } }],
    ["says nothing of it", { emailStatus: "unstated" }],
    ["verifies addresses without proving them", { policy: proofOf().policy }],
  ])("count where the provider %s", async (_, given) => {
    const proof = proofOf({ emailStatus: "verified", policy: verifying, ...given })
    expect(await suspect(["createUser"], { proof })).toEqual(["createUser"])
  })
})

describe("a user who is read again", () => {
  it.each<[string, AdapterUser | null, boolean]>([
    ["is proven", { ...ada, emailVerified: noon }, true],
    ["is not proven", ada, false],
    ["has no address", { ...ada, email: "", emailVerified: noon }, false],
    ["is gone", null, false],
  ])("and %s", async (_, user, isWarned) => {
    const read = vi.fn(async () => user)
    const { context, warn, debug } = await around({ getUser: read })
    await warnOfProof(context, arrived([], { ...ada, id: 7 as never }), ["createUser", "signIn"])
    await warnOfProof(context, arrived([]), ["linkAccount"])
    expect(read.mock.calls).toEqual([["7"], ["ada"]])
    const warning = ["email-verified-by-event", 'Events: createUser, signIn. Provider: "acme".']
    expect(warn.mock.calls).toEqual(isWarned ? [warning] : [])
    expect(debug).not.toHaveBeenCalled()
  })

  it("is warned of without a provider as well", async () => {
    const { context, warn } = await around({ getUser: async () => ({ ...ada, emailVerified: noon }) })
    await warnOfProof({ ...context, provider: undefined } as Context, arrived([]), ["signIn"])
    expect(warn.mock.calls).toEqual([["email-verified-by-event", 'Events: signIn. Provider: "".']])
  })

  it("stays signed in where the store fails, which only the log says", async () => {
    const { context, warn, debug } = await around({ getUser: () => Promise.reject(new Error("away")) })
    await expect(warnOfProof(context, arrived([]), ["signIn"])).resolves.toBeUndefined()
    expect(warn).not.toHaveBeenCalled()
    expect(debug).toHaveBeenCalledOnce()
  })
})
