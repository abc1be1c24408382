/** How the browser talks to the service: requests below the base path, answers as values, and where the page goes next. */
import { isUrl } from "../std/url.js"

/** How a client is made. */
export interface ClientOptions {
  /** Where the service is mounted. @default "/auth" */
  readonly basePath?: string
  /** Sends the requests. @default the runtime's own, looked up at each call */
  readonly fetch?: (input: string, init?: RequestInit) => Promise<Response>
  /** Sends the person to an address, which is always http(s). @default the page's location */
  readonly navigate?: (url: string) => void
}

/** What the service answered. */
export interface Answer {
  readonly status: number
  readonly ok: boolean
  /** The JSON of the body; `undefined` when there is none. */
  readonly data: unknown
}

/** The service answered with an error, which does not mean that the visitor is signed out. */
export class ClientError extends Error {
  override readonly name = "ClientError"
  /** HTTP status. */
  readonly status: number
  /** Public name of the error. */
  readonly error: string | undefined
  /** Names this failure in the log of the server. */
  readonly incident: string | undefined

  constructor(message: string, { status, data }: Answer) {
    super(textMember(data, "message") ?? message)
    this.status = status
    this.error = textMember(data, "error")
    this.incident = textMember(data, "incident")
  }
}

/** A connection to the service. */
export interface Connection {
  /** Address of something below the base path. */
  url(path: string): string
  /** Is it an address of this page's origin, or of the service's? */
  isOwn(address: URL): boolean
  get(path: string): Promise<Answer>
  /** Posts fields as a form; asks for the address to go to instead of a redirect. */
  post(path: string, fields: Readonly<Record<string, unknown>>): Promise<Answer>
  /** Posts JSON. */
  postJson(path: string, body: unknown): Promise<Answer>
  /** The token of the service's CSRF protection; `undefined` where the protection is switched off. */
  csrfToken(): Promise<string | undefined>
  navigate(url: string): void
}

/** Opens a connection. */
export function connect({ basePath = "/auth", fetch, navigate = goTo }: ClientOptions): Connection {
  const base = basePath.replace(/\/+$/, "")
  const url = (path: string): string => `${base}/${path}`
  const ask = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await (fetch ?? globalThis.fetch)(url(path), init)
    return { status: response.status, ok: response.ok, data: await response.json().catch(() => undefined) }
  }
  const post = (path: string, body: string, type: string): Promise<Answer> =>
    ask(path, { method: "POST", body, headers: { "content-type": type, "x-auth-return-redirect": "1" } })
  return {
    url,
    isOwn: ({ origin }) => origin === pageAddress().origin || origin === webAddress(url(""))?.origin,
    get: (path) => ask(path),
    post: (path, fields) => post(path, formOf(fields), "application/x-www-form-urlencoded"),
    postJson: (path, body) => post(path, JSON.stringify(body), "application/json"),
    async csrfToken() {
      const answer = await ask("csrf")
      if (answer.status === 404) return undefined
      const token = textMember(answer.data, "csrfToken")
      if (!answer.ok || token === undefined) throw new ClientError("The server returned no CSRF token.", answer)
      return token
    },
    navigate,
  }
}

/** A member of a JSON object, when it is a string. */
export function textMember(data: unknown, name: string): string | undefined {
  const value: unknown = typeof data === "object" && data !== null ? (data as Record<string, unknown>)[name] : undefined
  return typeof value === "string" ? value : undefined
}

/** Where the user goes afterwards by default: the `callbackUrl` of the page, else the page itself. */
export function returnAddress(): string | undefined {
  const { location } = globalThis as { location?: Location }
  return location && (new URLSearchParams(location.search).get("callbackUrl") ?? location.href)
}

/** The URL that a browser would resolve a string to on this page, when it is http(s). */
export function webAddress(text: string): URL | undefined {
  const page = pageAddress()
  const address = isUrl(text, page.href) ? new URL(text, page) : undefined
  return address && /^https?:$/.test(address.protocol) ? address : undefined
}

/** Where there is no page, relative addresses still have to be read against something. */
function pageAddress(): URL {
  const { location } = globalThis as { location?: Location }
  return new URL(location?.href ?? "http://localhost")
}

function formOf(fields: Readonly<Record<string, unknown>>): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) form.set(name, String(value))
  }
  return form.toString()
}

function goTo(url: string): void {
  location.assign(url)
  // An address that differs by its fragment only would not be loaded.
  if (url.includes("#")) location.reload()
}
