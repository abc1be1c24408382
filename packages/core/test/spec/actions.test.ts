/** Every action of the HTTP interface, by path and method. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { skipCSRFCheck } from "../../src/config/markers.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { optionsOf, passkeyConfig, registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const cookie = "__Secure-authjs.session-token"
const html = { accept: "text/html" }

describe("callback", () => {
  it("receives the response of an OAuth provider at {base_path}/callback/<provider_id> [spec action callback GET]", async () => {
    const { browser, op } = await makeWorld({ config: { basePath: "/deep/in" } })
    const person = browser()
    const { csrfToken } = JSON.parse((await person.get("/deep/in/csrf")).text) as { csrfToken: string }
    const begun = await person.post("/deep/in/signin/op", { csrfToken }, { csrf: false })
    const back = op.authorize(begun.location ?? "")
    expect(back.origin + back.pathname).toBe("https://app.test/deep/in/callback/op")
    const visit = await person.get(back.pathname + back.search)
    expect(visit.setCookies).toContain(cookie)
    expect(visit.location).toBe("https://app.test/")
  })

  it("accepts a POST with credentials, and no GET [spec action callback POST] [spec authentication 7]", async () => {
    const { browser } = await makeWorld({ strategy: "jwt", more: [credentialsProvider()] })
    const person = browser()
    const visit = await person.post("/auth/callback/credentials", { ...rightCredentials, callbackUrl: "/home" })
    expect(visit.location).toBe("https://app.test/home")
    expect(await person.session()).toMatchObject({ user: { name: "Ada" } })
    const query = new URLSearchParams(rightCredentials)
    expect((await browser().get(`/auth/callback/credentials?${query}`)).status).toBe(405)
  })
})

describe("csrf", () => {
  it("answers the raw token and keeps it in an encrypted cookie [spec action csrf GET] [spec authentication 8]", async () => {
    const { browser } = await makeWorld()
    const person = browser()
    const { csrfToken, ...rest } = JSON.parse((await person.get("/auth/csrf")).text) as { csrfToken: string }
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
    expect(rest).toEqual({})
    const kept = person.cookie("__Host-authjs.csrf-token") ?? ""
    expect(JSON.parse(Buffer.from(kept.split(".")[0] ?? "", "base64url").toString())).toMatchObject({ alg: "dir" })
    expect(kept).not.toContain(csrfToken)
    expect(await person.csrfToken()).toBe(csrfToken)
  })

  it("answers 404 when the check is disabled, and sign-in needs no token [spec action csrf GET] [spec authentication 8] [spec errors 2]", async () => {
    const { browser, op } = await makeWorld({ config: { skipCSRFCheck } })
    const person = browser()
    const visit = await person.get("/auth/csrf")
    expect(visit.status).toBe(404)
    expect(visit.setCookies).toEqual([])
    expect((await person.post("/auth/signin/op", {}, { csrf: false })).location).toContain(op.issuer)
  })
})

it("error shows the built-in error page [spec action error GET]", async () => {
  const { browser } = await makeWorld()
  const visit = await browser().get("/auth/error?error=AccessDenied", html)
  expect(visit.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(visit.text).toContain("<h1>Access denied</h1>")
})

it("providers answers what a client may know of each provider, and no more [spec action providers GET]", async () => {
  const { browser } = await makeWorld({ more: [credentialsProvider()] })
  const entry = (id: string, name: string, type: string) => ({
    id,
    name,
    type,
    signinUrl: `https://app.test/auth/signin/${id}`,
    callbackUrl: `https://app.test/auth/callback/${id}`,
  })
  expect(JSON.parse((await browser().get("/auth/providers")).text)).toEqual({
    op: entry("op", "Test OP", "oidc"),
    mail: entry("mail", "Mail", "email"),
    credentials: entry("credentials", "Password", "credentials"),
  })
})

describe.each(["jwt", "database"] as const)("session, %s strategy", (strategy) => {
  it("answers the session, or `null` when there is none [spec action session GET]", async () => {
    const { browser, signInAtOp } = await makeWorld({ strategy })
    const person = browser()
    expect((await person.get("/auth/session")).text).toBe("null")
    await signInAtOp(person)
    const session = JSON.parse((await person.get("/auth/session")).text) as { expires: string }
    expect(session).toMatchObject({ user: { name: "Ada", email: "ada@op.test" } })
    expect(new Date(session.expires).toISOString()).toBe(session.expires)
  })

  it("is updated by a POST, which answers it as it is then [spec action session POST]", async () => {
    const { browser, signInAtOp } = await makeWorld({
      strategy,
      config: {
        callbacks: {
          jwt: ({ token, session }) => ({ ...token, ...(session && { name: String(session["name"]) }) }),
          session: ({ session, newSession, token }) => ({
            expires: String(session.expires),
            user: { name: token ? (token.name ?? null) : String(newSession?.["name"]) },
          }),
        },
      },
    })
    const person = browser()
    await signInAtOp(person)
    const visit = await person.post("/auth/session", { data: { name: "Countess" } } as never, { json: true })
    expect(visit.status).toBe(200)
    expect(JSON.parse(visit.text)).toEqual({ expires: expect.any(String), user: { name: "Countess" } })
  })
})

describe("signin", () => {
  it("shows the built-in page, with a form for each provider [spec action signin GET]", async () => {
    const { browser } = await makeWorld({ more: [credentialsProvider()] })
    const person = browser()
    const visit = await person.get("/auth/signin", html)
    expect(visit.status).toBe(200)
    for (const action of ["signin/op", "signin/mail", "callback/credentials"]) {
      expect(visit.text).toContain(`<form action="https://app.test/auth/${action}" method="post">`)
    }
    expect(visit.text).toContain(`name="csrfToken" value="${await person.csrfToken()}"`)
  })

  it("begins the flow by a POST whose body has the token, and by no other [spec action signin POST] [spec authentication 8]", async () => {
    const { browser, op } = await makeWorld()
    const person = browser()
    const csrfToken = await person.csrfToken()
    const forged = [
      await person.post("/auth/signin/op", {}, { csrf: false }),
      await person.post("/auth/signin/op", { csrfToken: "0".repeat(64) }, { csrf: false }),
      await person.post(`/auth/signin/op?csrfToken=${csrfToken}`, {}, { csrf: false }),
    ]
    for (const visit of forged) expect(visit.location).toBe("https://app.test/auth/signin?error=Signin")
    expect(op.calls).toEqual([])
    const visit = await person.post("/auth/signin/op", { csrfToken }, { csrf: false })
    expect(visit.location).toMatch(/^https:\/\/op\.test\/authorize\?/)
  })
})

describe("signout", () => {
  it("shows the built-in page and ends nothing [spec action signout GET]", async () => {
    const { browser, signInAtOp } = await makeWorld()
    const person = browser()
    await signInAtOp(person)
    const visit = await person.get("/auth/signout", html)
    expect(visit.text).toContain('<form action="https://app.test/auth/signout" method="post">')
    expect(await person.session()).not.toBeNull()
  })

  it("ends the session by a POST whose body has the token, and by no other [spec action signout POST] [spec authentication 8]", async () => {
    const { adapter, browser, signInAtOp } = await makeWorld()
    const person = browser()
    await signInAtOp(person)
    const token = person.cookie(cookie) ?? ""
    await person.post("/auth/signout", {}, { csrf: false })
    expect(await person.session()).not.toBeNull()
    await person.post("/auth/signout")
    expect(person.cookie(cookie)).toBeUndefined()
    expect(await adapter.getSessionAndUser?.(token)).toBeNull()
  })
})

it("verify-request shows the built-in page, to which a person who asked for a link is redirected [spec action verify-request GET]", async () => {
  const { browser } = await makeWorld()
  const person = browser()
  const asked = await person.post("/auth/signin/mail", { email: "ada@app.test" })
  expect(asked.location).toBe("https://app.test/auth/verify-request?provider=mail&type=email")
  const visit = await person.get("/auth/verify-request?provider=mail&type=email", html)
  expect(visit.status).toBe(200)
  expect(visit.text).toContain("<h1>Check your email</h1>")
})

it("webauthn-options answers the options of both ceremonies [spec action webauthn-options GET]", async () => {
  const { browser } = await makeWorld({ config: passkeyConfig })
  const authenticator = softwarePasskey()
  const person = browser()
  expect(await optionsOf(person, { action: "register", email: "ada@app.test" })).toMatchObject({
    action: "register",
    options: { challenge: expect.any(String), rp: { id: "app.test" }, user: { name: "ada@app.test" } },
  })
  expect((await registerPasskey(person, authenticator, "ada@app.test")).location).toBe("https://app.test/")
  expect(await person.session()).toMatchObject({ user: { email: "ada@app.test" } })
  expect(await optionsOf(browser(), { action: "authenticate" })).toMatchObject({
    action: "authenticate",
    options: { challenge: expect.any(String), rpId: "app.test" },
  })
})
