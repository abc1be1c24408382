/** A person with a browser: Chromium, which applies the rules of cookies between the two sites. */
import { existsSync } from "node:fs"
import { chromium } from "playwright-core"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

export async function openVisitors() {
  const executablePath = process.env["CHROMIUM"] ?? places.find(existsSync)
  if (!executablePath) throw new Error("The run needs Chromium: install it, or set CHROMIUM to its path.")
  const browser = await chromium.launch({
    executablePath,
    args: ["--disable-dev-shm-usage", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  })
  return {
    /** A person with no cookies yet. */
    async arrive() {
      const context = await browser.newContext({ ignoreHTTPSErrors: true })
      const page = await context.newPage()
      return {
        /** Begins a sign-in and does not follow the redirect to the provider. @param {string} origin */
        async beginSignIn(origin) {
          // The built-in page lets nothing be fetched; the application's own does.
          await page.goto(`${origin}/`)
          await page.evaluate(async () => {
            const { csrfToken } = await (await fetch("/auth/csrf")).json()
            const body = new URLSearchParams({ csrfToken })
            await fetch("/auth/signin/suite", { method: "POST", body, redirect: "manual" })
          })
        },
        /** Begins a sign-in on the built-in page and goes wherever it leads. @param {string} origin */
        async signIn(origin) {
          await page.goto(`${origin}/auth/signin?callbackUrl=/`)
          await page.locator("form[action*='/signin/suite'] button").click()
          await settle(page)
        },
        /** @param {string} url */
        async visit(url) {
          await page.goto(url).catch(() => undefined)
          await settle(page)
        },
        where: () => page.url(),
        leave: () => context.close(),
      }
    },
    close: () => browser.close(),
  }
}

/** Waits until pages that submit themselves have done so. */
async function settle(page) {
  await page.waitForLoadState("networkidle").catch(() => undefined)
}
