/** A server without web objects gets the answers that a web request gets. */
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/index.js"
import { Credentials } from "../../src/providers/credentials.js"

const origin = "https://app.test"
const auth = createAuth(
  {
    secret: "0123456789abcdef0123456789abcdef",
    trustHost: true,
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      Credentials({
        credentials: { name: {} },
        authorize: ({ name }) => (name === "ada" ? { id: "1", name: "Ada" } : null),
      }),
    ],
  },
  { env: {} },
)

interface Sent {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const requestOf = ({ path, method = "GET", headers = {}, body }: Sent): Request =>
  new Request(origin + path, { method, headers, ...(body !== undefined && { body }) })

async function respondTo(sent: Sent, calls: { made: number } = { made: 0 }) {
  const { path, method = "GET", headers = {} } = sent
  const toRequest = (): Request => {
    calls.made++
    return requestOf(sent)
  }
  const {
    status,
    headers: fields,
    cookies,
    body,
  } = await auth.respond({ method, url: origin + path, headers, toRequest })
  const named = Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value] as const)
  return { status, headers: Object.fromEntries(named), cookies: cookies.map(stable), body: stable(body ?? "") }
}

async function handle(sent: Sent) {
  const response = await auth.handle(requestOf(sent))
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== "set-cookie"))
  const cookies = response.headers.getSetCookie().map(stable)
  return { status: response.status, headers, cookies, body: stable(await response.text()) }
}

/** Without what is random in it: tokens, incidents, nonces. */
const stable = (text: string): string =>
  text
    .replace(/(=|value="|csrfToken":")[\w.%-]{40,}/g, "$1…")
    .replace(/(incident[^\w]{1,4})[\w-]{12}/g, "$1…")
    .replace(/Expires=[^;]+/g, "Expires=…")

const form = { "content-type": "application/x-www-form-urlencoded" }
const html = { accept: "text/html" }

const requests: readonly Sent[] = [
  { path: "/auth/session" },
  { path: "/auth/session", method: "HEAD" },
  { path: "/auth/session", headers: { cookie: "__Secure-authjs.session-token=broken" } },
  { path: "/auth/csrf" },
  { path: "/auth/providers" },
  { path: "/auth/signin?error=CredentialsSignin&callbackUrl=%2Fx", headers: html },
  { path: "/auth/signout", headers: html },
  { path: "/auth/error?error=AccessDenied", headers: html },
  { path: "/auth/nothing", headers: html },
  { path: "/auth/callback/nobody" },
  { path: "/auth/session", method: "DELETE" },
  { path: "/auth/signin/credentials", method: "POST", headers: form, body: "name=ada" },
  {
    path: "/auth/callback/credentials",
    method: "POST",
    headers: { ...form, "x-auth-return-redirect": "1" },
    body: "a",
  },
]

describe("respond", () => {
  it.each(requests)("answers $method $path as handle does", async (sent) => {
    expect(await respondTo(sent)).toEqual(await handle(sent))
  })

  it("signs in with a body that it reads once", async () => {
    const issued = await auth.respond({ method: "GET", url: `${origin}/auth/csrf`, headers: {}, toRequest: refuse })
    const { csrfToken } = JSON.parse(issued.body ?? "") as { csrfToken: string }
    const cookie = issued.cookies.map((field) => field.split(";")[0]).join("; ")
    const body = new URLSearchParams({ csrfToken, name: "ada" }).toString()
    const sent = { path: "/auth/callback/credentials", method: "POST", headers: { ...form, cookie }, body }
    const calls = { made: 0 }
    const answer = await respondTo(sent, calls)
    expect([answer.status, answer.headers["location"]]).toEqual([302, origin])
    expect(answer.cookies.join()).toContain("__Secure-authjs.session-token=")
    expect(calls.made).toBe(1)
    expect(answer).toEqual(await handle(sent))
  })

  it("makes no Request object when no body is read", async () => {
    const calls = { made: 0 }
    for (const sent of requests.filter(({ method }) => method !== "POST")) await respondTo(sent, calls)
    await respondTo({ path: "/auth/signout", method: "POST", headers: form, body: "a=1" }, calls)
    expect(calls.made).toBe(0)
  })

  it("reads headers in any spelling, and lists of them", async () => {
    const issued = await auth.respond({ method: "GET", url: `${origin}/auth/csrf`, headers: {}, toRequest: refuse })
    const [cookie = ""] = issued.cookies.map((field) => field.split(";")[0] ?? "")
    const headers = { Cookie: ["a=1", cookie] }
    const again = await auth.respond({ method: "GET", url: `${origin}/auth/csrf`, headers, toRequest: refuse })
    expect(again.body).toBe(issued.body)
  })

  it("refuses a URL that cannot be parsed", async () => {
    const call = auth.respond({ method: "GET", url: "/auth/session", headers: {}, toRequest: refuse })
    expect(await call).toMatchObject({ status: 400, cookies: [] })
  })
})

function refuse(): Request {
  throw new Error("nothing of the body is needed")
}
