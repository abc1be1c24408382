/** An assertion can be used once, for the credentials that were offered, and for the user it identifies. */

import { softwarePasskey } from "@latchkey/testing"
import { toBase64url } from "@latchkey/testing/webauthn"
import { describe, expect, it, vi } from "vitest"
import { type Begun, type Ceremonies, createCeremonies } from "../../../test/support/ceremonies.js"
import { AdapterError, WebAuthnVerificationError } from "../../errors.js"
import type { Adapter } from "../../types/adapter.js"
import type { AdapterUser } from "../../types/identity.js"

/** Registers a passkey for somebody who is signed in: their handle is their own from the start. */
async function enrol(passkeys: Ceremonies, email: string): Promise<{ user: AdapterUser; id: string; handle: string }> {
  const { user, cookies } = await passkeys.member(email)
  const begun = await passkeys.begin({ action: "register" }, cookies)
  const answer = await passkeys.authenticator.create(begun.options)
  await passkeys.admit(await passkeys.finish(begun, answer))
  return { user, id: answer.id, handle: begun.options.user?.id ?? "" }
}

const answerWith = (passkeys: Ceremonies, begun: Begun, id: string) =>
  passkeys.authenticator.get({ ...begun.options, allowCredentials: [{ id }] })

/** Another adapter with fewer operations. */
const without = (...names: (keyof Adapter)[]) => Object.fromEntries(names.map((name) => [name, undefined]))

describe("the same answer with the same challenge", () => {
  const counterless = { authenticator: softwarePasskey({ counts: false }) }

  it.each([
    ["with transactions", {}],
    ["without", without("transaction", "createUserWithAccount")],
  ])(
    "is refused the second time, %s",
    { tags: ["threat:WO-03", "threat:WO-08", "threat:WA-19"] },
    async (_, adapter) => {
      const passkeys = createCeremonies({ ...counterless, adapter })
      await passkeys.admit(await passkeys.register("ada@example.test"))
      const begun = await passkeys.begin({})
      const answer = await passkeys.authenticator.get(begun.options)
      await expect(passkeys.finish(begun, answer)).resolves.toMatchObject({ kind: "proof" })
      for (const _again of [1, 2]) {
        await expect(passkeys.finish(begun, answer)).rejects.toThrow(WebAuthnVerificationError)
      }
      await expect(passkeys.signIn()).resolves.toMatchObject({ kind: "proof" })
    },
  )

  it("signs in once when it is sent ten times at once", { tags: ["threat:WO-03"] }, async () => {
    const passkeys = createCeremonies(counterless)
    await passkeys.admit(await passkeys.register("ada@example.test"))
    const begun = await passkeys.begin({})
    const answer = await passkeys.authenticator.get(begun.options)
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => passkeys.finish(begun, answer)))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  it("signs in once when two are sent at once to a store that refuses duplicate tokens", {
    tags: ["threat:WO-03"],
  }, async () => {
    const passkeys = createCeremonies({ ...counterless, adapter: without("transaction") })
    await passkeys.admit(await passkeys.register("ada@example.test"))
    const create = passkeys.adapter.createVerificationToken.bind(passkeys.adapter)
    const kept = new Set<string>()
    passkeys.adapter.createVerificationToken = async (token) => {
      if (kept.has(token.token)) throw new Error("UNIQUE constraint failed")
      kept.add(token.token)
      return create(token)
    }
    passkeys.adapter.useVerificationToken = async ({ token }) =>
      kept.delete(token) ? { identifier: "", token, expires: new Date() } : null
    const begun = await passkeys.begin({})
    const answer = await passkeys.authenticator.get(begun.options)
    const outcomes = await Promise.allSettled(Array.from({ length: 2 }, () => passkeys.finish(begun, answer)))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  it("of a registration is refused when the passkey was removed meanwhile", {
    tags: ["threat:WO-03"],
  }, async () => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email: "ada@example.test" })
    const answer = await passkeys.authenticator.create(begun.options)
    await expect(passkeys.finish(begun, answer)).resolves.toMatchObject({ kind: "proof" })
    await expect(passkeys.finish(begun, answer)).rejects.toThrow(WebAuthnVerificationError)
  })

  it("is only remembered once it verified, and for as long as the challenge lives", async () => {
    const passkeys = createCeremonies(counterless)
    await passkeys.admit(await passkeys.register("ada@example.test"))
    const create = vi.spyOn(passkeys.adapter, "transaction")
    const begun = await passkeys.begin({})
    const wrong = await passkeys.authenticator.get(begun.options, { clientData: { origin: "https://evil.test" } })
    await expect(passkeys.finish(begun, wrong)).rejects.toThrow(WebAuthnVerificationError)
    expect(create).not.toHaveBeenCalled()
  })

  it("is not asked about where the adapter keeps no tokens", async () => {
    const adapter = without("createVerificationToken", "useVerificationToken")
    const passkeys = createCeremonies({ ...counterless, adapter })
    await passkeys.admit(await passkeys.register("ada@example.test"))
    await expect(passkeys.signIn()).resolves.toMatchObject({ kind: "proof" })
  })

  it("ends with the store's own error while the store is down", async () => {
    const passkeys = createCeremonies({ ...counterless, adapter: without("transaction") })
    await passkeys.admit(await passkeys.register("ada@example.test"))
    passkeys.adapter.useVerificationToken = () => Promise.reject(new Error("down"))
    await expect(passkeys.signIn()).rejects.toThrow(AdapterError)
  })
})

