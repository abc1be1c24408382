/** The client against a simulated server that answers from a table. */
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest"
import { ClientError } from "./connection.js"
import { type AuthClient, createClient } from "./create.js"
import type { SignInResponse } from "./outcome.js"

interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly fields: Record<string, string>
  readonly body: string
}

interface Played {
  readonly client: AuthClient
  readonly asked: Asked[]
  readonly left: string[]
}

type Play = Readonly<Record<string, { readonly status?: number; readonly body?: unknown }>>

const listed = {
  github: { id: "github", type: "oauth" },
  mail: { id: "mail", type: "email" },
  ldap: { id: "ldap", type: "credentials" },
  passkey: { id: "passkey", type: "webauthn" },
}

function play(answers: Play = {}, basePath?: string): Played {
  const asked: Asked[] = []
  const left: string[] = []
  const all: Play = {
    "/csrf": { body: { csrfToken: "the-token" } },
    "/providers": { body: listed },
    ...answers,
  }
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const body = String(init.body ?? "")
    asked.push({
      url,
      method: init.method ?? "GET",
      headers: new Headers(init.headers),
      fields: Object.fromEntries(new URLSearchParams(body)),
      body,
    })
    const path = url.slice((basePath ?? "/auth").replace(/\/$/, "").length).split("?")[0] ?? ""
    const { status = 200, body: answer } = all[path] ?? { status: 404 }
    return answer === undefined ? new Response("no JSON", { status }) : Response.json(answer, { status })
  }
  const client = createClient({
    fetch,
    navigate: (url) => void left.push(url),
    ...(basePath !== undefined && { basePath }),
  })
  return { client, asked, left }
}

const posted = ({ asked }: Played): Asked => {
  const post = asked.find(({ method }) => method === "POST")
  if (!post) throw new Error("nothing was posted")
  return post
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.doUnmock("@simplewebauthn/browser")
  vi.resetModules()
})

it("reads no cookie of the page", { tags: ["threat:CK-32"] }, async () => {
  const cookie = {
    get: () => {
      throw new Error("The cookies were read.")
    },
  }
  vi.stubGlobal("document", Object.defineProperty({}, "cookie", cookie))
  const { client } = play({
    "/session": { body: null },
    "/callback/credentials": { body: { url: "/" } },
    "/signin/github": { body: { url: "https://github.test/authorize" } },
    "/signout": { body: { url: "/" } },
  })
  await client.getSession()
  await client.getProviders()
  expect(await client.getCsrfToken()).toBe("the-token")
  await client.update({ name: "Ada" })
  await client.signIn("github")
  expect(await client.signIn("credentials", { redirect: false })).toMatchObject({ ok: true })
  expect(await client.signOut({ redirect: false })).toEqual({ url: "http://localhost/" })
})

