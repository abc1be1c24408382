/** A person with a browser in front of a server: on the developer's machine, or behind a proxy that ends TLS. */
import { type IncomingMessage, request as send } from "node:http"
import { type Handler, openBrowser, type TestBrowser } from "../../packages/core/test/support/browser.js"

/** The address people see when a proxy stands in between. */
export const publicOrigin = "https://app.example"

/** How a server is visited. */
export interface VisitOptions {
  readonly proxied?: boolean
  readonly basePath?: string | undefined
}

/** Opens a browser on the server at `port`. `proxied`: through a proxy that ends TLS and calls it by another name. */
export function visit(port: number, { proxied = false, basePath = "/auth" }: VisitOptions = {}): TestBrowser {
  const origin = proxied ? publicOrigin : `http://127.0.0.1:${port}`
  const way: Readonly<Record<string, string>> = proxied
    ? { host: "inner:8080", "x-forwarded-host": "app.example", "x-forwarded-proto": "https" }
    : { host: `127.0.0.1:${port}` }
  const handle: Handler = async (request) => {
    // As browsers do with every form.
    const ofForms = request.method === "POST" ? { origin } : {}
    const headers = { ...Object.fromEntries(request.headers), ...way, ...ofForms }
    return pass(request, { port, headers })
  }
  return openBrowser(handle, { origin, basePath })
}

async function pass(
  request: Request,
  { port, headers }: { port: number; headers: Readonly<Record<string, string>> },
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const body = Buffer.from(await request.arrayBuffer())
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = pathname + search
    const sent = send({ host: "127.0.0.1", port, path, method: request.method, agent: false, headers }, resolve)
    sent.once("error", reject)
    sent.end(body)
  })
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const received = new Headers()
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    received.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "")
  const isEmpty = answer.statusCode === 204 || answer.statusCode === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status: answer.statusCode ?? 500, headers: received })
}

/** The fields of the form on a page that posts to an action of the service. */
export function fieldsOf(page: string): Record<string, string> {
  const inputs = page.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)
  return Object.fromEntries(
    [...inputs].map(([input]) => [/name="([^"]*)"/.exec(input)?.[1] ?? "", /value="([^"]*)"/.exec(input)?.[1] ?? ""]),
  )
}
