/** Requests whose `url` is no address: some servers make one of whatever stands in the `Host` header. */
import { describe, expect, it } from "vitest"
import { Auth, type AuthSource, raw, signInView } from "../../src/index.js"
import { managedSessions, sessionsOfRequest } from "../../src/sessions.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { makeWorld } from "../support/world.js"

const unreadable = [
  "/auth/csrf",
  "",
  "http://",
  "http://[zz]/auth/csrf",
  "http://a b/auth/csrf",
  "http://app.test:99999/",
]
const tags = ["threat:HO-11", "threat:PA-20"]

/** A request as such a server hands it over. */
function requestAt(url: string, init?: RequestInit): Request {
  const request = new Request("https://app.test/auth/csrf", init)
  return Object.defineProperty(request, "url", { get: () => url })
}

const open = () =>
  makeWorld({ strategy: "jwt", config: { features: [managedSessions()] }, more: [credentialsProvider()] })

describe.each(unreadable)("a request for %j", (url) => {
  it.each(["GET", "HEAD", "POST", "PUT"])("is answered with 400 and no fault, %s", { tags }, async (method) => {
    const { auth, errors } = await open()
    const body = method === "POST" ? new URLSearchParams({ a: "b" }) : null
    const answer = await auth.handle(requestAt(url, { method, body }))
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
    expect(answer.headers.get("x-auth-incident")).toBeNull()
    if (method !== "HEAD") {
      expect(await answer.json()).toEqual({ error: "Configuration", message: "The request cannot be read." })
    }
    expect(errors).toMatchObject([{ type: "UnreadableRequest", status: 400 }])
  })

  it("is answered with a page that leads nowhere else", { tags }, async () => {
    const { auth } = await open()
    const answer = await auth.handle(requestAt(url, { headers: { accept: "text/html" } }))
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"])
    expect(await answer.text()).not.toContain("origin.invalid")
  })

  it("is answered as it is for a server without web objects, and where AUTH_URL names the address", {
    tags,
  }, async () => {
    const toRequest = (): Request => {
      throw new Error("nothing of the body is needed")
    }
    for (const env of [{}, { AUTH_URL: "https://app.test" }]) {
      const { auth } = await makeWorld({ env })
      const { status, cookies } = await auth.respond({ method: "POST", url, headers: {}, toRequest })
      expect([status, cookies]).toEqual([400, []])
      expect((await auth.handle(requestAt(url))).status).toBe(400)
    }
  })

  it("is refused with the error to whoever asks for raw answers", { tags }, async () => {
    const { config } = await open()
    const answer = Auth(requestAt(url), { ...config, raw })
    await expect(answer).rejects.toMatchObject({ type: "UnreadableRequest" })
    expect((await Auth(requestAt(url), config)).status).toBe(400)
  })

  it("lets a call in this process throw the refusal", { tags }, async () => {
    const { auth } = await open()
    const refused = { type: "UnreadableRequest", status: 400, message: expect.stringContaining("absolute") }
    const sources: readonly AuthSource[] = [requestAt(url), { url, headers: {} }]
    for (const source of sources) {
      await expect(auth.session(source)).rejects.toMatchObject(refused)
      await expect(auth.update(source, {})).rejects.toMatchObject(refused)
      await expect(auth.signIn(source, "credentials", { fields: rightCredentials })).rejects.toMatchObject(refused)
      await expect(auth.signOut(source)).rejects.toMatchObject(refused)
      await expect(signInView(auth, source)).rejects.toMatchObject(refused)
      const sessions = sessionsOfRequest(auth, source, { setCookies: () => undefined })
      await expect(sessions.list()).rejects.toMatchObject(refused)
    }
  })
})
