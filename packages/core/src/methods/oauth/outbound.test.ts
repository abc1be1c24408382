/** Time limits of calls, limits of responses, and URLs that must not be called. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it, vi } from "vitest"
import { oauthAt, oidcAt, openDesk, refusalOf, signIn } from "../../../test/support/oauth-desk.js"
import { json, type OpEndpoint, openOp } from "../../../test/support/op.js"
import { openOutbound } from "./outbound.js"

const endpoints: OpEndpoint[] = ["discovery", "jwks", "token", "userinfo"]
const never = (): Promise<Response> => new Promise(() => undefined)
const timeout = 0.15

/** An answer whose body goes on in small pieces until it is cancelled. */
function trickle(cancelled: () => void = () => undefined): Response {
  let timer: ReturnType<typeof setInterval>
  const body = new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(new Uint8Array([32])), 20)
    },
    cancel: () => {
      clearInterval(timer)
      cancelled()
    },
  })
  return new Response(body, { headers: { "content-type": "application/json" } })
}

describe("a provider that does not answer", () => {
  it.each(endpoints)(
    "at its endpoint %s ends with a time-out",
    { tags: ["threat:FI-02", "threat:FI-03", "threat:FI-04", "threat:M8-11"] },
    async (endpoint) => {
      for (const fault of [never, () => trickle()]) {
        const op = await openOp()
        const desk = openDesk(oidcAt(op, { timeout, idToken: false }))
        op.faults[endpoint] = fault
        const started = performance.now()
        const error = await refusalOf(signIn(desk, op))
        expect([error.type, performance.now() - started < 2000]).toEqual(["ProviderUnavailable", true])
      }
    },
  )

  it("ends with a time-out where the event loop was held up meanwhile", { tags: ["threat:FP-12"] }, async () => {
    const op = await openOp()
    op.faults.token = () => {
      const end = performance.now() + 2000
      while (performance.now() < end);
      return never()
    }
    const started = performance.now()
    const error = await refusalOf(signIn(openDesk(oidcAt(op, { timeout })), op))
    expect([error.type, performance.now() - started < 3500]).toEqual(["ProviderUnavailable", true])
  })

  it("gets no more time if it is called twice", { tags: ["threat:FI-10"] }, async () => {
    const op = await openOp()
    const slow: typeof op.faults.token = async (_, honest) => {
      await new Promise((resolve) => setTimeout(resolve, 600))
      return honest()
    }
    const desk = openDesk(oauthAt(op, { timeout: 1 }))
    op.faults = { token: slow, userinfo: slow }
    expect((await refusalOf(signIn(desk, op))).type).toBe("ProviderUnavailable")
    op.faults = { token: slow }
    expect((await signIn(desk, op)).kind).toBe("proof")
  })

  it("lets go of the connection", async () => {
    let released = false
    const op = await openOp()
    op.faults.token = () =>
      trickle(() => {
        released = true
      })
    await refusalOf(signIn(openDesk(oauthAt(op, { timeout })), op))
    expect(released).toBe(true)
  })

  it("passes the deadline to fetch, so that sockets close", { tags: ["threat:FI-02"] }, async () => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const { port } = server.address() as AddressInfo
    const op = await openOp()
    const provider = { ...oauthAt(op, { timeout, token: `http://127.0.0.1:${port}/token` }) } as Record<symbol, unknown>
    for (const symbol of Object.getOwnPropertySymbols(provider)) delete provider[symbol]
    const closed = new Promise((resolve) => server.on("connection", (socket) => socket.on("close", resolve)))
    const error = await refusalOf(signIn(openDesk(provider as never), op))
    expect(error.type).toBe("ProviderUnavailable")
    await closed
    server.close()
  })
})

describe("a provider that says too much", () => {
  it.each(endpoints)(
    "at its endpoint %s is cut off at a mebibyte",
    { tags: ["threat:FI-05", "threat:M8-11"] },
    async (endpoint) => {
      let sent = 0
      let cancelled = false
      const flood = (): Response => {
        const body = new ReadableStream({
          pull: (controller) => {
            sent += 65_536
            controller.enqueue(new Uint8Array(65_536).fill(32))
          },
          cancel: () => {
            cancelled = true
          },
        })
        return new Response(body, { headers: { "content-type": "application/json" } })
      }
      const op = await openOp()
      op.faults[endpoint] = flood
      const error = await refusalOf(signIn(openDesk(oidcAt(op, { idToken: false })), op))
      expect(error.message).toContain("larger than 1048576 bytes")
      expect([cancelled, sent < 3 * 1024 * 1024]).toEqual([true, true])
    },
  )

  it("is refused by the announced length already", { tags: ["threat:FI-05"] }, async () => {
    const op = await openOp()
    op.faults.discovery = () => new Response("{}", { headers: { "content-length": String(2 ** 30) } })
    expect((await refusalOf(openDesk(oidcAt(op)).begin())).message).toContain("larger")
  })
})

