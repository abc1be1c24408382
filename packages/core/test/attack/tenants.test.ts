/** A service with a look for each tenant: what tenants may write into theme, links and texts runs nowhere, and takes nobody's time. */
import { describe, expect, it } from "vitest"
import { createAuth, signInView } from "../../src/index.js"
import { signInMessage } from "../../src/providers/mail/message.js"
import { createWording } from "../../src/texts/wording.js"
import type { AuthConfig } from "../../src/types/config.js"
import { makeWorld } from "../support/world.js"

const markup = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`
const scripts = [
  "javascript:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,<script>",
  "vbscript:x",
]
const secret = "tenant-secret-of-at-least-32-characters"
const serviceOf = (config: Partial<AuthConfig>) =>
  createAuth({ secret, trustHost: true, providers: [], logger: { error() {}, warn() {}, debug() {} }, ...config })
const source = (query = "") => ({ url: `https://app.test/login${query}`, headers: {} })

describe("links of a tenant", () => {
  it.each(scripts)("lead to no script: %j", { tags: ["threat:A-105"] }, async (address) => {
    const links = { signUp: address, forgotPassword: address, help: address, terms: address, privacy: address }
    await expect(signInView(serviceOf({ links }), source())).rejects.toThrow('"links.signUp": expected a path')
  })
})

describe("the sign-in page as data", () => {
  it("holds an incident only when it has the form of one", async () => {
    const query = "?error=Callback&incident="
    const shown = async (incident: string) => (await signInView(serviceOf({}), source(query + incident))).view.incident
    expect(await shown("Call+555-0100+and+say+your+password")).toBeUndefined()
    expect(await shown("abcDEF123456")).toBe("abcDEF123456")
  })
})

const pages = ["signin", "signout", "verify-request", "error?error=AccessDenied"]

describe("markup of a tenant", () => {
  it.each(pages)("stays text on %s", async (page) => {
    const texts = Object.fromEntries(
      ["signin.heading", "signout.nobody", "verify.heading", "error.AccessDenied", "action.signIn"].map((key) => [
        key,
        markup,
      ]),
    )
    const theme = { name: markup, logo: markup, brandColor: markup, buttonText: markup }
    const world = await makeWorld({ config: { texts: { en: texts }, theme } })
    const { text, headers } = await world.browser().get(`/auth/${page}`, { accept: "text/html" })
    expect(text).toContain("&lt;script&gt;alert(1)")
    expect(text).not.toMatch(/<script>alert|<img src=x/)
    expect(headers.get("content-security-policy")).not.toContain("alert")
  })

  it("stays text in mails, and a subject stays one line", () => {
    const own = { "mail.subject": `Hello\r\nBcc: all@app.test ${markup}`, "mail.button": markup, "mail.why": markup }
    const wording = createWording({ lang: "en", texts: {}, own })
    const { subject, html } = signInMessage({ url: "https://app.test/auth/callback/mail?token=t", wording })
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toMatch(/<script>|<img src=x/)
  })
})

describe("a language that the visitor names", () => {
  it.each([
    ["a long tag of many parts", "-".repeat(16_000)],
    ["a long tag of real parts", "zh-".repeat(5_000)],
  ])("takes no time: %s", { tags: ["threat:CT-25"] }, async (_, tag) => {
    const service = serviceOf({ language: ({ headers }) => headers.get("x-language") ?? undefined })
    const ask = () => service.handle(new Request("https://app.test/auth/signin", { headers: { "x-language": tag } }))
    await ask()
    const before = process.cpuUsage()
    expect((await ask()).status).toBe(200)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(150)
    expect(await (await ask()).text()).toMatch(/<html lang="(?:en|zh)"/)
  })

  it("is never sent to a provider but as one that there is", { tags: ["threat:CT-25"] }, async () => {
    for (const [tag, sent] of [
      ["de-AT,fr;q=0.5", "de"],
      [`${"x-".repeat(16_000)}y`, "en"],
      ["de&prompt=none#\u00fc", "en"],
    ] as const) {
      const world = await makeWorld({ config: { language: "auto" } })
      const { location = "" } = await world
        .browser()
        .post("/auth/signin/op", {}, { headers: { "accept-language": tag } })
      expect(new URL(location).searchParams.get("ui_locales")).toBe(sent)
    }
  })
})
