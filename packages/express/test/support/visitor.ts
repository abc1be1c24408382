/** A browser that calls an application by its public name, wherever that application really listens, and keeps cookies. */
import { type IncomingMessage, type RequestOptions, request } from "node:http"
import { request as tlsRequest } from "node:https"
import type { Front } from "./proxy.js"

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly cookies: readonly string[]
  readonly text: string
}

/** What is sent beside the path. */
export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** Where a visitor goes. */
export interface Visit {
  readonly front: Front
  readonly host: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Keeps the cookies of one browser. */
export class Visitor {
  readonly origin: string
  readonly cookies: Map<string, string> = new Map()
  readonly #visit: Visit

  constructor(visit: Visit) {
    this.#visit = visit
    this.origin = `${visit.front.certificate ? "https" : "http"}://${visit.host}`
  }

  async ask(path: string, sent: Sent = {}): Promise<Answer> {
    const { body, type } = bodyOf(sent)
    const answer = await this.#send(path, body, {
      method: sent.method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...this.#visit.headers,
        ...(type && { "content-type": type, "content-length": String(Buffer.byteLength(body ?? "")) }),
        host: this.#visit.host,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...sent.headers,
      },
    })
    for (const line of answer.cookies) this.#keep(line)
    return answer
  }

  async json<T>(path: string): Promise<T> {
    return JSON.parse((await this.ask(path)).text) as T
  }

  #send(path: string, body: string | undefined, options: RequestOptions): Promise<Answer> {
    const { front, host } = this.#visit
    const where = { ...options, host: "127.0.0.1", port: front.port, path, agent: front.agent }
    return new Promise((resolve, reject) => {
      const arrived = (message: IncomingMessage): void => {
        let text = ""
        message.setEncoding("utf8")
        message.on("data", (chunk: string) => {
          text += chunk
        })
        const { headers, statusCode: status = 0 } = message
        message.on("end", () => resolve({ status, headers, cookies: headers["set-cookie"] ?? [], text }))
        message.on("error", reject)
      }
      // The certificate is verified, as a browser would.
      const sending = front.certificate
        ? tlsRequest({ ...where, servername: host, ca: front.certificate.cert }, arrived)
        : request(where, arrived)
      sending.on("error", reject)
      sending.end(body)
    })
  }

  #keep(line: string): void {
    const [pair = ""] = line.split(";", 1)
    const at = pair.indexOf("=")
    const name = pair.slice(0, at)
    // A browser takes no Secure cookie from plain http (RFC 6265bis §5.7).
    if (/; *secure/i.test(line) && !this.#visit.front.certificate) return
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(at + 1))
  }
}

function bodyOf({ form, json }: Sent): { body?: string; type?: string } {
  if (form) return { body: new URLSearchParams(form).toString(), type: "application/x-www-form-urlencoded" }
  return json === undefined ? {} : { body: JSON.stringify(json), type: "application/json" }
}
