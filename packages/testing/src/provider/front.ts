/** The front of a test provider: every request passes here on its way to the certified software behind it, and may fail by a fault. */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import type { ProviderCall } from "./call.js"
import { type SwitchedFault, type Switches, spoil, type TokenFault } from "./faults.js"
import { claimsOf, type SigningKey, sign } from "./keys.js"
import type { ProviderPages } from "./pages.js"

/** The software behind the front. */
export interface Behind {
  readonly issuer: string
  /** Port of the certified software. */
  readonly port: number
  readonly switches: Switches
  /** Where people sign in by hand. */
  readonly pages: ProviderPages | undefined
  /** The key that the certified software signs with. */
  readonly firstKey: SigningKey
  /** The key that is used for signing now. */
  key(): SigningKey
  note(call: ProviderCall): void
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

const endpoints: Readonly<Record<string, ProviderCall["endpoint"]>> = {
  "/.well-known/openid-configuration": "discovery",
  "/jwks": "keys",
  "/auth": "authorization",
  "/token": "token",
  "/me": "userinfo",
}

/** Answers a request. Rejects when what stands behind does not answer. */
export async function pass(request: IncomingMessage, response: ServerResponse, behind: Behind): Promise<void> {
  if (isMisdirected(request)) return misdirected(response)
  for (const [name, value] of Object.entries(behind.pages?.headers ?? {})) response.setHeader(name, value)
  const sent = await read(request)
  const call = callOf(request, sent)
  behind.note(call)
  const file = behind.pages?.files?.[pathOf(call)]
  if (file) return void response.writeHead(200, { "content-type": file.type }).end(file.body)
  const fault = call.endpoint === "page" ? undefined : behind.switches.take(call.endpoint)
  if (fault && (await refuse(fault, { request, response, call, issuer: behind.issuer }))) return
  const honest = await forward(request, sent, behind.port)
  if (fault?.what === "lost") return void request.socket.destroy()
  write(response, await rewritten(honest, { call, fault, behind }))
}

const loopback = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * A site whose own name leads to this machine (DNS rebinding) could otherwise sign in as anybody: to browsers, what it asks
 * is of its own origin. They send that name.
 */
export function isMisdirected({ headers: { host } }: IncomingMessage): boolean {
  const address = `http://${host}`
  return host === undefined || !URL.canParse(address) || !loopback.test(new URL(address).hostname)
}

/** RFC 9110 §15.5.20. */
export function misdirected(response: ServerResponse): void {
  const text = "This provider is for development, and answers on this machine alone: ask for 127.0.0.1 or localhost."
  response.writeHead(421, { "content-type": "text/plain", connection: "close" }).end(text)
}

function callOf(request: IncomingMessage, sent: Buffer): ProviderCall {
  const { method = "GET", url: path = "/", headers } = request
  const body = new URLSearchParams(method === "POST" ? sent.toString() : "")
  const found = endpoints[pathOf({ path })] ?? "page"
  const endpoint = found === "token" && body.get("grant_type") === "refresh_token" ? "refresh" : found
  return { endpoint, method, path, headers, body }
}

const pathOf = ({ path }: Pick<ProviderCall, "path">): string => path.split("?", 1)[0] ?? ""

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly call: ProviderCall
  readonly issuer: string
}

/** Faults that leave nothing for the provider to do. `slow` only takes its time. */
async function refuse({ what, delay }: SwitchedFault, exchange: Exchange): Promise<boolean> {
  const { request, response } = exchange
  switch (what) {
    case "503":
      response.writeHead(503, { "content-type": "text/plain" }).end("The provider is out of order.")
      return true
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Maintenance</title>")
      return true
    case "reset":
      request.socket.destroy()
      return true
    case "invalid_grant":
      json(response, 400, { error: "invalid_grant" })
      return true
    case "unauthorized":
      response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end()
      return true
    case "slow":
      await pause(delay, request)
      return request.socket.destroyed
    default:
      return sendBack(what, exchange)
  }
}

/** An error in place of the code, as the standard has it. */
function sendBack(error: string, { response, call, issuer }: Exchange): boolean {
  const asked = new URL(call.path, issuer).searchParams
  const back = asked.get("redirect_uri")
  if (call.endpoint !== "authorization" || back === null || !URL.canParse(back)) return false
  const location = new URL(back)
  location.searchParams.set("error", error)
  // RFC 9207 §2.
  location.searchParams.set("iss", issuer)
  const state = asked.get("state")
  if (state !== null) location.searchParams.set("state", state)
  response.writeHead(302, { location: location.href }).end()
  return true
}

/** Ends earlier where the client has gone. */
function pause(milliseconds: number, request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    request.socket.once("close", end)
  })
}

interface Surroundings {
  readonly call: ProviderCall
  readonly fault: SwitchedFault | undefined
  readonly behind: Behind
}

async function rewritten(answer: Answer, { call, fault, behind }: Surroundings): Promise<Answer> {
  if (answer.status !== 200) return answer
  if (call.endpoint === "keys") return withBody(answer, { keys: [behind.key().publicJwk] })
  if (call.endpoint === "token" || call.endpoint === "refresh") return withToken(answer, behind)
  if (fault?.what !== "another person") return answer
  return withBody(answer, { ...(JSON.parse(answer.body.toString()) as object), sub: "another-person" })
}

async function withToken(answer: Answer, { switches, key, firstKey }: Behind): Promise<Answer> {
  const { id_token: idToken, ...tokens } = JSON.parse(answer.body.toString()) as { id_token?: string }
  if (idToken === undefined) return answer
  const fault = switches.take("id_token")
  const own = key() === firstKey ? idToken : await sign(claimsOf(idToken), key())
  const token = fault ? await spoil(own, fault.what as TokenFault, key()) : own
  return withBody(answer, { ...tokens, ...(token !== undefined && { id_token: token }) })
}

const withBody = (answer: Answer, value: unknown): Answer => ({ ...answer, body: Buffer.from(JSON.stringify(value)) })

function forward(request: IncomingMessage, sent: Buffer, port: number): Promise<Answer> {
  const { method, url: path, headers } = request
  return new Promise((resolve, reject) => {
    const inner = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      read(answer).then((body) => resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body }), reject)
    })
    inner.on("error", reject)
    inner.end(sent)
  })
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  const { "transfer-encoding": _chunked, connection: _hop, ...kept } = headers
  response.writeHead(status, { ...kept, "content-length": body.length }).end(body)
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
}
