/** What strangers write into links to the pages is neither shown nor believed. */
import { expect, it } from "vitest"
import { CredentialsSignin } from "../../src/errors.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { makeWorld } from "../support/world.js"

const markup = "<svg/onload=alert(1)>"
const open = async () => (await makeWorld({ more: [credentialsProvider()] })).browser()

it("a code beside CredentialsSignin is not shown", { tags: ["threat:HT-26"] }, async () => {
  const browser = await open()
  for (const code of [markup, "your-account-is-locked-call-0900"]) {
    const query = new URLSearchParams({ error: "CredentialsSignin", code })
    const { status, text } = await browser.get(`/auth/signin?${query}`, { accept: "text/html" })
    expect(status).toBe(200)
    expect(text).toContain("That did not match.")
    expect(text).not.toContain("onload")
    expect(text).not.toContain("call-0900")
  }
})

it("a code of the application is encoded in the address", { tags: ["threat:HT-26"] }, async () => {
  const code = `${markup}&error=AccessDenied#\r\nSet-Cookie: planted=1`
  const more = [credentialsProvider(() => Promise.reject(Object.assign(new CredentialsSignin(), { code })))]
  const browser = (await makeWorld({ more, strategy: "jwt" })).browser()
  const { location, setCookies } = await browser.post("/auth/callback/credentials", rightCredentials)
  expect(location).toMatch(/^https:\/\/app\.test\/auth\/signin\?[\w=&%.*+-]+$/)
  expect(new URL(location ?? "").searchParams.getAll("error")).toEqual(["CredentialsSignin"])
  expect(new URL(location ?? "").searchParams.get("code")).toBe(code)
  expect(setCookies).not.toContain("planted")
})

it("no request changes where the signIn callback and the pages of the application lead", {
  tags: ["threat:B9-30"],
}, async () => {
  const pages = { signIn: "/in", signOut: "/out", error: "/oops", verifyRequest: "/sent", newUser: "/welcome" }
  const evil = "https://evil.test/"
  const names = ["url", "redirect", "redirectTo", "pages", "to", "next", "callbackUrl"]
  const query = Object.fromEntries(
    [...names, ...Object.keys(pages), ...Object.keys(pages).map((name) => `pages[${name}]`)].map((name) => [
      name,
      evil,
    ]),
  )
  const added = new URLSearchParams(query)
  let answer: string | boolean = "/denied?why=1"
  const world = await makeWorld({ config: { pages, callbacks: { signIn: () => answer } } })
  const leadsTo = ({ location = "" }: { location?: string | undefined }): string => {
    const { origin, pathname } = new URL(location)
    return origin + pathname
  }
  for (const [action, path] of [
    ["signin", "/in"],
    ["signout", "/out"],
    ["error", "/oops"],
    ["verify-request", "/sent"],
  ])
    expect(leadsTo(await world.browser().get(`/auth/${action}?${added}`))).toBe(`https://app.test${path}`)
  const signIn = async () => {
    const browser = world.browser()
    browser.setCookie("__Secure-authjs.callback-url", evil)
    const begun = await browser.post("/auth/signin/op", query)
    return browser.get(world.op.authorize(begun.location ?? "", { ...query, error: undefined }).href)
  }
  expect((await signIn()).location).toBe("https://app.test/denied?why=1")
  answer = true
  expect(leadsTo(await signIn())).toBe("https://app.test/welcome")
  const asked = await world.browser().post("/auth/signin/mail", { ...query, email: "eve@app.test" })
  expect(leadsTo(asked)).toBe("https://app.test/auth/verify-request")
})

it("of several errors one at most is believed, and none of them shown", { tags: ["threat:HT-24"] }, async () => {
  const browser = await open()
  const titleOf = async (query: string): Promise<string | undefined> => {
    const { text } = await browser.get(`/auth/error?${query}`, { accept: "text/html" })
    expect(text).not.toContain("onload")
    return /<h1[^>]*>([^<]*)/.exec(text)?.[1]
  }
  const titles = [await titleOf("error=AccessDenied"), await titleOf("error=Verification"), await titleOf("error=x")]
  expect(new Set(titles).size).toBe(3)
  for (const other of [encodeURIComponent(markup), "Verification", "AccessDenied"])
    expect(titles).toContain(await titleOf(`error=AccessDenied&error=${other}`))
})
