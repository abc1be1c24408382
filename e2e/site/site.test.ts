/** The site answers what developers ask, and is usable on a phone and without light. */
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openChromium } from "../support/chromium.js"
import { built, type Site, serveSite } from "./server.js"

/** What is typed into the search, and the page that answers it. */
const questions: readonly (readonly [question: string, page: string])[] = [
  ["user id in session", "/concepts/sessions"],
  ["cookie not set", "/concepts/cookies"],
  ["google api access token", "/guides/provider-apis"],
  ["test sign-in playwright", "/guides/testing-your-application"],
  ["second factor", "/about/not-built"],
  ["rate limit", "/guides/limits"],
  ["password reset", "/guides/passwords"],
  ["roles", "/guides/roles"],
  ["organisations", "/guides/roles"],
  ["webhooks", "/about/not-built"],
  ["OAuthAccountNotLinked", "/reference/errors"],
  ["sub-domains", "/guides/several-applications"],
  ["proxy trust host", "/concepts/trust"],
  ["delete user", "/guides/people"],
  ["rotate secret", "/guides/command-line"],
  ["next-auth 4", "/moving/next-auth-4"],
  ["mobile application", "/guides/native-clients"],
  ["lambda", "/guides/deployment"],
  ["why is my cookie not set", "/concepts/cookies"],
  ["UntrustedHost", "/reference/errors"],
  ["edge runtime", "/guides/deployment"],
  ["refresh token rotation", "/guides/provider-apis"],
  ["session null in middleware", "/concepts/sessions"],
  ["redirect_uri_mismatch", "/concepts/trust"],
  ["magic link", "/concepts/ways-in"],
  ["invite users", "/guides/roles"],
  ["sign in with apple", "/providers/apple"],
  ["prisma adapter", "/guides/databases"],
  ["accessibility", "/guides/pages"],
  ["CSP", "/guides/pages"],
  ["log out everywhere", "/guides/sessions"],
  ["single logout", "/about/not-built"],
  ["own login page", "/guides/pages"],
  ["cookie too large", "/concepts/cookies"],
  ["vercel preview", "/guides/preview-deployments"],
  ["docker", "/guides/deployment"],
  ["mfa", "/about/not-built"],
  ["saml", "/providers/boxyhq-saml"],
  ["api key", "/guides/native-clients"],
  ["what is kept in the browser", "/concepts/kept-where"],
  ["getSessionAndUser", "/reference/adapter"],
  ["adapter operations", "/reference/adapter"],
  ["error=Configuration", "/guides/troubleshooting"],
  ["callback url is localhost", "/guides/troubleshooting"],
  ["callback url http instead of https", "/guides/troubleshooting"],
  ["revoke jwt session", "/guides/sessions"],
  ["credentials with database sessions", "/guides/troubleshooting"],
  ["magic link already used", "/guides/troubleshooting"],
  ["email link scanner", "/guides/troubleshooting"],
  ["link opened in another browser", "/guides/troubleshooting"],
  ["verification code by email", "/about/not-built"],
  ["sign out of keycloak", "/guides/troubleshooting"],
  ["cannot set cookies after the response", "/guides/sveltekit"],
  ["express 5 wildcard", "/guides/express"],
  ["same email different provider", "/guides/troubleshooting"],
  ["pkceCodeVerifier value could not be parsed", "/guides/troubleshooting"],
  ["state cookie missing", "/guides/troubleshooting"],
  ["Property 'id' does not exist on type", "/guides/troubleshooting"],
  ["update session", "/guides/troubleshooting"],
  ["access token expired", "/guides/provider-apis"],
  ["too many requests 429", "/guides/limits"],
  ["csrf token missing", "/reference/errors"],
  ["providers per tenant", "/guides/several-applications"],
  ["websocket", "/guides/native-clients"],
  ["react native", "/guides/native-clients"],
  ["ip address in callback", "/guides/observability"],
  ["failed sign-in event", "/guides/observability"],
  ["redirect after login", "/guides/troubleshooting"],
  ["no matching decryption secret", "/guides/troubleshooting"],
  ["session expires too early", "/guides/troubleshooting"],
  ["remember me", "/guides/troubleshooting"],
  ["nginx 502", "/guides/troubleshooting"],
  ["two tabs", "/concepts/cookies"],
  ["self-signed certificate", "/guides/troubleshooting"],
  ["gdpr", "/guides/people"],
  ["cypress", "/guides/testing-your-application"],
  ["protect api route", "/guides/protecting-routes"],
  ["translate sign-in page", "/guides/languages"],
  ["user created twice", "/guides/databases"],
  ["dark mode", "/guides/pages"],
  ["theme", "/guides/pages"],
  ["colours", "/guides/pages"],
  ["brand color", "/guides/pages"],
  ["logo", "/guides/pages"],
  ["branding", "/guides/pages"],
  ["custom css", "/guides/pages"],
]