describe("signIn", () => {
  it("posts the CSRF token and navigates to the provider [spec authentication 8]", async () => {
    const played = play({ "/signin/github": { body: { url: "https://github.test/authorize?x=1" } } })
    await played.client.signIn("github", { redirectTo: "/after" }, { login_hint: "ada lovelace" })
    const post = posted(played)
    expect(post.url).toBe("/auth/signin/github?login_hint=ada+lovelace")
    expect(post.headers.get("x-auth-return-redirect")).toBe("1")
    expect(post.fields).toEqual({ csrfToken: "the-token", callbackUrl: "/after" })
    expect(played.left).toEqual(["https://github.test/authorize?x=1"])
  })

  it.each([
    ["credentials", "/callback/credentials"],
    ["ldap", "/callback/ldap"],
    ["mail", "/signin/mail"],
    ["github", "/signin/github"],
  ])("posts %s to %s, by its type", async (provider, path) => {
    const played = play({ [path]: { body: { url: "/" } } })
    await played.client.signIn(provider)
    expect(posted(played).url).toBe(`/auth${path}`)
  })

  it("does not request the type of a provider when it is given", async () => {
    const played = play({ "/callback/ldap": { body: { url: "/" } } })
    await played.client.signIn("ldap", { providerType: "credentials", redirect: false })
    expect(played.asked.map(({ url }) => url)).toEqual(["/auth/csrf", "/auth/callback/ldap"])
  })

  it("posts every other option as a field, and no option of its own", async () => {
    const played = play({ "/callback/credentials": { body: { url: "/" } } })
    await played.client.signIn("credentials", {
      user: "ada",
      age: 36,
      none: undefined,
      nil: null,
      redirect: false,
      callbackUrl: "/x",
    })
    expect(posted(played).fields).toEqual({ user: "ada", age: "36", csrfToken: "the-token", callbackUrl: "/x" })
  })

  it("continues without a token if the protection is switched off", async () => {
    const played = play({ "/csrf": { status: 404 }, "/signin/github": { body: { url: "/" } } })
    await played.client.signIn("github", { redirectTo: "/" })
    expect(posted(played).fields).toEqual({ callbackUrl: "/" })
  })

  it("stays on the page when asked to", async () => {
    const played = play({ "/callback/credentials": { body: { url: "https://app.test/after" } } })
    const answer = await played.client.signIn("credentials", { redirect: false })
    expect(answer).toEqual({
      error: undefined,
      code: undefined,
      message: undefined,
      incident: undefined,
      status: 200,
      ok: true,
      url: "https://app.test/after",
    })
    expect(played.left).toEqual([])
  })

  it("reports a refusal with its status, code and incident", async () => {
    const body = {
      error: "CredentialsSignin",
      code: "locked",
      message: "No.",
      incident: "abc123abc123",
      url: "https://app.test/auth/signin",
    }
    const played = play({ "/callback/credentials": { status: 401, body } })
    expect(await played.client.signIn("credentials", { redirect: false })).toEqual({
      error: "CredentialsSignin",
      code: "locked",
      message: "No.",
      incident: "abc123abc123",
      status: 401,
      ok: false,
      url: null,
    })
  })

  it("reads a refusal from the URL, as the endpoints of Auth.js report it", async () => {
    const url = "https://app.test/auth/signin?error=CredentialsSignin&code=credentials"
    const played = play({ "/callback/credentials": { body: { url } } })
    const answer = await played.client.signIn("credentials", { redirect: false })
    expect(answer).toMatchObject({ error: "CredentialsSignin", code: "credentials", ok: false, url: null })
  })

  it("treats an error without a name as an error", async () => {
    const played = play({ "/callback/credentials": { status: 502 } })
    expect(await played.client.signIn("credentials", { redirect: false })).toMatchObject({
      error: "Signin",
      status: 502,
      ok: false,
    })
  })

  it.each([
    [
      {
        status: 401,
        body: { error: "CredentialsSignin", url: "https://app.test/auth/signin?error=CredentialsSignin" },
      },
      "https://app.test/auth/signin?error=CredentialsSignin",
    ],
    [{ status: 503, body: { error: "Configuration" } }, "/auth/error?error=Configuration"],
    [{ status: 502 }, "/auth/signin?error=Signin"],
  ])("navigates to the page that shows the error: %j", async (answer, url) => {
    vi.stubGlobal("location", new URL("https://app.test/login"))
    const played = play({ "/signin/github": answer })
    await played.client.signIn("github")
    expect(played.left).toEqual([url])
  })

  it.each([[undefined], ["unknown"], ["constructor"]])(
    "leads to the sign-in page without a provider it knows: %s",
    async (provider) => {
      const played = play()
      await played.client.signIn(provider, { redirectTo: "/after" })
      expect(played.left).toEqual(["/auth/signin?callbackUrl=%2Fafter"])
      expect(played.asked.every(({ method }) => method === "GET")).toBe(true)
    },
  )

  it("returns to the page, or to where the page was asked to lead", async () => {
    const pages = ["https://app.test/a?x=1", "https://app.test/login?callbackUrl=https%3A%2F%2Fapp.test%2Fb"]
    const returns: unknown[] = []
    for (const href of pages) {
      vi.stubGlobal("location", new URL(href))
      const played = play({ "/signin/github": { body: { url: "/" } } })
      await played.client.signIn("github")
      returns.push(posted(played).fields["callbackUrl"])
    }
    expect(returns).toEqual(["https://app.test/a?x=1", "https://app.test/b"])
  })

  it("rejects when it cannot get a token", async () => {
    const played = play({
      "/csrf": { status: 503, body: { error: "Configuration", message: "Down.", incident: "abc123abc123" } },
    })
    await expect(played.client.signIn("github")).rejects.toMatchObject({
      name: "ClientError",
      message: "Down.",
      status: 503,
      incident: "abc123abc123",
    })
  })

  it("types `redirect: false` for e-mail and credentials alone [spec authentication 3]", () => {
    const { signIn } = {} as AuthClient
    const check = (): void => {
      expectTypeOf(signIn("credentials", { redirect: false })).resolves.toEqualTypeOf<SignInResponse>()
      expectTypeOf(signIn("email", { redirect: false, email: "a@b.test" })).resolves.toEqualTypeOf<SignInResponse>()
      expectTypeOf(signIn("mail", { redirect: false, providerType: "email" })).resolves.toEqualTypeOf<SignInResponse>()
      expectTypeOf(signIn("github")).resolves.toEqualTypeOf<undefined>()
      expectTypeOf(signIn("credentials", { redirect: true })).resolves.toEqualTypeOf<undefined>()
      // @ts-expect-error: this provider leaves the page
      signIn("github", { redirect: false })
      // @ts-expect-error: so does this type
      signIn("github", { redirect: false, providerType: "oauth" })
    }
    expect(check).toBeTypeOf("function")
  })
})

