/** A mailed link of the attacker as the address to return to: it must not follow a sign-in of somebody else. */
import { expect, it } from "vitest"
import { makeWorld, type World } from "../support/world.js"

const tags = ["threat:CS-11", "threat:RD-114"]
const [ada, eve] = ["ada@corp.test", "eve@evil.test"]

/** A link that was mailed to Eve and not followed. */
async function opened(): Promise<{ readonly world: World; readonly link: string }> {
  const world = await makeWorld()
  await world.browser().post("/auth/signin/mail", { email: eve })
  return { world, link: world.mails.at(-1)?.url ?? "" }
}

it.each([
  ["whole", (link: string) => link],
  ["as a path", (link: string) => link.slice("https://app.test".length)],
  ["in another spelling", (link: string) => link.replace("/callback/", "/./callback/")],
  ["with two slashes, which Next.js takes for one", (link: string) => link.replace("/callback/", "//callback//")],
  ["with an encoded letter", (link: string) => link.replace("/callback/", "/%63allback/")],
  ["in capitals, which Express mounts as well", (link: string) => link.replace("/auth/", "/AUTH/")],
  ["below the path of a tenant", (link: string) => link.replace("/auth/", "/other/auth/")],
  ["with an encoded slash behind dots", (link: string) => link.replace("/callback/", "/x/..%2Fcallback/")],
  ["with an encoded way back", (link: string) => link.replace("/callback/mail", "/callback/x%2F..%2Fmail")],
  ["with encoded dots", (link: string) => link.replace("/callback/", "/%2e%2Fcallback/")],
  ["with a dot at the end", (link: string) => link.replace("mail?", "mail%2F.?")],
  ["with an encoded backslash", (link: string) => link.replace("/callback/mail", "/callback%5Cmail")],
  ["with a slash at the end", (link: string) => link.replace("mail?", "mail/?")],
  ["with bytes that are no UTF-8", (link: string) => link.replace("/callback/mail", "/%63allback/mail/%ff%2f..")],
  ["with such bytes on the way", (link: string) => link.replace("/callback/", "/%fe%2F..%2Fcallback/")],
])("a mail of the application leads home, with the link %s", { tags }, async (_, spelled) => {
  const { world, link } = await opened()
  const browser = world.browser()
  const visit = await world.signInByMail(browser, ada, { callbackUrl: spelled(link) })
  expect(visit.location).toBe("https://app.test/")
  expect(await browser.session()).toMatchObject({ user: { email: ada } })
})

it("a link at another of our hosts, with which the cookies are shared, leads home", { tags }, async () => {
  const { world, link } = await opened()
  const callbackUrl = link.replace("https://app.test", "https://www.app.test")
  const redirect = ({ url }: { readonly url: string }): string => url
  const sharing = await makeWorld({ config: { callbacks: { redirect } } })
  const page = "https://www.app.test/welcome"
  expect((await sharing.signInByMail(sharing.browser(), ada, { callbackUrl: page })).location).toBe(page)
  expect((await sharing.signInByMail(sharing.browser(), ada, { callbackUrl })).location).toBe("https://app.test/")
  expect(world.mails).toHaveLength(1)
})

it("another path of the application is returned to, also one with the name of a provider", { tags }, async () => {
  const { world } = await opened()
  for (const path of ["/mail", "/callback/of-ours", "/auth/callbacks/mail", "/mail/callback"]) {
    const visit = await world.signInByMail(world.browser(), ada, { callbackUrl: path })
    expect(visit.location).toBe(`https://app.test${path}`)
  }
})

it("so does a provider, and the answer of the redirect callback", { tags }, async () => {
  const { world, link } = await opened()
  expect((await world.signInAtOp(world.browser(), { callbackUrl: link })).location).toBe("https://app.test/")
  const trusting = await makeWorld({ config: { callbacks: { redirect: () => link } } })
  expect((await trusting.signInAtOp(trusting.browser())).location).toBe("https://app.test/")
})
