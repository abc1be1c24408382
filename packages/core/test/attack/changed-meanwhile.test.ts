/** A proof is on its way while the rows of its person change: it says something of an address or an account, never of the user who had it before. */
import { describe, expect, it } from "vitest"
import type { TestBrowser } from "../support/browser.js"
import { makeWorld, type World } from "../support/world.js"

const tags = ["threat:A-051"]
const address = "ada@op.test"

const idIn = async (browser: TestBrowser, world: World): Promise<unknown> => {
  const session = (await browser.session()) as { user?: { email?: string } } | null
  return (await world.adapter.getUserByEmail?.(session?.user?.email ?? ""))?.id
}

/** Somebody who has signed in by mail; they get another address while what `begin` started is under way. */
async function withUser(strategy: "jwt" | "database", provider: Record<string, unknown> = {}) {
  const world = await makeWorld({ strategy, provider })
  await world.signInByMail(world.browser(), address)
  const user = await world.adapter.getUserByEmail?.(address)
  const changeAddress = () => world.adapter.updateUser?.({ id: user?.id ?? "", email: "moved@app.test" })
  return { world, id: user?.id, changeAddress }
}

/** Begins a sign-in at the provider; the function that comes back finishes it. */
async function beginAtOp(world: World, browser: TestBrowser) {
  const begun = await browser.post("/auth/signin/op")
  return () => {
    const back = world.op.authorize(begun.location ?? "")
    return browser.get(back.pathname + back.search)
  }
}

describe.each(["jwt", "database"] as const)("with %s sessions", (strategy) => {
  it("a mailed link does not sign in the user whose address it was when it was sent", { tags }, async () => {
    const { world, id, changeAddress } = await withUser(strategy)
    const browser = world.browser()
    await browser.post("/auth/signin/mail", { email: address })
    await changeAddress()
    await browser.get(world.mails.at(-1)?.url ?? "")
    expect(await browser.session()).toMatchObject({ user: { email: address } })
    expect(await idIn(browser, world)).not.toBe(id)
    expect(await world.adapter.getUser?.(id ?? "")).toMatchObject({ email: "moved@app.test" })
  })

  it("an account is not linked to the user whose address it was when the sign-in began", { tags }, async () => {
    const { world, id, changeAddress } = await withUser(strategy, { allowDangerousEmailAccountLinking: true })
    const browser = world.browser()
    const finish = await beginAtOp(world, browser)
    await changeAddress()
    await finish()
    const account = { provider: "op", providerAccountId: "person-1" }
    expect(await world.adapter.getUserByAccount?.(account)).toMatchObject({ email: address })
    expect((await world.adapter.getUserByAccount?.(account))?.id).not.toBe(id)
  })

  it("an account that was taken away meanwhile does not sign in the user who had it", { tags }, async () => {
    const world = await makeWorld({ strategy })
    await world.signInAtOp(world.browser())
    const browser = world.browser()
    const finish = await beginAtOp(world, browser)
    await world.adapter.unlinkAccount?.({ provider: "op", providerAccountId: "person-1" })
    expect((await finish()).location).toContain("error=OAuthAccountNotLinked")
    expect(await browser.session()).toBeNull()
  })
})