describe("signOut", () => {
  it("posts the token and navigates [spec action signout POST]", async () => {
    const played = play({ "/signout": { body: { url: "https://app.test/bye" } } })
    await played.client.signOut({ redirectTo: "/bye" })
    expect(posted(played)).toMatchObject({
      url: "/auth/signout",
      fields: { csrfToken: "the-token", callbackUrl: "/bye" },
    })
    expect(played.left).toEqual(["https://app.test/bye"])
  })

  it("stays on the page when asked to", async () => {
    const played = play({ "/signout": { body: { url: "https://app.test/bye" } } })
    expect(await played.client.signOut({ redirect: false })).toEqual({ url: "https://app.test/bye" })
    expect(played.left).toEqual([])
  })
})

describe("the session", () => {
  it.each([
    [
      { user: { name: "Ada" }, expires: "x" },
      { user: { name: "Ada" }, expires: "x" },
    ],
    [null, null],
    [{}, null],
  ])("is read: %j", async (body, session) => {
    expect(await play({ "/session": { body } }).client.getSession()).toEqual(session)
  })

  it.each([
    [{ status: 503, body: { error: "Configuration", message: "The session cannot be determined." } }],
    [{ status: 500 }],
    [{ status: 200 }],
    [{ body: "signed out" }],
    [{ body: [] }],
  ])("is not treated as absent when the server cannot determine it: %j", async (answer) => {
    const { client } = play({ "/session": answer })
    await expect(client.getSession()).rejects.toThrow(ClientError)
    await expect(client.update({})).rejects.toThrow(ClientError)
  })

  it("is updated with a POST, also without data [spec action session POST]", async () => {
    const played = play({ "/session": { body: { expires: "x" } } })
    expect(await played.client.update({ user: { name: "B" } })).toEqual({ expires: "x" })
    const post = posted(played)
    expect(post.headers.get("content-type")).toBe("application/json")
    expect(JSON.parse(post.body)).toEqual({ csrfToken: "the-token", data: { user: { name: "B" } } })
    const again = play({ "/session": { body: null } })
    expect(await again.client.update()).toBeNull()
    expect(JSON.parse(posted(again).body)).toEqual({ csrfToken: "the-token" })
  })
})

describe("the base path", () => {
  it.each([
    ["/api/auth", "/api/auth/csrf"],
    ["/api/auth/", "/api/auth/csrf"],
    ["https://id.test/auth", "https://id.test/auth/csrf"],
  ])("is a parameter: %s", async (basePath, url) => {
    const played = play({}, basePath)
    expect(await played.client.getCsrfToken()).toBe("the-token")
    expect(played.asked[0]?.url).toBe(url)
  })
})

describe("providers", () => {
  it("are listed", async () => {
    expect(await play().client.getProviders()).toEqual(listed)
    await expect(play({ "/providers": { status: 500 } }).client.getProviders()).rejects.toThrow(ClientError)
  })
})

