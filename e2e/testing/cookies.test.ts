/** The cookies of `signInAs` in a real browser: `context.addCookies` signs it in, with either strategy and on https too. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type AuthService, createAuth } from "@latchkey/core"
import { memoryAdapter } from "@latchkey/core/memory"
import { signInAs } from "@latchkey/testing"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openChromium } from "../support/chromium.js"

let browser: Browser
beforeAll(async () => {
  browser = await openChromium()
})
afterAll(() => browser?.close())

/** An application whose only page is what its session says. */
async function serve(auth: AuthService): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    auth
      .session({
        url: `http://${request.headers.host}`,
        headers: new Headers({ cookie: request.headers.cookie ?? "" }),
      })
      .then(({ session }) => response.end(session?.user?.name ?? "stranger"))
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}` }
}

it.each([
  ["jwt", false],
  ["jwt", true],
  ["database", false],
  ["database", true],
] as const)(
  "addCookies signs a browser in: sessions of the strategy %s, secure cookies %s",
  async (strategy, isSecure) => {
    const auth = createAuth(
      {
        secret: "a secret of the journeys that is long enough",
        adapter: memoryAdapter(),
        session: { strategy },
        trustHost: true,
        useSecureCookies: isSecure,
        providers: [
          { id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.test", clientId: "c", clientSecret: "s" },
        ],
      },
      { env: {} },
    )
    const { server, url } = await serve(auth)
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      await page.goto(url)
      expect(await page.textContent("body")).toBe("stranger")
      const { cookies } = await signInAs(auth, { name: "Ada", email: "ada@app.test" }, { url })
      await context.addCookies(cookies())
      await page.goto(url)
      expect(await page.textContent("body")).toBe("Ada")
    } finally {
      await context.close()
      server.close()
    }
  },
)
