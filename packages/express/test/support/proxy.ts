/** What stands in front of an application in production: it ends TLS, and tells the application about it in headers. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { createServer as createTlsServer, Agent as TlsAgent } from "node:https"
import type { AddressInfo } from "node:net"
import { type Certificate, makeCertificate } from "./certificate.js"

/** What answers requests: an application, or a proxy. */
export type Listener = (req: IncomingMessage, res: ServerResponse) => void

/** A running proxy, or the application itself: where to connect, and how it is addressed. */
export interface Front {
  readonly port: number
  /** Keeps connections to it open. */
  readonly agent: Agent
  /** Absent without TLS. */
  readonly certificate?: Certificate
  close(): void
}

/** Starts a proxy that ends TLS for a host and hands on to a local port. */
export async function startTlsProxy(host: string, target: number): Promise<Front> {
  const inner = new Agent({ keepAlive: true })
  const front = await serveWithTls(host, (req, res) => handOn({ req, res, target, agent: inner }))
  return {
    ...front,
    close() {
      inner.destroy()
      front.close()
    },
  }
}

/** Serves an application with TLS of its own. */
export async function serveWithTls(host: string, listener: Listener): Promise<Front> {
  const certificate = makeCertificate(host)
  const agent = new TlsAgent({ keepAlive: true })
  // A connection that is closed for being idle, at the moment it is used again, fails the test and nothing else.
  const server = createTlsServer(certificate, listener)
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    agent,
    certificate,
    close() {
      agent.destroy()
      server.close().closeAllConnections()
    },
  }
}

interface Handed {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly target: number
  readonly agent: Agent
}

/** As nginx is usually configured: Host is the internal name, and X-Forwarded-Host holds the public one. */
function handOn({ req, res, target, agent }: Handed): void {
  const headers = {
    ...req.headers,
    host: "inner.internal:8080",
    "x-forwarded-host": req.headers.host,
    "x-forwarded-proto": "https",
    "x-forwarded-for": "203.0.113.7",
  }
  const { method, url: path } = req
  const inner = request({ host: "127.0.0.1", port: target, method, path, headers, agent }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(res)
  })
  inner.on("error", () => res.destroy())
  req.pipe(inner)
}

/** What listens on a local port, without anything before it. */
export function frontOf(port: number, close: () => void): Front {
  const agent = new Agent({ keepAlive: true })
  return {
    port,
    agent,
    close() {
      agent.destroy()
      close()
    },
  }
}

/** Serves an application without anything before it. */
export async function serveDirectly(listener: Listener): Promise<Front> {
  const server = createServer(listener)
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return frontOf((server.address() as AddressInfo).port, () => server.close().closeAllConnections())
}
