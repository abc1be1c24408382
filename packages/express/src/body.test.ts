import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import express, { type ErrorRequestHandler, type RequestHandler } from "express"
import { afterEach, describe, expect, it } from "vitest"
import { serverRequestOf, writeServerResponse } from "./bridge.js"

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function serve(...handlers: (RequestHandler | ErrorRequestHandler)[]): Promise<string> {
  const app = express()
  if (handlers.length > 0) app.use(...handlers)
  const server = createServer(app)
  open.push({ close: () => server.close().closeAllConnections() })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const toWebRequest = (req: express.Request): Request =>
  serverRequestOf(req, "http://app.test/auth/signin", req.headers).toRequest()

const response = (status: number, body: string | null) => ({ status, headers: {}, cookies: [], body })

/** Answers with what the web request held. */
const echo: RequestHandler = async (req, res, next) => {
  try {
    const request = toWebRequest(req)
    const type = request.headers.get("content-type") ?? ""
    const text = type.startsWith("multipart/") ? JSON.stringify([...(await request.formData())]) : await request.text()
    res.json({ method: request.method, type, text, length: request.headers.get("content-length") })
  } catch (error) {
    next(error)
  }
}

const answerError: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error.status).json({ type: error.type, says: error.message })
}

const parsers: Record<string, RequestHandler[]> = {
  "no parser": [],
  "json and urlencoded": [express.json(), express.urlencoded({ extended: true })],
  "simple urlencoded": [express.urlencoded({ extended: false })],
  raw: [express.raw({ type: () => true })],
  text: [express.text({ type: () => true })],
}

const bodies = [
  { type: "application/x-www-form-urlencoded", body: "csrfToken=a%20b&email=x%40y.test&tag=1&tag=2" },
  { type: "application/x-www-form-urlencoded; charset=utf-8", body: "a%5Bb%5D=c&%C3%BC=%26%3D" },
  { type: "application/json", body: '{"csrfToken":"t","deep":{"list":[1,"2",null]}}' },
  { type: "text/plain", body: "csrfToken=a" },
]

const normal = (type: string, text: string): unknown =>
  type.includes("urlencoded") ? [...new URLSearchParams(text)] : type.includes("json") ? JSON.parse(text) : text

