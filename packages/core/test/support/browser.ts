/** A browser without a window: a cookie jar in front of a handler, with forms and redirects. */

/** What takes a request and answers it. */
export type Handler = (request: Request) => Promise<Response>

interface StoredCookie {
  readonly value: string
  readonly secure: boolean
  readonly path: string
  readonly expires: number
}

/** A page or an answer that was received. */
export interface Visit {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Names of the cookies this answer set or cleared. */
  readonly setCookies: readonly string[]
  /** Where it redirects to, absolute. */
  readonly location: string | undefined
}

/** A browser on one application. */
export interface TestBrowser {
  readonly jar: Map<string, StoredCookie>
  cookie(name: string): string | undefined
  setCookie(name: string, value: string): void
  get(path: string, headers?: Record<string, string>): Promise<Visit>
  /** Posts a form; the CSRF token is fetched and added unless `csrf: false`. */
  post(
    path: string,
    fields?: Record<string, string>,
    options?: { csrf?: boolean; json?: boolean; headers?: Record<string, string> },
  ): Promise<Visit>
  /** Sends any request with the jar's cookies. */
  send(path: string, init: RequestInit): Promise<Visit>
  csrfToken(): Promise<string>
  session(): Promise<unknown>
}

/** Opens a browser on the application at `origin` whose service answers below `basePath`. */
export function openBrowser(handle: Handler, { origin = "https://app.test", basePath = "/auth" } = {}): TestBrowser {
  const jar = new Map<string, StoredCookie>()
  const isSecure = origin.startsWith("https:")

  const cookieHeader = (): string =>
    [...jar]
      .filter(([, cookie]) => isSecure || !cookie.secure || origin.includes("localhost"))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ")

  const send = async (path: string, init: RequestInit): Promise<Visit> => {
    const url = new URL(path, origin).href
    const headers = new Headers(init.headers)
    const cookies = cookieHeader()
    if (cookies && !headers.has("cookie")) headers.set("cookie", cookies)
    const response = await handle(new Request(url, { ...init, headers, redirect: "manual" }))
    const setCookies = response.headers.getSetCookie()
    for (const line of setCookies) storeCookie(jar, line)
    const location = response.headers.get("location")
    return {
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      setCookies: setCookies.map((line) => line.slice(0, line.indexOf("="))),
      location: location === null ? undefined : new URL(location, url).href,
    }
  }

  const csrfToken = async (): Promise<string> => {
    const visit = await send(`${basePath}/csrf`, {})
    return (JSON.parse(visit.text) as { csrfToken: string }).csrfToken
  }

  return {
    jar,
    cookie: (name) => jar.get(name)?.value,
    setCookie: (name, value) => void jar.set(name, { value, secure: isSecure, path: "/", expires: Infinity }),
    get: (path, headers = {}) => send(path, { headers }),
    send,
    csrfToken,
    post: async (path, fields = {}, options = {}) => {
      const body = options.csrf === false ? fields : { csrfToken: await csrfToken(), ...fields }
      return send(path, {
        method: "POST",
        headers: {
          "content-type": options.json ? "application/json" : "application/x-www-form-urlencoded",
          ...options.headers,
        },
        body: options.json ? JSON.stringify(body) : new URLSearchParams(body).toString(),
      })
    },
    session: async () => JSON.parse((await send(`${basePath}/session`, {})).text) as unknown,
  }
}

function storeCookie(jar: Map<string, StoredCookie>, line: string): void {
  const [pair = "", ...attributes] = line.split("; ")
  const name = pair.slice(0, pair.indexOf("="))
  const value = pair.slice(pair.indexOf("=") + 1)
  const attribute = (key: string): string | undefined =>
    attributes.find((entry) => entry.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
  const expires = attribute("expires")
  const maxAge = attribute("max-age")
  const isGone = maxAge === "0" || (expires !== undefined && Date.parse(expires) <= Date.now())
  if (isGone) jar.delete(name)
  else
    jar.set(name, {
      value,
      secure: attributes.some((entry) => entry.toLowerCase() === "secure"),
      path: attribute("path") ?? "/",
      expires: expires === undefined ? Infinity : Date.parse(expires),
    })
}
