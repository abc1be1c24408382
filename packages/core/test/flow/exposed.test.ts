/** Members of the user that clients see because the configuration names them, without a callback. */
import { describe, expect, it } from "vitest"
import type { AuthConfig } from "../../src/index.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

const withRole = {
  profile: ({ sub, name, email }: Record<string, string>) => ({ id: sub, name, email, role: "reader" }),
}

async function shown(options: WorldOptions): Promise<{ world: World; user: Record<string, unknown> }> {
  const world = await makeWorld({ provider: withRole, ...options })
  const browser = world.browser()
  await world.signInAtOp(browser)
  const { user } = JSON.parse((await browser.get("/auth/session")).text) as { user: Record<string, unknown> }
  return { world, user }
}

describe("session.expose", () => {
  it("adds nothing by default: name, email and image are all that is shown [spec callback session]", async () => {
    for (const strategy of ["jwt", "database"] as const) {
      const { user } = await shown({ strategy })
      expect(Object.keys(user).filter((member) => !["name", "email", "image"].includes(member))).toEqual([])
    }
  })

  it.each(["jwt", "database"] as const)("adds the id of the user, with sessions by %s", async (strategy) => {
    const { world, user } = await shown({ strategy, config: { session: { strategy, expose: ["id"] } } })
    const stored = await world.adapter.getUserByEmail?.(String(user["email"]))
    expect(user["id"]).toBe(stored?.id)
    expect(user["id"]).toEqual(expect.any(String))
  })

  it("adds the id without a store as well", async () => {
    const { user } = await shown({ adapter: false, config: { session: { expose: ["id"] } } })
    expect(user["id"]).toEqual(expect.any(String))
  })

  it.each(["jwt", "database"] as const)(
    "adds members of the application's own, with sessions by %s",
    async (strategy) => {
      const session = { strategy, expose: ["role"] } as unknown as NonNullable<AuthConfig["session"]>
      const { user } = await shown({ strategy, config: { session } })
      expect(user).toMatchObject({ role: "reader", name: expect.any(String) })
      expect(user).not.toHaveProperty("id")
    },
  )

  it("leaves it to a session callback what is shown", async () => {
    const config: Partial<AuthConfig> = {
      session: { strategy: "jwt", expose: ["id"] },
      callbacks: { session: ({ session }) => ({ expires: session.expires, user: { name: session.user.id ?? null } }) },
    }
    const { user } = await shown({ strategy: "jwt", config })
    expect(user).toEqual({ name: expect.any(String) })
  })

  it.each([
    ["a string", "id", 'received the string "id"'],
    ["no name", ["user.id"], 'received the string "user.id"'],
    ["a claim of the token", ["sub"], 'received the string "sub"'],
    ["a number", [1], "received 1"],
  ])("refuses %s", async (_, expose, received) => {
    const { auth } = await makeWorld({ config: { session: { expose: expose as never } } })
    expect(auth.problems().map(({ message }) => message)).toEqual([
      expect.stringMatching(new RegExp(`^"session.expose": expected a list of members .*${received}`)),
    ])
  })
})
