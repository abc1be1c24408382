/** What strangers write into links to the pages is neither shown nor believed. */
import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { CredentialsSignin } from "../../src/errors.js"
import { signInMessage } from "../../src/providers/mail/message.js"
import type { Provider } from "../../src/types/provider.js"
import { hostileTexts, inlineTextsOf, tagsOf } from "../pages/corpus.js"
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

/** What a request can write into a page: in the path, and in each value of the query. */
const written = [
  "error",
  "code",
  "callbackUrl",
  "email",
  "provider",
  "incident",
  "logo",
  "theme",
  "message",
  "csrfToken",
]

it("nothing that a request says becomes part of a page but as text", {
  tags: [
    "threat:HT-01",
    "threat:HT-02",
    "threat:HT-03",
    "threat:HT-04",
    "threat:HT-07",
    "threat:HT-09",
    "threat:HT-10",
    "threat:HT-11",
    "threat:HT-12",
    "threat:HT-15",
    "threat:HT-16",
    "threat:HT-17",
    "threat:HT-19",
    "threat:A-042",
    "threat:A-075",
    "threat:A-158",
    "threat:VX-02",
  ],
}, async () => {
  const browser = await open()
  for (const [id, text] of [...hostileTexts, ["HT-09", "//evil.test/x.png"]] as const) {
    const query = new URLSearchParams([...written.map((name) => [name, text]), [text, "x"], [`error[${text}]`, "x"]])
    const paths = ["signin", "signout", "error", "verify-request", text, `signin/${text}`, `callback/${text}`]
    for (const path of paths) {
      const action = path.split("/").map(encodeURIComponent).join("/")
      const { headers, text: document } = await browser.get(`/auth/${action}?${query}`, { accept: "text/html" })
      const policy = headers.get("content-security-policy") ?? ""
      const inline = inlineTextsOf(document)
      for (const part of [...inline.scripts, ...inline.styles])
        expect(policy, id).toContain(`'sha256-${createHash("sha256").update(part).digest("base64")}'`)
      for (const { name, attributes } of tagsOf(document)) {
        expect(["base", "img", "iframe", "math", "object"], id).not.toContain(name)
        expect([...attributes.keys()].filter((key) => /^on|^style$|^http-equiv$|^src$/.test(key))).toEqual([])
        for (const key of ["href", "action", "formaction"])
          expect(attributes.get(key) ?? "/", id).toMatch(/^(?:[/#](?!\/)|https:\/\/app\.test(?:\/|$))/)
      }
      const inside = document.replaceAll(/<(style|script)>.*?<\/\1>/gs, "")
      if (text.includes("<")) expect(inside, `${id} ${path}`).not.toContain(text)
    }
  }
})

it("an error that there is not is answered as none", { tags: ["threat:HT-23"] }, async () => {
  const browser = await open()
  const answerTo = async (query: string): Promise<unknown> => {
    const { status, text } = await browser.get(`/auth/error${query}`, { accept: "text/html" })
    return [status, text]
  }
  expect(await answerTo(`?error=${encodeURIComponent("Configuration<script>")}`)).toEqual(await answerTo(""))
})

it("what is no page is never taken for one", { tags: ["threat:HT-37"] }, async () => {
  const browser = await open()
  for (const action of ["session", "csrf", "providers"]) {
    const { headers, text } = await browser.get(`/auth/${action}?x=<script>alert(1)</script>`, { accept: "text/html" })
    expect(headers.get("content-type")).toBe("application/json")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(text).not.toContain("<script")
  }
})

it("a link in a mail is whole, whatever its token and its return address hold", {
  tags: ["threat:HT-32"],
}, async () => {
  const token = `t&'"<x> +%20`
  const returnTo = `https://app.test/a?x='&y="z w"`
  const sent: { text: string; html: string; url: string }[] = []
  const mail: Provider = {
    id: "letters",
    name: "Mail",
    type: "email",
    generateVerificationToken: () => token,
    sendVerificationRequest: ({ url, expires }) => void sent.push({ ...signInMessage({ url, expires }), url }),
  }
  const browser = (await makeWorld({ more: [mail] })).browser()
  await browser.post("/auth/signin/letters", { email: "a@app.test", callbackUrl: returnTo })
  const [{ text, html, url } = { text: "", html: "", url: "" }] = sent
  expect(url).toMatch(/^https:\/\/app\.test\/auth\/callback\/letters\?[\w=&%.*+-]+$/)
  expect(text.split("\n")).toContain(url)
  expect(html).toContain(`href="${url.replaceAll("&", "&amp;")}"`)
  expect(new URL(url).searchParams.get("token")).toBe(token)
  expect((await browser.get(url)).location).toBe(new URL(returnTo).href)
  expect(await browser.session()).toMatchObject({ user: { email: "a@app.test" } })
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