describe("passkeys", () => {
  const options = { challenge: "x" }
  const browser = (isAutofill = true) => ({
    browserSupportsWebAuthn: () => true,
    browserSupportsWebAuthnAutofill: async () => isAutofill,
    startAuthentication: vi.fn(async (_: unknown) => ({ id: "assertion" })),
    startRegistration: vi.fn(async (_: unknown) => ({ id: "attestation" })),
  })
  const answers = (action: string): Play => ({
    "/webauthn-options/passkey": { body: { action, options } },
    "/callback/passkey": { body: { url: "https://app.test/in" } },
  })
  // The mocked library is seen by modules that are loaded after it was set.
  const withLibrary = async (library: object, action: string): Promise<Played> => {
    vi.doMock("@simplewebauthn/browser", () => library)
    return play(answers(action))
  }

  it("sign in: options, authenticator, callback", async () => {
    const library = browser()
    const played = await withLibrary(library, "authenticate")
    await played.client.signInWithPasskey({ fields: { email: "a@b.test" }, redirectTo: "/in" })
    expect(played.asked[0]?.url).toBe("/auth/webauthn-options/passkey?action=authenticate&email=a%40b.test")
    expect(library.startAuthentication).toHaveBeenCalledWith({ optionsJSON: options, useBrowserAutofill: false })
    expect(posted(played)).toMatchObject({
      url: "/auth/callback/passkey",
      fields: {
        email: "a@b.test",
        action: "authenticate",
        data: '{"id":"assertion"}',
        csrfToken: "the-token",
        callbackUrl: "/in",
      },
    })
    expect(played.left).toEqual(["https://app.test/in"])
  })

  it("register, and can stay on the page", async () => {
    const library = browser()
    const played = await withLibrary(library, "register")
    expect(await played.client.registerPasskey({ redirect: false })).toMatchObject({ ok: true })
    expect(played.asked[0]?.url).toBe("/auth/webauthn-options/passkey?action=register")
    expect(posted(played).fields).toMatchObject({ action: "register", data: '{"id":"attestation"}' })
    expect(library.startRegistration).toHaveBeenCalledWith({ optionsJSON: options })
  })

  it("are offered while the person types, where the browser can", async () => {
    const library = browser()
    const played = await withLibrary(library, "authenticate")
    await played.client.signInWithPasskey({ autofill: true })
    expect(library.startAuthentication).toHaveBeenCalledWith({ optionsJSON: options, useBrowserAutofill: true })
  })

  it("are not offered while the person types where the browser cannot", async () => {
    const library = browser(false)
    const played = await withLibrary(library, "authenticate")
    expect(await played.client.signInWithPasskey({ autofill: true })).toBeUndefined()
    expect(played.asked).toEqual([])
  })

  it("are what `signIn` does for a provider of that type", async () => {
    const played = await withLibrary(browser(), "register")
    await played.client.signIn("passkey", { action: "register", email: "a@b.test" })
    expect(played.asked.map(({ url }) => url)).toContain(
      "/auth/webauthn-options/passkey?action=register&email=a%40b.test",
    )
    expect(played.left).toEqual(["https://app.test/in"])
  })

  it("reject when the service refuses to begin, or the person to go on", async () => {
    const library = browser()
    vi.doMock("@simplewebauthn/browser", () => library)
    const refused = play({
      "/webauthn-options/passkey": { status: 400, body: { error: "Configuration", message: "No." } },
    })
    await expect(refused.client.signInWithPasskey()).rejects.toThrow(ClientError)
    library.startAuthentication.mockRejectedValueOnce(new Error("NotAllowed"))
    await expect(play(answers("authenticate")).client.signInWithPasskey()).rejects.toThrow("NotAllowed")
  })
})

