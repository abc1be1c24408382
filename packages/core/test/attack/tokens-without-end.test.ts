/** Tokens that the application makes itself (`jwt.encode`, `jwt.decode`) and that never end: a copy of one that was ended opens nothing, however long somebody waits. */
import { expect, it } from "vitest"
import { endAll, endOne, endOthers, listEntries } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { JWTDecodeParams, JWTEncodeParams } from "../../src/types/token.js"
import { cookiesAfter, startOfTests } from "../support/context.js"
import { managedStage } from "../support/managed-stage.js"

const day = 86_400
const iat = startOfTests.getTime() / 1000

/** As libraries do whose tokens end only where that is asked for. */
const jwt = {
  encode: ({ token }: JWTEncodeParams) =>
    Buffer.from(JSON.stringify({ iat, jti: crypto.randomUUID(), ...token })).toString("base64url"),
  decode: ({ token }: JWTDecodeParams) => JSON.parse(Buffer.from(token ?? "", "base64url").toString()),
}

it.each([
  ["signOut", undefined],
  ["endOne", undefined],
  ["endOthers", undefined],
  ["endAll", undefined],
  ["signOut", 365 * day],
  ["endAll", 365 * day],
] as const)(
  "a session from before they were managed stays over years after it was ended: %s, overallMaxAge %s",
  { tags: ["threat:SF-08"] },
  async (how, overallMaxAge) => {
    const session: AuthConfig["session"] = { strategy: "jwt", ...(overallMaxAge && { overallMaxAge }) }
    const { at, newUser, signIn, isOpen } = managedStage({ strategy: "jwt", config: { jwt, session } })
    const user = await newUser("ada@app.test")
    const thief = await signIn(user, {}, null)
    const own = await signIn(user, { seconds: 1 })
    expect(await isOpen(thief, 60)).toBe(true)
    const context = at(thief, day)
    const listed = cookiesAfter(context, (await selectStrategy(context.settings).check(context)).cookies)
    const other = (await listEntries(at(own, day + 1))).find(({ current }) => !current)
    if (how === "signOut") await selectStrategy(at().settings).end(at(listed, day + 1))
    else if (how === "endOne") await endOne(at(own, day + 1), other?.id ?? "")
    else if (how === "endOthers") await endOthers(at(own, day + 1))
    else await endAll(at(own, day + 1), user.id)
    for (const days of [2, 32, 300, 3000]) expect(await isOpen(thief, days * day)).toBe(false)
  },
)
