/** A tenant and a name that say together who it is: neither somebody of the same name elsewhere nor another person of the tenant may buy guesses. */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { type Auth, limits } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { openBrowser } from "../support/browser.js"
import { plainSettings } from "../support/password-service.js"

type Fields = Readonly<Record<string, unknown>>
const victim = { tenant: "acme", username: "admin" }

/** A service where every person has the password `mine`, but the victim. */
function open(accountField: string | readonly string[] | undefined, isVictim = isExactly(victim)) {
  let asked = 0
  const provider = {
    id: "password",
    name: "Password",
    type: "credentials",
    credentials: { tenant: {}, username: {}, password: { type: "password" } },
    accountField,
    authorize(fields: Fields) {
      if (isVictim(fields)) asked += 1
      return fields["password"] === (isVictim(fields) ? "right" : "mine") ? { id: "1" } : null
    },
  }
  const secret = randomBytes(32).toString("hex")
  const auth = createAuth(
    { ...plainSettings, secret, adapter: memoryAdapter(), providers: [provider as never] },
    { env: { NODE_ENV: "production" } },
  ) as Auth
  const browser = () => {
    const { post, jar } = openBrowser(auth.handle)
    const signIn = async (fields: object): Promise<number> =>
      (await post("/auth/callback/password", fields as Record<string, string>, { csrf: false, json: true })).status
    return { signIn, jar }
  }
  return { auth, browser, asked: () => asked }
}

function isExactly({ tenant, username }: Fields) {
  return (fields: Fields): boolean => fields["tenant"] === tenant && fields["username"] === username
}

const both = ["tenant", "username"] as const

describe("a person named by a tenant and a name", { tags: ["threat:V6-06"] }, () => {
  it.each([
    ["the same name at another tenant", { tenant: "mine", username: "admin" }],
    ["another name at the same tenant", { tenant: "acme", username: "mallory" }],
    ["the same letters, divided in another way", { tenant: "acm", username: "eadmin" }],
    ["letters that fold to the same", { tenant: "Acme", username: "admin" }],
  ])("is guessed at ten times by whoever signs in under %s", async (_, own) => {
    const { browser, asked } = open(both)
    for (let round = 0; round < 6; round += 1) {
      const thief = browser()
      expect([302, 429]).toContain(await thief.signIn({ ...own, password: "mine" }))
      for (let index = 0; index < 9; index += 1) await thief.signIn({ ...victim, password: `guess-${index}` })
    }
    expect(asked()).toBe(10)
  })

  it("is counted apart from everybody who shares one of the fields", async () => {
    const { browser } = open(both)
    for (let index = 0; index < 11; index += 1) await browser().signIn({ ...victim, password: "wrong" })
    expect(await browser().signIn({ ...victim, password: "wrong" })).toBe(429)
    for (const other of [
      { tenant: "acm", username: "eadmin" },
      { username: "admin" },
      { tenant: "admin", username: "acme" },
    ])
      expect(await browser().signIn({ ...other, password: "wrong" })).not.toBe(429)
  })

  it("has ten guesses for all spellings of both", async () => {
    const alike = new Set(["acme admin", "acmé admin", "ACME Admin"])
    const { browser, asked } = open(both, ({ tenant, username }) => alike.has(`${tenant} ${username}`))
    for (let index = 0; index < 12; index += 1) {
      const [tenant, username] = [...alike][index % 3]?.split(" ") ?? []
      await browser().signIn({ tenant, username, password: "wrong" })
    }
    expect(asked()).toBe(10)
  })

  it("is let in again after nine wrong tries, and known in the browser", async () => {
    const { browser } = open(both)
    const owner = browser()
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 9; index += 1) await owner.signIn({ ...victim, password: "wrong" })
      expect(await owner.signIn({ ...victim, password: "right" })).toBe(302)
    }
    for (let index = 0; index < 12; index += 1) await browser().signIn({ ...victim, password: "wrong" })
    expect(await owner.signIn({ ...victim, password: "right" })).toBe(302)
  })

  it("is counted also where a field is missing, in whatever way, and in any odd form", async () => {
    const { browser, asked } = open(both, ({ username }) => String(username).includes("admin"))
    for (const tenant of [undefined, null, "", "  "])
      for (let index = 0; index < 5; index += 1)
        await browser().signIn({ tenant, username: "admin", password: "wrong" })
    expect(asked()).toBe(10)
    for (let index = 0; index < 20; index += 1) {
      const odd =
        index % 2 === 0
          ? { tenant: ["acme", index], username: "admin" }
          : { tenant: "acme", username: ["admin", index] }
      await browser().signIn({ ...odd, password: "wrong" })
    }
    expect(asked()).toBe(20)
  })

  it("is opened by limits.reset, which takes the fields in the same order", async () => {
    const { auth, browser } = open(both)
    for (let index = 0; index < 12; index += 1) await browser().signIn({ ...victim, password: "wrong" })
    await limits.reset(auth, "admin")
    await limits.reset(auth, ["admin", "acme"])
    expect(await browser().signIn({ ...victim, password: "right" })).toBe(429)
    await limits.reset(auth, [" ACME", "admin"])
    expect(await browser().signIn({ ...victim, password: "right" })).toBe(302)
  })
})

it("a list of one field counts as that field does", { tags: ["threat:V6-06"] }, async () => {
  for (const field of ["username", ["username"]]) {
    const { auth, browser } = open(field)
    for (let index = 0; index < 12; index += 1) await browser().signIn({ ...victim, password: "wrong" })
    expect(await browser().signIn({ tenant: "other", username: "Admin", password: "wrong" })).toBe(429)
    await limits.reset(auth, "admin")
    expect(await browser().signIn({ ...victim, password: "right" })).toBe(302)
  }
})
