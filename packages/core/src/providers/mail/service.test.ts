/** Sending through a mail service on loopback: success, refusals, and a service that is not there. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { EmailSignInError } from "../../errors.js"
import { type MailRequest, postMail } from "./service.js"

interface Received {
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

let server: Server
let url = ""
let answer: (response: ServerResponse) => void = () => {}
const received: Received[] = []

beforeEach(async () => {
  received.length = 0
  server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    request.on("end", () => {
      received.push({ headers: request.headers, body })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/emails`
})

afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const mail = (changes: Partial<MailRequest> = {}): MailRequest => ({
  service: "Post",
  url,
  headers: { authorization: "Bearer the-key" },
  body: { to: "a@b.test" },
  secrets: ["the-key", undefined, "https://app.test/?token=t"],
  ...changes,
})

describe("postMail", () => {
  it.each([200, 202, 204])("is content with %i", async (status) => {
    answer = (response) => response.writeHead(status).end()
    await postMail(mail())
    expect(received).toHaveLength(1)
    expect(received[0]?.headers).toMatchObject({ authorization: "Bearer the-key", "content-type": "application/json" })
    expect(received[0]?.body).toBe('{"to":"a@b.test"}')
  })

  it.each([
    [
      "message of JSON",
      422,
      '{"message":"The domain is not verified."}',
      /Post refused the mail: 422 The domain is not verified\.$/,
    ],
    ["text", 500, "Internal trouble", /500 Internal trouble$/],
    ["nothing", 401, "", /401$/],
    ["JSON without message", 400, '{"code":7}', /400 \{"code":7\}$/],
    ["endless text", 400, "x".repeat(100_000), /400 x{300}$/],
    ["control characters", 400, "a\r\nb\u001b[2Jc", /400 a b \[2Jc$/],
  ])(
    "reports the refusal of a service: %s",
    { tags: ["threat:FM-02", "threat:HT-40"] },
    async (_, status, body, message) => {
      answer = (response) => response.writeHead(status).end(body)
      const failure = postMail(mail())
      await expect(failure).rejects.toThrow(EmailSignInError)
      await expect(failure).rejects.toThrow(message)
      await expect(failure).rejects.toMatchObject({ cause: { service: "Post", status } })
    },
  )

  it("reads no more of a refusal than anybody would write", { tags: ["threat:HT-40"] }, async () => {
    const packed = gzipSync("a\u0007".repeat(4_000_000))
    answer = (response) => response.writeHead(400, { "content-encoding": "gzip" }).end(packed)
    await expect(postMail(mail())).rejects.toThrow(/400 with an answer of more than 1048576 bytes$/)
    answer = (response) => response.writeHead(400).end("a\u0007".repeat(400_000))
    await expect(postMail(mail())).rejects.toThrow(/400 (?:a ){149}a$/)
  })

  it("never repeats the key or the link, even when the service does", { tags: ["threat:A-012"] }, async () => {
    answer = (response) => response.writeHead(401).end("key the-key for https://app.test/?token=t is wrong")
    await expect(postMail(mail())).rejects.toThrow(/401 key … for … is wrong$/)
  })

  it("does not follow a redirect with the key", async () => {
    answer = (response) => response.writeHead(307, { location: url }).end()
    await expect(postMail(mail())).rejects.toThrow(/could not be reached/)
    expect(received).toHaveLength(1)
  })

  it("reports a service that is unreachable", { tags: ["threat:FM-01"] }, async () => {
    const failure = postMail(mail({ url: "http://127.0.0.1:1/" }))
    await expect(failure).rejects.toThrow(/Post could not be reached/)
    await expect(failure).rejects.toMatchObject({ cause: { err: expect.any(Error) } })
  })

  it("waits ten seconds and no longer", { tags: ["threat:FM-03"] }, async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort(new Error("late")))
    await expect(postMail(mail())).rejects.toThrow(/could not be reached/)
    expect(timeout).toHaveBeenCalledWith(10_000)
  })
})
