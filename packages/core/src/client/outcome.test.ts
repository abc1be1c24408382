/** Where the client may navigate, whatever the server returns and the URL of the page contains. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { ClientError } from "./connection.js"
import { type AuthClient, createClient } from "./create.js"

interface Reply {
  readonly status?: number
  readonly body?: unknown
}

interface Visit {
  readonly client: AuthClient
  readonly left: string[]
}

/** A page of https://app.test, and a service that answers every POST with the same. */
function visit(reply: Reply, { page = "/account", basePath = "/auth" } = {}): Visit {
  vi.stubGlobal("location", new URL(page, "https://app.test"))
  const left: string[] = []
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    if (init?.method !== "POST") return Response.json(url.endsWith("/csrf") ? { csrfToken: "t" } : {})
    const { status = 200, body } = reply
    return body === undefined ? new Response("<h1>busy</h1>", { status }) : Response.json(body, { status })
  }
  return { client: createClient({ basePath, fetch, navigate: (url) => void left.push(url) }), left }
}

const signIn = (client: AuthClient): Promise<unknown> => client.signIn("github", { providerType: "oauth" })

const scripts = [
  "javascript:alert(1)",
  " JaVa\tScript:alert(1)",
  "data:text/html,x",
  "blob:https://app.test/1",
  "https://",
]

afterEach(() => vi.unstubAllGlobals())

describe("the query of the page", () => {
  const addresses = ["javascript:alert(document.domain)", "https://evil.test/", "//evil.test", "/\\evil.test"]
  const failures: Reply[] = [
    { status: 503 },
    { status: 429 },
    { status: 403, body: { message: "blocked" } },
    { status: 200 },
    { status: 200, body: {} },
  ]
  const cases = addresses.flatMap((address) => failures.map((reply) => [address, reply] as const))

  it.each(cases)(
    "does not navigate to %s when signing out fails with %j",
    { tags: ["threat:CF2-18"] },
    async (address, reply) => {
      const page = `/account?callbackUrl=${encodeURIComponent(address)}`
      const { client, left } = visit(reply, { page })
      await client.signOut()
      expect(left).toEqual(["/auth/error?error=Configuration"])
    },
  )

  it("is not what a sign-out that stays on the page answers after a failure", { tags: ["threat:CF2-18"] }, async () => {
    const { client } = visit({ status: 503 }, { page: "/account?callbackUrl=javascript:alert(1)" })
    await expect(client.signOut({ redirect: false })).rejects.toThrow(ClientError)
  })

  it("does not navigate when signing in fails", async () => {
    const { client, left } = visit({ status: 503 }, { page: "/login?callbackUrl=https%3A%2F%2Fevil.test" })
    await signIn(client)
    expect(left).toEqual(["/auth/signin?error=Signin"])
  })
})

describe("an answer that succeeds", () => {
  it.each(scripts)("is not followed to %j", { tags: ["threat:CF2-18"] }, async (url) => {
    const { client, left } = visit({ body: { url } })
    await expect(signIn(client)).rejects.toThrow(ClientError)
    await expect(client.signOut()).rejects.toThrow(ClientError)
    await expect(client.signOut({ redirect: false })).rejects.toThrow(ClientError)
    await expect(client.signIn("credentials", { redirect: false })).rejects.toThrow(ClientError)
    expect(left).toEqual([])
  })

  it.each([
    ["https://github.test/authorize?x=1", "https://github.test/authorize?x=1"],
    ["/after#part", "https://app.test/after#part"],
    ["http://localhost:3000/", "http://localhost:3000/"],
  ])("is followed to the web address %s", async (url, goTo) => {
    const { client, left } = visit({ body: { url } })
    await signIn(client)
    await client.signOut()
    expect(left).toEqual([goTo, goTo])
  })
})

describe("an answer that fails", () => {
  it.each([...scripts, "https://evil.test/?error=AccessDenied", "//evil.test"])(
    "is not followed away from the application: %j",
    { tags: ["threat:CF2-18"] },
    async (url) => {
      const { client, left } = visit({ status: 403, body: { error: "AccessDenied", incident: "abc", url } })
      await signIn(client)
      await client.signOut()
      expect(left).toEqual(Array(2).fill("/auth/error?error=AccessDenied&incident=abc"))
    },
  )

  it("reaches a sign-in page on another host through the server, which knows it", async () => {
    const body = { error: "CredentialsSignin", code: "locked", url: "https://login.test/?error=CredentialsSignin" }
    const { client, left } = visit({ status: 401, body })
    await client.signIn("credentials", {})
    expect(left).toEqual(["/auth/signin?error=CredentialsSignin&code=locked"])
  })

  it("is followed to a page of the application, or of a service on another host", async () => {
    const own = visit({ status: 403, body: { url: "https://app.test/denied?x=1" } })
    await own.client.signOut()
    expect(own.left).toEqual(["https://app.test/denied?x=1"])
    const url = "https://id.test/auth/signin?error=CredentialsSignin"
    const other = visit({ status: 401, body: { url } }, { basePath: "https://id.test/auth" })
    await other.client.signIn("credentials", {})
    expect(other.left).toEqual([url])
  })
})