describe("what the browser learns of passkeys", () => {
  afterEach(() => void vi.unstubAllGlobals())
  const learning = (): { readonly calls: unknown[]; readonly methods: Record<string, unknown> } => {
    const calls: unknown[] = []
    const noting = (name: string) => async (given: unknown) => void calls.push([name, given])
    const names = ["signalUnknownCredential", "signalAllAcceptedCredentials", "signalCurrentUserDetails"]
    return { calls, methods: Object.fromEntries(names.map((name) => [name, noting(name)])) }
  }
  const party = { rpId: "app.test", userId: "dXNlcg" }
  const account = { name: "ada@app.test", displayName: "Ada" }
  const signals = { "/passkeys": { body: [{ ...party, ...account, allAcceptedCredentialIds: ["one"] }] } }

  it("is which of them are accepted, which one is gone, and what the account is called", async () => {
    const { calls, methods } = learning()
    vi.stubGlobal("PublicKeyCredential", methods)
    const { client, asked } = play(signals)
    expect(await client.signalPasskeys({ removed: "two" })).toBe(true)
    expect(asked.map(({ url }) => url)).toEqual(["/auth/passkeys?signals=true"])
    expect(calls).toEqual([
      ["signalUnknownCredential", { rpId: "app.test", credentialId: "two" }],
      ["signalAllAcceptedCredentials", { ...party, allAcceptedCredentialIds: ["one"] }],
      ["signalCurrentUserDetails", { ...party, ...account }],
    ])
  })

  it("names none that is gone where none is named", async () => {
    const { calls, methods } = learning()
    vi.stubGlobal("PublicKeyCredential", methods)
    expect(await play(signals).client.signalPasskeys()).toBe(true)
    expect(calls).toHaveLength(2)
  })

  it("is nothing where the browser knows none of the methods, and the service is not asked", async () => {
    for (const without of [undefined, {}]) {
      vi.stubGlobal("PublicKeyCredential", without)
      const { client, asked } = play(signals)
      expect(await client.signalPasskeys({ removed: "two" })).toBe(false)
      expect(asked).toEqual([])
    }
  })

  it("is what it knows where it knows one of them", async () => {
    const { calls, methods } = learning()
    vi.stubGlobal("PublicKeyCredential", { signalUnknownCredential: methods["signalUnknownCredential"] })
    expect(await play(signals).client.signalPasskeys({ removed: "two" })).toBe(true)
    expect(calls).toHaveLength(1)
  })

  it("never throws: neither where nobody is signed in, nor where the browser refuses", async () => {
    const refuse = () => Promise.reject(new DOMException("no", "SecurityError"))
    vi.stubGlobal("PublicKeyCredential", { signalAllAcceptedCredentials: refuse })
    expect(await play(signals).client.signalPasskeys()).toBe(false)
    vi.stubGlobal("PublicKeyCredential", learning().methods)
    expect(
      await play({ "/passkeys": { status: 401, body: { error: "SessionRequired" } } }).client.signalPasskeys(),
    ).toBe(false)
    expect(await play({ "/passkeys": { body: [null] } }).client.signalPasskeys()).toBe(false)
    const away = createClient({ fetch: () => Promise.reject(new TypeError("away")) })
    expect(await away.signalPasskeys()).toBe(false)
  })
})

describe("the sessions of the signed-in user", () => {
  const entry = { id: "a", current: true, client: {}, expires: "2026-04-01T12:00:00.000Z" }
  const times = { startedAt: "2026-03-01T12:00:00.000Z", seenAt: "2026-03-02T12:00:00.000Z" }

  it("are listed with their times as dates", async () => {
    const { client } = play({ "/sessions": { body: [{ ...entry, ...times }] } })
    expect(await client.listSessions()).toEqual([
      {
        ...entry,
        startedAt: new Date(times.startedAt),
        seenAt: new Date(times.seenAt),
        expires: new Date(entry.expires),
      },
    ])
  })

  it("are ended by id, or all others, with the CSRF token", async () => {
    const played = play({ "/sessions": { body: { ended: 1 } } })
    await played.client.endSession("a")
    expect(JSON.parse(posted(played).body)).toEqual({ csrfToken: "the-token", end: "a" })
    const others = play({ "/sessions": { body: { ended: 3 } } })
    expect(await others.client.endOtherSessions()).toBe(3)
    expect(JSON.parse(posted(others).body)).toEqual({ csrfToken: "the-token", end: "others" })
  })

  it("are an error where the service refuses, which says that a sign-in is asked for", async () => {
    const body = { error: "insufficient_user_authentication", message: "Sign in again." }
    const { client } = play({ "/sessions": { status: 401, body } })
    await expect(client.listSessions()).rejects.toThrow(ClientError)
    await expect(client.endSession("a")).rejects.toMatchObject({ status: 401, error: body.error })
    await expect(client.endOtherSessions()).rejects.toMatchObject({ status: 401 })
  })
})
