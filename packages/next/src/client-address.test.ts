import { skipCSRFCheck } from "@latchkey/core"
import { memoryRecords } from "@latchkey/core/memory"
import { afterEach, describe, expect, it, vi } from "vitest"
import { arrive, config, requestOf, sent } from "../test/support/application.js"
import { NextAuth } from "./index.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Two wrong passwords for each network, counted anew for each application. */
const limited = () =>
  config({ limits: { budgets: { guess: { network: { free: 2 } } } }, records: memoryRecords(), skipCSRFCheck })
const people = ["ada", "grace", "joan", "edith"]

async function byHandler(more: Readonly<Record<string, string>>): Promise<number[]> {
  const { handlers } = NextAuth(limited())
  const statuses: number[] = []
  for (const name of people) {
    const body = new URLSearchParams({ name, password: "wrong" })
    const request = requestOf("/api/auth/callback/credentials", sent(more), { method: "POST", body })
    statuses.push((await handlers.POST(request)).status)
  }
  return statuses
}

async function byAction(more: Readonly<Record<string, string>>): Promise<unknown[]> {
  const { signIn } = NextAuth(limited())
  const types: unknown[] = []
  for (const name of people) {
    arrive(sent(more))
    await signIn("credentials", { name, password: "wrong" }).catch((error: { type: unknown }) => types.push(error.type))
  }
  return types
}

const real = { "x-real-ip": "203.0.113.7" }

describe("the address of a visitor", () => {
  it.each(["production", "preview"])("is what Vercel says, in %s", async (environment) => {
    vi.stubEnv("VERCEL", "1")
    vi.stubEnv("VERCEL_ENV", environment)
    expect(await byHandler(real)).toEqual([302, 302, 429, 429])
    const wrong = "CredentialsSignin"
    expect(await byAction(real)).toEqual([wrong, wrong, "TooManyRequests", "TooManyRequests"])
  })

  it.each([
    ["on a server of one's own", {}],
    ["where variables were pulled for development", { VERCEL: "1", VERCEL_ENV: "development" }],
    ["where another variable has the name", { VERCEL_ENV: "production" }],
  ])("is unknown %s, whatever headers say", async (_, env) => {
    vi.stubEnv("VERCEL", undefined)
    vi.stubEnv("VERCEL_ENV", undefined)
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const forged = { ...real, "x-forwarded-for": "203.0.113.7", "x-vercel-forwarded-for": "203.0.113.7" }
    expect(await byHandler(forged)).toEqual([302, 302, 302, 302])
    expect(new Set(await byAction(forged))).toEqual(new Set(["CredentialsSignin"]))
  })
})
