/** Members that other code of the process has put on every object: no decision about a person takes them for its own. */
import { afterEach, describe, expect, it } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { oidcAt, openDesk, signIn } from "../support/oauth-desk.js"
import { openOp } from "../support/op.js"
import { makeWorld } from "../support/world.js"

const polluted: Readonly<Record<string, unknown>> = {
  isNewUser: true,
  isVerified: true,
  email_verified: true,
  redirect: "https://evil.test/",
  redirectTo: "https://evil.test/",
  callbackUrl: "https://evil.test/",
  token: "t".repeat(64),
  emailVerified: () => true,
  csrfToken: "c".repeat(64),
  code: "a-code",
  state: "a-state",
  userId: "victim",
  sub: "victim",
  providerAccountId: "victim",
  email: "victim@op.test",
  allowDangerousEmailAccountLinking: true,
}

const clean = (): void => {
  for (const name of Object.keys(polluted)) delete (Object.prototype as never as Record<string, unknown>)[name]
}
afterEach(clean)

/** What `fetch` and the fake provider read themselves: nothing could be fetched. */
const fetchable = { redirect: "follow", token: undefined }

async function whilePolluted<T>(work: () => Promise<T>, more: object = {}): Promise<T> {
  Object.assign(Object.prototype, polluted, more)
  try {
    return await work()
  } finally {
    clean()
  }
}

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it("nobody is signed in, and nothing is begun, by what a request does not say", {
    tags: ["threat:PP-16"],
  }, async () => {
    const world = await makeWorld({ strategy })
    await world.signInByMail(world.browser(), "victim@op.test")
    const browser = world.browser()
    const begun = await browser.post("/auth/signin/op", {})
    expect(begun.location).toContain(world.op.issuer)
    const visits = await whilePolluted(async () => [
      await browser.get("/auth/callback/mail"),
      await browser.get("/auth/callback/op"),
      await browser.post("/auth/signin/mail", {}, { csrf: false }),
      await browser.post("/auth/signin/op", {}, { csrf: false }),
      await browser.post("/auth/signout", {}, { csrf: false }),
    ])
    for (const { location } of visits) expect(new URL(location ?? "").origin).toBe("https://app.test")
    expect([browser.cookie(sessionCookie), world.op.callsOf("token"), world.mails.length]).toEqual([undefined, [], 1])
  })

  it("people are who they are, have what they had, and end where they began", { tags: ["threat:PP-16"] }, async () => {
    const world = await makeWorld({ strategy })
    await world.signInByMail(world.browser(), "victim@op.test")
    await world.signInAtOp(world.browser())
    const victim = await world.adapter.getUserByEmail?.("victim@op.test")
    world.events.length = 0
    const browser = world.browser()
    const visit = await whilePolluted(() => world.signInAtOp(browser), fetchable)
    expect(visit.location).toBe("https://app.test/")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@op.test" } })
    const signedIn = world.events.find(([name]) => name === "signIn")?.[1]
    expect(signedIn).toMatchObject({ isNewUser: false, account: { providerAccountId: "person-1" } })
    const ofVictim = await world.adapter.listAccountsByUserId?.(victim?.id ?? "")
    expect(ofVictim?.map(({ provider }) => provider)).toEqual(["mail"])
  })

  it("an address that the provider calls unverified is linked to nobody", { tags: ["threat:PP-16"] }, async () => {
    const world = await makeWorld({ strategy })
    await world.signInByMail(world.browser(), "ada@op.test")
    world.op.person = { sub: "thief", name: "Thief", email: "ada@op.test" }
    const thief = world.browser()
    const visit = await whilePolluted(() => world.signInAtOp(thief), fetchable)
    expect(visit.location).toContain("error=OAuthAccountNotLinked")
    expect(thief.cookie(sessionCookie)).toBeUndefined()
  })
})

it("an address of which the provider says nothing is not proven by them", { tags: ["threat:PP-16"] }, async () => {
  for (const idToken of [true, false]) {
    const op = await openOp({ person: { sub: "person-1", email: "ada@op.test" } })
    const desk = openDesk(oidcAt(op, { idToken }))
    const proof = await whilePolluted(() => signIn(desk, op), fetchable)
    expect([proof.account.providerAccountId, proof.emailStatus]).toEqual(["person-1", "unstated"])
  }
})