describe("a credential that was not offered", () => {
  it("is refused, whoever owns it", { tags: ["threat:WA-01", "threat:WA-03"] }, async () => {
    const passkeys = createCeremonies()
    const [ada, eve] = [await enrol(passkeys, "ada@example.test"), await enrol(passkeys, "eve@example.test")]
    const begun = await passkeys.begin({ action: "authenticate", email: "ada@example.test" })
    const answer = await answerWith(passkeys, begun, eve.id)
    await expect(passkeys.finish(begun, answer)).rejects.toThrow(WebAuthnVerificationError)
    const own = await passkeys.begin({ action: "authenticate", email: "ada@example.test" })
    expect((await passkeys.finish(own, await answerWith(passkeys, own, ada.id))).user.id).toBe(ada.user.id)
  })

  it("is refused where decoys were offered", { tags: ["threat:WA-01"] }, async () => {
    const passkeys = createCeremonies()
    const { id } = await enrol(passkeys, "ada@example.test")
    const begun = await passkeys.begin({ action: "authenticate", email: "nobody@example.test" })
    const answer = await answerWith(passkeys, begun, id)
    await expect(passkeys.finish(begun, answer)).rejects.toThrow(WebAuthnVerificationError)
  })

  it("does not exist where none was named: the authenticator chooses", async () => {
    const passkeys = createCeremonies()
    const { id, user } = await enrol(passkeys, "ada@example.test")
    const begun = await passkeys.begin({})
    expect((await passkeys.finish(begun, await answerWith(passkeys, begun, id))).user.id).toBe(user.id)
  })

  it("is sealed with as many others as are ever offered, in a cookie that browsers keep", async () => {
    const passkeys = createCeremonies()
    const { user, id } = await enrol(passkeys, "ada@example.test")
    const [row] = await passkeys.adapter.listAuthenticatorsByUserId(user.id)
    const many = Array.from({ length: 64 }, (_, index) => ({ ...row, credentialID: btoa(`${"x".repeat(60)}${index}`) }))
    passkeys.adapter.listAuthenticatorsByUserId = async () => [row, ...many] as never
    const begun = await passkeys.begin({ action: "authenticate", email: "ada@example.test" })
    expect(Math.max(...[...begun.cookies.values()].map(({ length }) => length))).toBeLessThan(3800)
    await expect(passkeys.finish(begun, await answerWith(passkeys, begun, id))).resolves.toBeTruthy()
  })
})

describe("the user handle of an answer", () => {
  const hexOf = (handle: string) =>
    [...atob(handle.replaceAll("-", "+").replaceAll("_", "/"))]
      .map((character) => character.charCodeAt(0).toString(16).padStart(2, "0"))
      .join("")

  it.each([
    ["as it is", (handle: string) => handle],
    ["as text of version 9", hexOf],
    ["as version 9 of the library had it stored", (handle: string) => btoa(hexOf(handle)).replaceAll("=", "")],
  ])("of another user refuses it, %s", { tags: ["threat:WA-03", "threat:WA-04"] }, async (_, spelled) => {
    const passkeys = createCeremonies()
    const [ada, eve] = [await enrol(passkeys, "ada@example.test"), await enrol(passkeys, "eve@example.test")]
    const begun = await passkeys.begin({})
    const options = { ...begun.options, allowCredentials: [{ id: ada.id }] }
    const foreign = await passkeys.authenticator.get(options, { userHandle: spelled(eve.handle) })
    await expect(passkeys.finish(begun, foreign)).rejects.toThrow(WebAuthnVerificationError)
    const own = await passkeys.authenticator.get(options, { userHandle: spelled(ada.handle) })
    await expect(passkeys.finish(begun, own)).resolves.toMatchObject({ user: { id: ada.user.id } })
    const named = await passkeys.begin({ action: "authenticate", email: "ada@example.test" })
    const other = await passkeys.authenticator.get(named.options, { userHandle: spelled(eve.handle) })
    await expect(passkeys.finish(named, other)).rejects.toThrow(WebAuthnVerificationError)
  })

  it.each([
    ["absent", { response: { userHandle: undefined } }],
    ["empty", { userHandle: "" }],
    ["random, as of a registration before there was a user", { userHandle: toBase64url(new Uint8Array(32).fill(7)) }],
    ["one of Auth.js", { userHandle: "0a".repeat(32) }],
    ["no base64url", { userHandle: "\u00e4!" }],
  ])("says nothing when it is %s", { tags: ["threat:WA-04"] }, async (_, wrong) => {
    const passkeys = createCeremonies()
    const { user } = await enrol(passkeys, "ada@example.test")
    await expect(passkeys.signIn({}, wrong)).resolves.toMatchObject({ user: { id: user.id } })
  })

  it("made with a secret that has been removed is ignored as well", async () => {
    const passkeys = createCeremonies()
    const { user, handle } = await enrol(passkeys, "ada@example.test")
    const secret = "another secret of more than thirty-two characters"
    const rotated = createCeremonies({
      adapter: passkeys.adapter,
      authenticator: passkeys.authenticator,
      config: { secret },
    })
    await expect(rotated.signIn({}, { userHandle: handle })).resolves.toMatchObject({ user: { id: user.id } })
  })
})
