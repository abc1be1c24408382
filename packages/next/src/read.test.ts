import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { memoryAdapter } from "@latchkey/core/memory"
import { describe, expect, it } from "vitest"
import { adaOf, address, arrive, config, sent } from "../test/support/application.js"
import { AuthError, NextAuth } from "./index.js"

describe("auth() in a server component", () => {
  it("answers null for a visitor, and who is signed in", async () => {
    const given = config()
    const { auth } = NextAuth(given)
    arrive()
    expect(await auth()).toBeNull()
    arrive(sent(await adaOf(given)))
    expect(await auth()).toMatchObject({ user: { name: "Ada" } })
  })

  it("writes no cookie, also when the session is due for extension", async () => {
    const given = config()
    const { cookies } = arrive(sent(await adaOf(given, { isDue: true })))
    expect(await NextAuth(given).auth()).toMatchObject({ user: { name: "Ada" } })
    expect(cookies).toEqual([])
  })

  it("extends no row either: the cookie would end before it", async () => {
    const adapter = memoryAdapter()
    const extended: unknown[] = []
    const updateSession: typeof adapter.updateSession = async (session) => {
      extended.push(session)
      return null
    }
    const given = config({ adapter: { ...adapter, updateSession }, session: { strategy: "database" } })
    const headers = sent(await adaOf(given, { isDue: true }))
    arrive(headers)
    const { auth } = NextAuth(given)
    expect(await auth()).toMatchObject({ user: { name: "Ada" } })
    const closed = { headersSent: true, getHeader: () => undefined, setHeader: () => undefined }
    expect(await auth({ headers: Object.fromEntries(headers) }, closed)).toMatchObject({ user: { name: "Ada" } })
    expect(extended).toEqual([])
  })

  it("throws when it cannot be determined: nobody counts as signed out", async () => {
    const adapter = memoryAdapter()
    const given = config({ adapter, session: { strategy: "database" } })
    arrive(sent(await adaOf(given)))
    const broken = { ...adapter, getSessionAndUser: () => Promise.reject(new Error("away")) }
    await expect(NextAuth({ ...given, adapter: broken }).auth()).rejects.toThrow(AuthError)
  })
})

describe("signInView() in a server component", () => {
  it("says what the sign-in page of the application shows, and where its visitor goes afterwards", async () => {
    const { signInView } = NextAuth(config())
    const { cookies } = arrive()
    const shown = await signInView(Promise.resolve({ error: "SessionRequired", callbackUrl: "/me" }))
    expect(shown.providers).toMatchObject([{ id: "github", label: "Continue with GitHub" }])
    expect(shown.forms[0]?.fields.map(({ name }) => name)).toEqual(["name", "password"])
    expect(shown.message?.text).toBe("Please sign in to see this page.")
    expect(shown.redirectTo).toBe(`${address}/me`)
    expect(shown).not.toHaveProperty("hidden")
    expect(cookies).toEqual([])
  })

  it("leads to the application where the address asks for nothing, or for another site", async () => {
    const { signInView } = NextAuth(config())
    arrive()
    expect(await signInView()).toMatchObject({ message: undefined, redirectTo: address })
    expect(await signInView({ callbackUrl: ["https://evil.test/", "/me"] })).toMatchObject({ redirectTo: address })
  })
})

describe("auth in the Pages Router", () => {
  function responseWith(before: Record<string, string[]> = {}, headersSent = false) {
    const fields: Record<string, number | string | string[] | readonly string[]> = { ...before }
    return {
      fields,
      response: {
        headersSent,
        getHeader: (name: string) => fields[name] as string[] | undefined,
        setHeader: (name: string, value: string | readonly string[]) => {
          fields[name] = value
        },
      },
    }
  }

  it("reads the session of an API route, and adds the cookie of one that was extended beside others", async () => {
    const given = config()
    const { auth } = NextAuth(given)
    const headers = Object.fromEntries(sent(await adaOf(given, { isDue: true })))
    const { fields, response } = responseWith({ "Set-Cookie": ["theirs=1"] })
    expect(await auth({ headers }, response)).toMatchObject({ user: { name: "Ada" } })
    expect(fields["Set-Cookie"]).toEqual(["theirs=1", expect.stringMatching(/^__Secure-authjs\.session-token=/)])
    expect(fields["Cache-Control"]).toBe("private, no-store")
  })

  it("keeps the answer to somebody who is signed in out of shared caches, unless the application has said otherwise", async () => {
    const given = config()
    const { auth } = NextAuth(given)
    const headers = Object.fromEntries(sent(await adaOf(given)))
    const [plain, said, nobody] = [
      responseWith(),
      responseWith({ "Cache-Control": ["private, max-age=5"] }),
      responseWith(),
    ]
    await auth({ headers }, plain.response)
    expect(plain.fields).toEqual({ "Cache-Control": "private, no-store" })
    await auth({ headers }, said.response)
    expect(said.fields).toEqual({ "Cache-Control": ["private, max-age=5"] })
    await auth({ headers: {} }, nobody.response)
    expect(nobody.fields).toEqual({})
  })

  it("keeps a response with the cookie out of shared caches, whatever it says of itself afterwards", {
    tags: ["threat:HD-03"],
  }, async () => {
    const given = config()
    const { auth } = NextAuth(given)
    const handler: RequestListener = (req, res) => {
      auth(req, res).then(() => {
        const said = { "Cache-Control": "public, s-maxage=600" }
        if (req.url === "/set") res.setHeader("Cache-Control", said["Cache-Control"]).end("page")
        else res.writeHead(200, said).end("page")
      })
    }
    const server = createServer(handler)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const headers = Object.fromEntries(sent(await adaOf(given, { isDue: true })))
      delete headers["host"]
      for (const path of ["/set", "/written"]) {
        const due = await fetch(url + path, { headers })
        expect(due.headers.getSetCookie()).toHaveLength(1)
        expect(due.headers.get("cache-control")).toBe("private, no-store")
        expect((await fetch(url + path)).headers.get("cache-control")).toBe("public, s-maxage=600")
      }
    } finally {
      server.close().closeAllConnections()
    }
  })

  it("reads the session in getServerSideProps", async () => {
    const given = config()
    const req = { headers: Object.fromEntries(sent(await adaOf(given))) }
    expect(await NextAuth(given).auth({ req, res: responseWith().response })).toMatchObject({ user: { name: "Ada" } })
  })

  it("extends nothing once the head of the response is sent", async () => {
    const given = config()
    const headers = Object.fromEntries(sent(await adaOf(given, { isDue: true })))
    const { fields, response } = responseWith({}, true)
    expect(await NextAuth(given).auth({ headers }, response)).toMatchObject({ user: { name: "Ada" } })
    expect(fields).toEqual({})
  })
})
