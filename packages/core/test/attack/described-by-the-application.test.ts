/** A `getUserInfo` that says more than the address of new people, or finds people by a name, tells visitors neither who has an account nor which address. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { GetUserInfo } from "../../src/types/provider.js"
import type { Visit } from "../support/browser.js"
import { passkeyCeremony, passkeyConfig, registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const owner = "ada@app.test"
const stranger = "bob@app.test"
const tags = ["threat:WO-11", "threat:A-145"]

/** Describes new people by what they typed. */
const describing =
  (more: (query: Readonly<Record<string, string>>) => object): GetUserInfo =>
  async ({ adapter }, { query }) => {
    const { email } = query
    if (!email) return null
    const user = await adapter.getUserByEmail?.(email)
    return user ? { user, exists: true } : { user: { email, ...more(query) }, exists: false }
  }
const byName = describing(({ name }) => ({ name }))

/** An application where the owner has registered. */
async function openTo(getUserInfo: GetUserInfo) {
  const adapter = memoryAdapter()
  const world = await makeWorld({ adapter, config: { ...passkeyConfig, providers: [Passkey({ getUserInfo })] } })
  await registerPasskey(world.browser(), softwarePasskey(), owner)
  const ask = (query: Record<string, string>): Promise<Visit> =>
    world.browser().get(`/auth/webauthn-options/passkey?${new URLSearchParams({ action: "register", ...query })}`)
  return { ...world, adapter, ask }
}

/** What of an answer does not differ from one question to the next. */
const shapeOf = ({ status, headers, text }: Visit, email: string): object => ({
  status,
  cookies: headers
    .getSetCookie()
    .map((line) =>
      line
        .replace(/=[^;]*/, (value) => `=${value.length} characters`)
        .replace(/Expires=[^;]*/, "Expires=<when asked, and Max-Age>"),
    ),
  text: text.replaceAll(email, "<address>").replace(/[\w-]{43}/g, "<random>"),
})

describe("a registered address and another are answered alike", () => {
  it.each([
    ["a name that was typed", byName, { name: "Bob the builder of the bridges of Basel" }],
    ["a name of 400 characters", byName, { name: "n".repeat(400) }],
    ["a name of 200 characters of four bytes", byName, { name: "😀".repeat(200) }],
    ["a picture that everybody gets", describing(() => ({ image: `https://cdn.test/${"a".repeat(300)}.png` })), {}],
    ["no name", describing(() => ({ name: undefined, image: null })), {}],
  ])("where new people get %s", { tags }, async (_, getUserInfo, query) => {
    const { ask, errors } = await openTo(getUserInfo)
    const known = await ask({ ...query, email: owner })
    expect(known.status).toBe(200)
    expect(shapeOf(await ask({ ...query, email: stranger }), stranger)).toEqual(shapeOf(known, owner))
    expect(errors).toEqual([])
  })

  it("where the store has spelled it in another way", { tags }, async () => {
    const spelled: GetUserInfo = async ({ adapter }, { query: { email = "" } }) => {
      const user = await adapter.getUserByEmail?.(email)
      return user ? { user: { ...user, email: "Ada@App.test" }, exists: true } : { user: { email }, exists: false }
    }
    const { ask } = await openTo(spelled)
    const known = shapeOf(await ask({ email: owner }), owner)
    expect(known).toEqual(shapeOf(await ask({ email: stranger }), stranger))
    expect(JSON.stringify(known)).not.toContain("Ada")
  })
})

it("what visitors make too long for a cookie is refused as theirs, without an incident", { tags }, async () => {
  const { ask, errors } = await openTo(byName)
  const visit = await ask({ email: stranger, name: "n".repeat(4000) })
  expect([visit.status, visit.headers.has("x-auth-incident")]).toEqual([400, false])
  expect(visit.headers.getSetCookie()).toEqual([])
  expect(errors).toMatchObject([{ type: "UnreadableRequest" }])
  expect(String(errors[0])).toContain('"name" has 4002 characters')
  expect(errors[0]).not.toHaveProperty("incident")
})

it("the address of somebody who is found by another name stays unsaid", { tags }, async () => {
  const byUsername: GetUserInfo = async ({ adapter }, { query: { username, email } }) => {
    const user = username === "ada" ? await adapter.getUserByEmail?.(owner) : null
    return user ? { user, exists: true } : email ? { user: { email }, exists: false } : null
  }
  const { ask } = await openTo(byUsername)
  const { status, text } = await ask({ username: "ada" })
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ options: { user: { name: "ada", displayName: "ada" } } })
  // Nor whether the name is taken, to somebody who says an address.
  const taken = await ask({ username: "ada", email: stranger })
  expect(shapeOf(await ask({ username: "eve", email: stranger }), stranger)).toEqual(shapeOf(taken, stranger))
})

describe("where the address is typed into a field of another name", () => {
  const byLogin: GetUserInfo = async ({ adapter }, { query: { login = "", name } }) => {
    const email = login.trim().toLowerCase()
    if (!email) return null
    const user = await adapter.getUserByEmail?.(email)
    return user ? { user, exists: true } : { user: { email, ...(name && { name }) }, exists: false }
  }

  it.each([
    ["what was typed", (login: string) => ({ login: login.toUpperCase() }), (login: string) => login.toUpperCase()],
    ["the first field", (login: string) => ({ name: "Somebody", login }), () => "Somebody"],
    [
      "nothing of the form's own fields",
      (login: string) => ({ csrfToken: "secret", callbackUrl: "/a", redirectTo: "/b", login }),
      (login: string) => login,
    ],
  ])("visitors are shown %s, whether it is known or not", { tags }, async (_, queryOf, shown) => {
    const { ask } = await openTo(byLogin)
    for (const login of [owner, stranger])
      expect(JSON.parse((await ask(queryOf(login))).text)).toMatchObject({ options: { user: { name: shown(login) } } })
  })

  it("or that of the application, where nothing was typed", { tags }, async () => {
    for (const login of [owner, stranger]) {
      const { ask } = await openTo((options, request) => byLogin(options, { ...request, query: { login } }))
      expect(JSON.parse((await ask({})).text)).toMatchObject({ options: { user: { name: login } } })
    }
  })
})

it("the person who comes to be is described as the application did", async () => {
  const { adapter, browser, errors } = await openTo(byName)
  const visit = await passkeyCeremony(browser(), softwarePasskey(), {
    action: "register",
    email: stranger,
    name: "Bob",
  })
  expect([visit.status, errors]).toEqual([302, []])
  const { id, ...user } = (await adapter.getUserByEmail(stranger)) ?? {}
  expect(id).toBeDefined()
  expect(user).toEqual({ email: stranger, name: "Bob", emailVerified: null })
})
