/** HTTP Basic at token endpoints that form-decode it, as RFC 6749 says, and at those that compare what arrives. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Provider } from "../../../src/types/provider.js"
import { openDesk, refusalOf } from "../../support/oauth-desk.js"

interface Client {
  readonly id: string
  readonly secret: string
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll("+", "%20"))

/** A provider over HTTP whose token endpoint knows one client. */
class TokenServer {
  client: Client = { id: "", secret: "" }
  decodes = true
  private readonly server: Server = createServer((request, response) => this.answer(request, response))

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve))
  }

  close(): Promise<void> {
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  provider(): Provider {
    const base = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    const endpoints = { authorization: `${base}/authorize`, token: `${base}/token`, userinfo: `${base}/userinfo` }
    const { id: clientId, secret: clientSecret } = this.client
    return { id: "op", name: "OP", type: "oauth", clientId, clientSecret, ...endpoints } as unknown as Provider
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const isKnown = request.url !== "/token" || this.knows(request.headers.authorization ?? "")
    const body = request.url === "/token" ? { access_token: "at", token_type: "bearer" } : { id: "1", name: "Ada" }
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" })
    response.end(JSON.stringify(isKnown ? body : { error: "invalid_client" }))
  }

  private knows(authorization: string): boolean {
    const sent = Buffer.from(authorization.replace("Basic ", ""), "base64").toString()
    const at = sent.indexOf(":")
    const parts = [sent.slice(0, at), sent.slice(at + 1)]
    const [id, secret] = this.decodes ? parts.map(formDecoded) : parts
    return id === this.client.id && secret === this.client.secret
  }
}

const server = new TokenServer()
beforeAll(() => server.open())
afterAll(() => server.close())

async function signIn(): Promise<string> {
  const desk = openDesk(server.provider())
  const { url } = await desk.begin()
  const back = new URLSearchParams({ code: "c", state: url.searchParams.get("state") ?? "" })
  return (await desk.finish(`/auth/callback/op?${back}`)).kind
}

const google: Client = { id: "1234-a_b.apps.googleusercontent.com", secret: "GOCSPX-a_b.c~d" }
const marks: Client = { id: "a-b_c.d!e~f*g'h(i)j", secret: "-_.!~*'()" }
const odd: Client = { id: "cli:ent one+two", secret: "s p%c/=&?#ë:€ -_.~!*'()" }

describe("client_secret_basic", () => {
  it.each([
    ["decodes", google],
    ["decodes", marks],
    ["decodes", odd],
    ["does not decode", google],
    ["does not decode", marks],
  ] as const)(
    "signs in where the server %s [spec provider clientSecret]: %o",
    { tags: ["threat:C1-07", "threat:CB-14"] },
    async (how, client) => {
      Object.assign(server, { client, decodes: how === "decodes" })
      expect(await signIn()).toBe("proof")
    },
  )

  it("escapes what would change the header, which only a server that decodes can read", async () => {
    Object.assign(server, { client: odd, decodes: false })
    expect((await refusalOf(signIn())).cause).toMatchObject({ error: "invalid_client" })
  })

  it.each([google, marks, { id: "cli:ent one+two", secret: "s p%c/=&?#: -_.~!*'()" }])(
    "signs in at a certified provider: %o",
    async (client) => {
      const op = await createProvider({ redirectUris: ["https://app.test/auth/callback/op"], client })
      const { issuer, clientId, clientSecret } = op
      const desk = openDesk({ id: "op", name: "OP", type: "oidc", issuer, clientId, clientSecret } as never)
      const { goTo } = await desk.begin()
      expect((await desk.finish(await op.authorize(goTo))).account.providerAccountId).toBe("ada")
      await op.close()
    },
  )
})
