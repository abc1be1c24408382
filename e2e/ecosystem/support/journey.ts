/** The journey in every application: a person signs in at the certified provider, is recognised, and signs out. */

import { createProvider, people, type TestProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { openBrowser, type TestBrowser } from "../../../packages/core/test/support/browser.js"

/** The secret of every application. */
export const secret = "the-secret-of-the-applications-of-others"

/** The person who signs in. */
export const [ada] = people

/** Starts the provider for the applications at these origins. */
export function startProvider(origins: readonly string[], basePath: string): Promise<TestProvider> {
  return createProvider({ redirectUris: origins.map((origin) => `${origin}${basePath}/callback/certified`) })
}

/** What an application reads of the provider and the service from its environment. */
export function environmentOf(op: TestProvider, origin: string): Record<string, string> {
  return {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: new URL(origin).port,
    ORIGIN: origin,
    OP_ISSUER: op.issuer,
    OP_CLIENT_ID: op.clientId,
    OP_CLIENT_SECRET: op.clientSecret,
    AUTH_SECRET: secret,
    AUTH_TRUST_HOST: "true",
  }
}

/** A simulated browser on the running application. `reroute` maps addresses to where they are served. */
export function visit(origin: string, basePath: string, reroute = (url: string): string => url): TestBrowser {
  return openBrowser(
    (request) => {
      const sent = new Request(reroute(request.url), request)
      // As browsers do, and as frameworks with a protection of their own expect.
      if (sent.method === "POST") sent.headers.set("origin", origin)
      return fetch(sent)
    },
    { origin, basePath },
  )
}

/** Where a person signs in. */
export interface Place {
  readonly op: TestProvider
  readonly basePath: string
  /** `false` where the integration switches the protection off, because its framework has one of its own. */
  readonly csrf?: boolean
}

/** The first half: from the application to the provider and back. Returns the callback address. */
export async function goToProvider(browser: TestBrowser, { op, basePath, csrf = true }: Place): Promise<string> {
  const gone = await browser.post(`${basePath}/signin/certified`, { callbackUrl: "/?came=back" }, { csrf })
  expect(gone.location, gone.text).toContain(op.issuer)
  return op.authorize(gone.location ?? "")
}

/** Signs in by the endpoints that every integration has. */
export async function signIn(browser: TestBrowser, place: Place): Promise<void> {
  const back = await browser.get(await goToProvider(browser, place))
  expect(back.location, back.text).toMatch(/\/\?came=back$/)
}

/** The whole visit: signed out, sign-in, signed in, sign-out, signed out. `read` returns the user that the application sees. */
export async function comeAndGo(browser: TestBrowser, place: Place, read: () => Promise<unknown>): Promise<void> {
  const { basePath, csrf = true } = place
  expect(await browser.session()).toBeNull()
  expect(await read()).toBeNull()
  await signIn(browser, place)
  expect(await browser.session()).toMatchObject({ user: { name: ada.name, email: ada.email } })
  expect(await read()).toMatchObject({ user: { name: ada.name, email: ada.email } })
  const out = await browser.post(`${basePath}/signout`, { callbackUrl: "/?gone" }, { csrf })
  expect(out.location, out.text).toMatch(/\/\?gone$/)
  expect(await browser.session()).toBeNull()
  expect(await read()).toBeNull()
}

/** Reads JSON of the application. */
export async function readJson<Answer = unknown>(browser: TestBrowser, path: string): Promise<Answer> {
  const { text, status } = await browser.get(path)
  expect(status, text).toBe(200)
  return JSON.parse(text) as Answer
}

/** The errors a server has logged, first lines only, without the expected ones. */
export function complaintsIn(output: string, expected = /CredentialsSignin/): string[] {
  // A line of help belongs to the error before it.
  const isOther = (line: string): boolean => /^\S/.test(line) && !line.includes("[auth][help]") && !expected.test(line)
  return output.split("\n").filter(isOther)
}