describe("a replaced fetch", () => {
  it("may answer with streams of its own kind, within the same limits", async () => {
    const answer = async (honest: () => Promise<Response>, size = 0): Promise<Response> => {
      const { status, headers } = await honest()
      const bytes = new TextEncoder().encode((await (await honest()).text()) + " ".repeat(size))
      const foreign = { status, headers, body: { pipe: () => undefined }, arrayBuffer: async () => bytes.buffer }
      return foreign as unknown as Response
    }
    const op = await openOp()
    op.faults.discovery = (_, honest) => answer(honest)
    expect((await openDesk(oidcAt(op)).begin()).url.host).toBe("op.test")
    op.faults.discovery = (_, honest) => answer(honest, 2 ** 20)
    expect((await refusalOf(openDesk(oidcAt(op)).begin())).message).toContain("larger")
  })
})

describe("addresses", () => {
  it.each([
    "http://op.test/x",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://169.254.169.254/",
    "http://[fd00:ec2::254]/",
    "http://0.0.0.0/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::ffff:169.254.169.254]/",
    "http://metadata.google.internal/",
    "http://100.100.100.200/",
    "http://[fe80::1]/",
    "http://127.0.0.1.nip.io/",
    "https://op.test@127.0.0.1/",
    "https://u:p@op.test/",
    "file:///etc/passwd",
    "gopher://op.test",
    "ftp://op.test",
    "data:text/plain,x",
    "javascript:1",
    "/path",
    "",
  ])(
    "%s is never called",
    {
      tags: [
        ...["threat:SS-04", "threat:SS-06", "threat:SS-07", "threat:SS-08", "threat:SS-09", "threat:SS-10"],
        ...["threat:SS-11", "threat:SS-12", "threat:SS-13", "threat:SS-15", "threat:SS-16", "threat:SS-18"],
        "threat:A-046",
      ],
    },
    async (address) => {
      const op = await openOp()
      const desk = openDesk(oauthAt(op))
      const { fetch } = openOutbound((await desk.context("/auth/signin/op", { method: "POST" })).provider as never)
      await expect(fetch(address)).rejects.toThrow()
      expect(op.calls).toEqual([])
    },
  )

  it("that carry credentials are not even handed to fetch", { tags: ["threat:SS-16"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oauthAt(op))
    const { fetch } = openOutbound((await desk.context("/auth/signin/op", { method: "POST" })).provider as never)
    await expect(fetch("https://user@op.test/")).rejects.toThrow("contains credentials")
  })

  it.each(["http://localhost:1/", "http://127.0.0.1:1/", "http://[::1]:1/"])(
    "%s is called: it is loopback",
    async (address) => {
      const op = await openOp()
      const desk = openDesk(oauthAt(op))
      const { fetch } = openOutbound((await desk.context("/auth/signin/op", { method: "POST" })).provider as never)
      await expect(fetch(address)).rejects.toThrow()
      expect(op.calls.map(({ url }) => url)).toEqual([address])
    },
  )

  it("of a closed network are called where the provider allows it", async () => {
    const op = await openOp({ issuer: "http://op.internal" })
    expect((await signIn(openDesk(oidcAt(op, { allowInsecureRequests: true })), op)).kind).toBe("proof")
    expect(() => openDesk(oidcAt(op))).toThrow("https")
  })

  it("that an endpoint redirects to are not called, by the fetch of the runtime", {
    tags: ["threat:SS-19"],
  }, async () => {
    let hits = 0
    const inside = createServer((_, response) => {
      hits += 1
      response.end("{}")
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => inside.once("listening", resolve))
    const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/latest`
    const outside = createServer((_, response) => response.writeHead(302, { location }).end()).listen(0, "127.0.0.1")
    await new Promise((resolve) => outside.once("listening", resolve))
    const token = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/token`
    const op = await openOp()
    const provider = { ...oauthAt(op, { token }) } as Record<symbol, unknown>
    for (const symbol of Object.getOwnPropertySymbols(provider)) delete provider[symbol]
    const error = await refusalOf(signIn(openDesk(provider as never), op))
    for (const server of [inside, outside]) server.close()
    expect([error.type, hits]).toEqual(["OAuthCallbackError", 0])
  })

  it("are not followed elsewhere, even by a fetch that would", { tags: ["threat:FI-09", "threat:SS-19"] }, async () => {
    const op = await openOp()
    op.faults.token = () =>
      Object.defineProperty(json({ access_token: "a", token_type: "bearer" }), "redirected", { value: true })
    expect((await refusalOf(signIn(openDesk(oauthAt(op)), op))).message).toContain("redirects")
  })
})

/** What @hono/node-server puts in place of `Response`: it keeps the headers that it is given, and copies nothing. */
class KeepingResponse extends Response {
  readonly #given: Headers | undefined

  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(body, init)
    this.#given = init?.headers instanceof Headers ? init.headers : undefined
  }

  override get headers(): Headers {
    return this.#given ?? super.headers
  }
}

describe("under a server with a Response of its own", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("answers whose headers cannot be changed are read", async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    for (const endpoint of endpoints) {
      // The headers of what the real `fetch` answers with cannot be changed.
      op.faults[endpoint] = async (_call, honest) =>
        fetch(`data:application/json,${encodeURIComponent(await (await honest()).text())}`)
    }
    vi.stubGlobal("Response", KeepingResponse)
    await expect(signIn(desk, op)).resolves.toBeDefined()
  })
})