describe("the body", () => {
  for (const [name, before] of Object.entries(parsers))
    it.each(bodies)(`arrives whole after ${name}: $type`, async ({ type, body }) => {
      const answer = await fetch(await serve(...before, echo), {
        method: "POST",
        headers: { "content-type": type },
        body,
      })
      const got = (await answer.json()) as { text: string; type: string }
      expect(got.type).toBe(type)
      expect(normal(type, got.text)).toEqual(normal(type, body))
    })

  it.each(["csrfToken[]=T", "csrfToken%5B%5D=T", "csrfToken[0]=T", "deep[csrfToken][]=T", "csrfToken[a]=T"])(
    "has no field after a parser that it did not have before: %s",
    async (body) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const answer = await fetch(await serve(express.urlencoded({ extended: true }), echo), {
        method: "POST",
        headers,
        body,
      })
      const { text } = (await answer.json()) as { text: string }
      const names = [...new URLSearchParams(text).keys()]
      expect(names).toHaveLength(1)
      expect(names).not.toContain("csrfToken")
    },
  )

  /** Each leaf has the names of all levels above it: 87 kB of JSON would be hundreds of megabytes of a form. */
  const steep = `${`{"b":[${Array(25).fill(1).join(",")}],"a":`.repeat(1400)}1${"}".repeat(1400)}`
  const forms = ["application/x-www-form-urlencoded", "multipart/form-data"]

  it.each(forms.flatMap((form) => [`application/json; x=${form}`, `application/json;${form}`]))(
    "of JSON stays JSON, whatever form a parameter of its type names: %s",
    { tags: ["threat:CT-07"] },
    async (type) => {
      const answer = await fetch(await serve(express.json(), echo, answerError), {
        method: "POST",
        headers: { "content-type": type },
        body: steep,
      })
      expect(await answer.json()).toMatchObject({ type, text: steep })
    },
  )

  it.each(forms)(
    "of a form is refused before it grows, where a parser takes JSON for it: %s",
    {
      tags: ["threat:CT-07", "threat:CT-08"],
    },
    async (type) => {
      const level = (levels: number): string => `{"${"a".repeat(200)}":${"[".repeat(levels)}1${"]".repeat(levels)}}`
      const wide = `{"${"a".repeat(2000)}":[${Array(200).fill(1).join(",")}]}`
      const url = await serve(express.json({ type: () => true }), echo, answerError)
      const statusOf = async (body: string): Promise<unknown> =>
        (await fetch(url, { method: "POST", headers: { "content-type": type }, body })).status
      expect(await Promise.all([steep, wide, level(257), level(255)].map(statusOf))).toEqual([413, 413, 400, 200])
    },
  )

  /** Stands for a parser: multer makes a list of this length of the name `username[4294967294]`. */
  const parsedAs =
    (body: unknown): RequestHandler =>
    (req, _res, next) =>
      void req.resume().on("end", () => {
        req.body = body
        next()
      })

  it.each([...forms, "application/json"])(
    "is refused where a list lacks members: %s",
    { tags: ["threat:CT-07", "threat:CT-08"] },
    async (type) => {
      const username: unknown[] = []
      username[4_294_967_294] = "x"
      const short: unknown[] = []
      short[1] = "x"
      const statusOf = async (body: unknown): Promise<number> =>
        (
          await fetch(await serve(parsedAs(body), echo, answerError), {
            method: "POST",
            headers: { "content-type": type },
            body: "x",
          })
        ).status
      expect(await statusOf({ username })).toBe(400)
      expect(await statusOf({ username: { deep: [username] } })).toBe(400)
      expect(await statusOf({ short })).toBe(400)
      expect(await statusOf({ username: ["a", "b"] })).toBe(200)
    },
  )

  it.each([...forms, "application/json"])(
    "may have no more members that are empty and shared: %s",
    { tags: ["threat:CT-08"] },
    async (type) => {
      let shared: unknown = []
      for (let level = 0; level < 60; level++) shared = [shared, shared]
      const answer = await fetch(await serve(parsedAs({ shared }), echo, answerError), {
        method: "POST",
        headers: { "content-type": type },
        body: "x",
      })
      expect(answer.status).toBe(413)
    },
  )

  it("that JSON cannot write is refused", { tags: ["threat:CT-07"] }, async () => {
    const circle: Record<string, unknown> = {}
    circle["a"] = circle
    for (const body of [{ a: 1n }, circle]) {
      const headers = { "content-type": "application/yaml" }
      const url = await serve(parsedAs(body), echo, answerError)
      expect((await fetch(url, { method: "POST", headers, body: "x" })).status).toBe(400)
    }
  })

  it("of JSON may have no more names that are long and shared", { tags: ["threat:CT-08"] }, async () => {
    const shared = { ["a".repeat(100_000)]: 1 }
    const url = await serve(parsedAs(Array(100).fill(shared)), echo, answerError)
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "x" })
    expect(answer.status).toBe(413)
  })

  it("is the decompressed one when a parser has decompressed it", async () => {
    const { gzipSync } = await import("node:zlib")
    const answer = await fetch(await serve(express.urlencoded(), echo), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" },
      body: gzipSync("a=b"),
    })
    expect(await answer.json()).toMatchObject({ text: "a=b", length: null })
  })

  it("of a parsed multipart form is made again with a boundary of its own", async () => {
    const parsed: RequestHandler = (req, _res, next) => {
      req.resume()
      req.on("end", () => {
        req.body = { email: "x@y.test" }
        next()
      })
    }
    const form = new FormData()
    form.append("email", "x@y.test")
    const answer = await fetch(await serve(parsed, echo), { method: "POST", body: form })
    expect(JSON.parse(((await answer.json()) as { text: string }).text)).toEqual([["email", "x@y.test"]])
  })

  it("is refused when something else has read it and left nothing: its reader learns why", async () => {
    const drain: RequestHandler = (req, _res, next) => void req.resume().on("end", () => next())
    const answer = await fetch(await serve(drain, echo, answerError), { method: "POST", body: "a=b" })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      type: "UnreadableRequest",
      says: expect.stringContaining("has been read already"),
    })
  })

  it("may be absent, before and after a parser", async () => {
    for (const before of [[], [express.json(), express.urlencoded()]]) {
      const answer = await fetch(await serve(...before, echo, answerError), { method: "POST" })
      expect(await answer.json()).toMatchObject({ text: "" })
    }
  })

  it("is refused when something else has read the beginning of it: a part is not the whole", async () => {
    const peek: RequestHandler = (req, _res, next) =>
      void req.once("data", () => {
        req.pause()
        next()
      })
    const url = await serve(peek, echo, answerError)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const upload = send(url, { method: "POST", headers: { "content-type": "text/plain" } }, (answer) => {
        resolve(answer.statusCode)
        upload.end("end")
      })
      upload.on("error", reject)
      upload.write("beginning")
    })
    expect(status).toBe(400)
  })

  it("leaves pseudo headers of HTTP/2 out", () => {
    const req = { method: "GET", headers: { ":authority": "app.test", accept: "text/html" } }
    expect([...toWebRequest(req as never).headers]).toEqual([["accept", "text/html"]])
  })

  it("never reaches GET and HEAD", async () => {
    const url = await serve(echo)
    expect(await (await fetch(url)).json()).toMatchObject({ method: "GET", text: "" })
  })

  it("can be refused half way: the answer still arrives", async () => {
    const refuse: RequestHandler = async (req, res) => {
      const request = toWebRequest(req)
      const reader = request.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      writeServerResponse(response(req.ip ? 413 : 500, "too large"), res)
    }
    const url = await serve(refuse)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const upload = send(url, { method: "POST" }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
        upload.destroy()
      })
      upload.on("error", reject)
      for (let i = 0; i < 8; i++) upload.write(Buffer.alloc(64 * 1024))
    })
    expect(status).toBe(413)
  })
})

describe("the response", () => {
  it("keeps each cookie a field of its own, beside those set before", async () => {
    const answer: RequestHandler = async (_req, res) => {
      res.setHeader("Set-Cookie", "mine=1")
      const cookies = ["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=2; Path=/"]
      writeServerResponse({ ...response(302, null), headers: { "X-Any": "x" }, cookies }, res)
    }
    const got = await fetch(await serve(answer), { redirect: "manual" })
    expect(got.headers.getSetCookie()).toEqual(["mine=1", "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=2; Path=/"])
    expect(got.headers.get("content-type")).toBeNull()
    expect(got.headers.get("x-any")).toBe("x")
  })

  it("answers HEAD without a body", async () => {
    const answer: RequestHandler = (_req, res) => writeServerResponse(response(200, "body"), res)
    const url = await serve(answer)
    const got = await fetch(url, { method: "HEAD" })
    expect(got.status).toBe(200)
    expect(await got.text()).toBe("")
  })

  it("is dropped when somebody else has answered already", async () => {
    const url = await serve(async (_req: IncomingMessage, res: ServerResponse) => {
      res.end("first")
      writeServerResponse(response(500, "second"), res as never)
    })
    expect(await (await fetch(url)).text()).toBe("first")
  })
})
