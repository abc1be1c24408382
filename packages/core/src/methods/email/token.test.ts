/** Which provider a link is for: the mark of its token, and what is asked of a link without one. */
import { describe, expect, it } from "vitest"
import { contextsOf, testNow } from "../../../test/support/method-context.js"
import { memoryAdapter } from "../../adapters/memory.js"
import { storedForm } from "../../context/mailed.js"
import { Verification } from "../../errors.js"
import type { EmailConfig } from "../../types/provider.js"
import { finish } from "./finish.js"
import { boundToken, type EmailContext, hasSeveral, markedFor } from "./token.js"

const mailBy = (over: Partial<EmailConfig>): EmailConfig => ({
  id: "mail",
  name: "Mail",
  type: "email",
  sendVerificationRequest: () => {},
  ...over,
})

/** A request at the callback of `mail`; `staff` mails links too. */
function setup(mail: Partial<EmailConfig> = {}, staff: Partial<EmailConfig> = {}) {
  const adapter = memoryAdapter()
  const providers = [mailBy(mail), mailBy({ id: "staff", ...staff })]
  return { adapter, contexts: contextsOf<EmailContext>({ providers, adapter }) }
}

const contextAt = (id: string): Promise<EmailContext> => setup().contexts({ path: `/auth/callback/${id}` })

/** Of an earlier start of the application, with the secret of tests: computed with `node:crypto` alone. */
const earlier = `${"0f".repeat(32)}.PZivwWXspWobuIiHrsthPs`

describe("the mark of a token", () => {
  it("says which provider the link is for, also after the next release", async () => {
    expect(await markedFor(await contextAt("mail"), earlier)).toBe("this")
    expect(await markedFor(await contextAt("staff"), earlier)).toBe("another")
  })

  it("is read at the provider that made it", async () => {
    const token = await boundToken(await contextAt("staff"))
    expect(await markedFor(await contextAt("staff"), token)).toBe("this")
    expect(await markedFor(await contextAt("mail"), token)).toBe("another")
  })

  it.each([
    ["without a mark", "0f".repeat(32)],
    ["with something in front", `-${earlier}`],
    ["with something behind", `${earlier}-`],
    ["of the application", "a-token-of-its-own"],
    ["that is too short in front of the mark", earlier.slice(1)],
  ])("is not seen in a token %s", async (_, token) => {
    expect(await markedFor(await contextAt("mail"), token)).toBeUndefined()
  })
})

it("counts no other provider where the links of this one are stored with a secret of its own", async () => {
  const { contexts } = setup({ secret: "a-secret-of-this-provider-alone" })
  expect(hasSeveral(await contexts({ path: "/auth/callback/mail" }))).toBe(false)
  expect(hasSeveral(await contexts({ path: "/auth/callback/staff" }))).toBe(true)
})

describe("a link without a mark, beside another provider of links", () => {
  async function followed(normalizeIdentifier?: (typed: string) => unknown, token = "made-by-the-application") {
    const { adapter, contexts } = setup({ normalizeIdentifier } as Partial<EmailConfig>)
    const context = await contexts({ path: `/auth/callback/mail?token=${token}&email=a%40b.test` })
    const expires = new Date(testNow.getTime() + 60_000)
    await adapter.createVerificationToken({ identifier: "a@b.test", token: await storedForm(context, token), expires })
    return finish(context)
  }

  const refuse = (): never => {
    throw new Error("staff only")
  }

  it.each([
    ["accepts the address", (typed: string) => typed],
    ["is not there", undefined],
  ])("signs in where `normalizeIdentifier` %s", async (_, normalizeIdentifier) => {
    expect(await followed(normalizeIdentifier)).toMatchObject({ user: { email: "a@b.test" } })
  })

  it.each([
    ["makes nothing of the address", () => ""],
    ["returns no text", () => undefined],
    ["returns a list", () => ["a@b.test"]],
    ["throws", refuse],
  ])("is refused where `normalizeIdentifier` %s", async (_, normalizeIdentifier) => {
    await expect(followed(normalizeIdentifier)).rejects.toThrow(Verification)
  })

  it("is the only kind whose address is asked about", async () => {
    expect(await followed(refuse, earlier)).toMatchObject({ user: { email: "a@b.test" } })
  })
})