let site: Site
let browser: Browser

beforeAll(async () => {
  site = await serveSite()
  browser = await openChromium()
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})

/** The addresses of the first hits, each once. */
async function hitsOf(page: Page, question: string): Promise<string[]> {
  await page.goto(`${site.origin}/guides/`)
  await page.locator("#local-search button, .DocSearch-Button").first().click()
  await page.locator("#localsearch-input").fill(question)
  await page.locator("#localsearch-list a").first().waitFor()
  // The list is drawn anew until the typed words have been looked up.
  await page.waitForTimeout(400)
  const links = await page
    .locator("#localsearch-list a")
    .evaluateAll((all) => all.map((a) => a.getAttribute("href") ?? ""))
  return [...new Set(links.map((link) => link.split("#")[0] ?? ""))]
}

describe("the search", () => {
  it.each(questions)("answers %s within the first three hits", async (question, answer) => {
    const page = await browser.newPage()
    const hits = await hitsOf(page, question)
    await page.close()
    expect(hits.slice(0, 3)).toContain(answer)
  })
})

describe("a page", () => {
  it.each(["/", "/start/express", "/guides/databases", "/reference/options", "/providers/", "/security/threats"])(
    "%s fits a phone, and says nothing to the console",
    async (path) => {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme: "dark" })
      const said: string[] = []
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()))
      page.on("pageerror", (error) => said.push(error.message))
      await page.goto(`${site.origin}${path}`, { waitUntil: "networkidle" })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      await page.close()
      expect(said).toEqual([])
      expect(width).toBeLessThanOrEqual(360)
    },
  )

  it.each(["ways-in", "sessions", "cookies", "linking", "trust", "kept-where"])(
    "about %s has its picture, with a text for those who do not see it, within the width of a phone",
    async (concept) => {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
      await page.goto(`${site.origin}/concepts/${concept}`, { waitUntil: "networkidle" })
      const pictures = await page.locator(".vp-doc img").evaluateAll((all) =>
        (all as HTMLImageElement[]).map(({ alt, naturalWidth, width }) => ({
          alt,
          isThere: naturalWidth > 0,
          width,
        })),
      )
      await page.close()
      expect(pictures).toEqual([{ alt: expect.stringMatching(/.{40}/), isThere: true, width: expect.any(Number) }])
      expect(pictures[0]?.width).toBeLessThanOrEqual(360)
    },
  )

  it("is there as Markdown as well, and llms.txt lists it", async () => {
    const list = await readFile(join(built, "llms.txt"), "utf8")
    for (const path of ["start/express", "concepts/sessions", "guides/passwords", "providers/github"]) {
      expect(list).toContain(`/${path}.md`)
      expect(await readFile(join(built, `${path}.md`), "utf8")).toMatch(/^#|\n# /)
    }
  })

  it("shows no comment of its source", async () => {
    const files = await readdir(built, { recursive: true })
    const pages = files.filter((file) => file.endsWith(".html"))
    const texts = await Promise.all(pages.map((file) => readFile(join(built, file), "utf8")))
    // Code may show comments of HTML and XML.
    const shown = texts.map((text) => text.replaceAll(/<(pre|code)\b[\s\S]*?<\/\1>/g, ""))
    expect(pages.filter((_, index) => shown[index]?.includes("&lt;!--"))).toEqual([])
  })

  it("exists for every provider, every error and every operation of an adapter", async () => {
    const providers = await readdir(join(built, "providers"))
    expect(providers.filter((file) => file.endsWith(".html")).length).toBeGreaterThan(125)
    expect(existsSync(join(built, "reference/api/index.html"))).toBe(true)
    const errors = await readFile(join(built, "reference/errors.html"), "utf8")
    expect(errors).toContain('id="missingcsrf"')
    const operations = await readFile(join(built, "reference/adapter.html"), "utf8")
    const described = JSON.parse(
      await readFile(new URL("../../tools/adapter-operations.json", import.meta.url), "utf8"),
    )
    const missing = Object.keys(described).filter((name) => !operations.includes(`id="${name.toLowerCase()}"`))
    expect(missing).toEqual([])
  })
})
