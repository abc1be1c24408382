import { skipCSRFCheck } from "@latchkey/core"
import { memoryRecords } from "@latchkey/core/memory"
import { isRedirect, type RequestEvent } from "@sveltejs/kit"
import { describe, expect, it } from "vitest"
import { application, config, origin, stage } from "../../test/support/application.js"
import { addressOf } from "./event.js"

/** Two wrong passwords for each network, counted anew for each application. */
const limited = () =>
  config({ limits: { budgets: { guess: { network: { free: 2 } } } }, records: memoryRecords(), skipCSRFCheck })
const people = ["ada", "grace", "joan", "edith"]
const forged = { origin, "x-forwarded-for": "203.0.113.7", "x-real-ip": "203.0.113.7" }

type Address = RequestEvent["getClientAddress"] | undefined

function eventOf(path: string, form: Record<string, string>, getClientAddress: Address): RequestEvent {
  const request = new Request(origin + path, { method: "POST", body: new URLSearchParams(form), headers: forged })
  return Object.assign(stage(request).event, getClientAddress && { getClientAddress })
}

/** Four wrong passwords for four people: statuses of the form of the service, and what the form action leads to. */
async function outcomesOf(getClientAddress: Address, platform?: object): Promise<readonly unknown[][]> {
  const { handle } = application(limited())
  const { signIn } = application(limited())
  const statuses: unknown[] = []
  const outcomes: unknown[] = []
  for (const name of people) {
    const form = { providerId: "credentials", name, password: "wrong" }
    const event = Object.assign(eventOf("/auth/callback/credentials", form, getClientAddress), { platform })
    statuses.push((await handle({ event, resolve: async () => new Response(null, { status: 404 }) })).status)
    await signIn(Object.assign(eventOf("/signin", form, getClientAddress), { platform })).catch((thrown: unknown) => {
      outcomes.push(
        isRedirect(thrown)
          ? new URL(thrown.location).searchParams.get("error")
          : ((thrown as Error).name ?? (thrown as { status?: number }).status),
      )
    })
  }
  return [statuses, outcomes]
}

describe("the address of a visitor", () => {
  it("is what the adapter of SvelteKit says", async () => {
    const [statuses, answers] = await outcomesOf(() => "198.51.100.9")
    expect(statuses).toEqual([302, 302, 429, 429])
    expect(answers).toEqual(["CredentialsSignin", "CredentialsSignin", "Signin", "Signin"])
  })

  it.each<[string, Address]>([
    ["was reset", () => undefined as never],
    [
      "was reset, and the adapter throws",
      () => {
        throw new Error("Could not determine clientAddress")
      },
    ],
  ])("is gone where the connection %s: nobody tries from there", { tags: ["threat:V6-06"] }, async (_, getAddress) => {
    for (const socket of [{ localAddress: "10.0.0.1" }, { destroyed: true }]) {
      const platform = { req: { socket } }
      expect(addressOf({ getClientAddress: getAddress as never, platform })).toBeNull()
    }
    expect(addressOf({ getClientAddress: getAddress as never, platform: { req: { socket: {} } } })).toBeUndefined()
    expect(addressOf({ getClientAddress: getAddress as never, platform: undefined })).toBeUndefined()
    const [statuses, answers] = await outcomesOf(getAddress, { req: { socket: { destroyed: true } } })
    expect([statuses, answers]).toEqual([
      [400, 400, 400, 400],
      [400, 400, 400, 400],
    ])
  })

  it.each([
    ["there is none", undefined],
    ["the adapter knows none", () => "127.0.0.1"],
    [
      "the adapter throws",
      () => {
        throw new Error("adapter-node: missing header")
      },
    ],
  ])("is unknown where %s, whatever headers say", async (_, getClientAddress) => {
    const [statuses, answers] = await outcomesOf(getClientAddress)
    expect(statuses).toEqual([302, 302, 302, 302])
    expect(new Set(answers)).toEqual(new Set(["CredentialsSignin"]))
  })
})
