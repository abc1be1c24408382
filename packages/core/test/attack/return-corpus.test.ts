/** The corpus of texts that ask for a redirect, through the whole engine: what is answered, kept and mailed leads where it may. */
import { expect, it } from "vitest"
import type { Visit } from "../support/browser.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { redirectCorpus } from "../support/redirect-corpus.js"
import { makeWorld } from "../support/world.js"

const kept = "__Secure-authjs.callback-url"
/** One application for all of them: nothing that a row does is left for the next. */
const shared = makeWorld({ more: [credentialsProvider()], strategy: "jwt" })

/** As the header has it, not as the browser of the tests resolves it. */
const locationOf = ({ headers }: Visit): string | null => headers.get("location")

it.each(redirectCorpus)(
  "%s leads where its row says after a sign-in and a sign-out, by form, JSON, query and cookie, and in a mail",
  { tags: ["threat:RD-120"] },
  async (_id, text, expected) => {
    const world = await shared
    const named = { ...rightCredentials, callbackUrl: text }
    const query = `?${new URLSearchParams({ callbackUrl: text })}`

    const browser = world.browser()
    expect(locationOf(await browser.post("/auth/callback/credentials", named))).toBe(expected)
    expect(locationOf(await browser.post(`/auth/signout${query}`))).toBe(expected)
    const script = await browser.post("/auth/signout", named, {
      json: true,
      headers: { "x-auth-return-redirect": "1" },
    })
    expect([JSON.parse(script.text), locationOf(script)]).toEqual([{ url: expected }, expected])

    const tossed = world.browser()
    // As a browser would keep it: half a character cannot be written.
    tossed.setCookie(kept, encodeURIComponent(text.replaceAll("\ud800", "\ufffd")))
    expect(locationOf(await tossed.post("/auth/callback/credentials", rightCredentials))).toBe(expected)
    expect(locationOf(await tossed.post("/auth/signout"))).toBe(expected)

    const mailed = world.mails.length
    const asked = world.browser()
    await asked.post("/auth/signin/mail", { email: "ada@app.test", callbackUrl: text })
    const link = new URL(world.mails[mailed]?.url ?? "")
    expect(link.searchParams.get("callbackUrl")).toBe(expected)
    expect(decodeURIComponent(asked.cookie(kept) ?? expected)).toBe(expected)
    link.searchParams.set("callbackUrl", text)
    expect(locationOf(await world.browser().get(link.pathname + link.search))).toBe(expected)
  },
)

const page = { accept: "text/html" }
const signedIn = { user: { name: "Ada" } }

/** A person who has just signed in, and whom a stranger's link has made return to `callbackUrl`. */
async function arrivesAt(callbackUrl: string) {
  const world = await makeWorld({ more: [credentialsProvider()], strategy: "jwt" })
  const browser = world.browser()
  const { location = "" } = await browser.post("/auth/callback/credentials", { ...rightCredentials, callbackUrl })
  expect(location).toBe(`https://app.test${callbackUrl}`)
  return { world, browser, visit: await browser.get(location, page) }
}

it("[RD-112] a return address that is the sign-in page shows it, and leads nowhere by itself", async () => {
  const { browser, visit } = await arrivesAt("/auth/signin")
  expect([visit.status, visit.location]).toEqual([200, undefined])
  expect(await browser.session()).toMatchObject(signedIn)
})

it("[RD-113] a return address that is the sign-out page asks: without the token of its form nobody is signed out", async () => {
  const { world, browser, visit } = await arrivesAt("/auth/signout")
  expect([visit.status, visit.location]).toEqual([200, undefined])
  expect(visit.text).toContain('name="csrfToken"')
  expect(await browser.session()).toMatchObject(signedIn)
  await browser.post("/auth/signout", {}, { csrf: false })
  expect(await browser.session()).toMatchObject(signedIn)
  expect(world.events.map(([name]) => name)).not.toContain("signOut")
})

it("[RD-114] a return address that is a callback leads home, and takes no code to the provider", async () => {
  const world = await makeWorld({ more: [credentialsProvider()], strategy: "jwt" })
  const browser = world.browser()
  const callbackUrl = "/auth/callback/op?code=1&state=2"
  const { location } = await browser.post("/auth/callback/credentials", { ...rightCredentials, callbackUrl })
  expect(location).toBe("https://app.test/")
  expect(world.op.calls).toEqual([])
  expect(await browser.session()).toMatchObject(signedIn)
})
