import { describe, expect, it, vi } from "vitest"
import { makeContext } from "../../test/support/context.js"
import { account } from "../../test/support/signed-in.js"
import type { JWT } from "../types/token.js"
import { passSignIn } from "./sign-in-token.js"

type Params = { readonly token: JWT } & Readonly<Record<string, unknown>>

const ann = { id: "u1", name: "Ann", email: "ann@app.test", image: "/ann.png" }
const claims = { sub: "u1", name: "Ann", email: "ann@app.test", picture: "/ann.png", image: "/ann.png" }

/** The token of a sign-in, and what the jwt callback was given for it. */
async function signIn(login: object, lk?: unknown) {
  const jwt = vi.fn((params: Params) => params.token)
  const context = makeContext({ config: { callbacks: { jwt: jwt as never } } })
  const token = await passSignIn(context, { user: ann, account, isNew: undefined, ...login } as never, lk)
  return { token, params: jwt.mock.calls[0]?.[0] }
}

describe("the token of a session that begins", () => {
  it("names the user by the id, and says nothing of a session that rests on nothing more", async () => {
    const { token } = await signIn({})
    expect(token).toStrictEqual(claims)
  })

  it("names nobody where the user has no id", async () => {
    const { token } = await signIn({ user: { ...ann, id: undefined } })
    expect(token).not.toHaveProperty("sub")
  })

  it("carries what the session rests on, whatever the callback sees", async () => {
    expect((await signIn({ unprovenAccount: "d".repeat(22) })).token).toMatchObject({ lk: "d".repeat(22) })
    expect((await signIn({ unprovenAccount: "d".repeat(22) }, "e".repeat(22))).token).toMatchObject({
      lk: "e".repeat(22),
    })
  })
})

describe("the token where members of the user are exposed", () => {
  it("keeps these beside name, address and image, and no other member of the user", async () => {
    const user = { ...ann, role: "reader", passwordHash: "secret" }
    const context = makeContext({ config: { session: { expose: ["role", "id"] } as never } })
    const token = await passSignIn(context, { user: user as never, account, isNew: false })
    expect(token).toStrictEqual({ ...claims, role: "reader" })
  })
})

describe("the jwt callback at a sign-in", () => {
  it("learns nothing of whether the user is new where nobody knows", async () => {
    const { params } = await signIn({})
    const { token: _, ...rest } = params ?? { token: {} }
    expect(rest).toStrictEqual({ user: ann, account, trigger: "signIn" })
  })
})
