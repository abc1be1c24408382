/** A simulated browser, as far as signing in needs one: it keeps cookies, sends forms and does not follow redirects. */

/** The service under test, as an application holds it. */
export interface Service {
  handle(request: Request): Promise<Response>
}

/** The response. */
export interface Answer {
  readonly status: number
  readonly text: string
  /** The redirect address. */
  readonly location: URL | undefined
}

/** One person at one browser. */
export interface Visitor {
  get(path: string): Promise<Answer>
  /** Sends a form with the CSRF token. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Answer>
  /** The e-mail address of the signed-in user. */
  whoami(): Promise<string | undefined>
  /** Uses another process from now on; cookies stay. */
  moveTo(service: Service): void
  /** What the browser keeps, to be put back with {@link Visitor.restore}. */
  save(): ReadonlyMap<string, string>
  restore(cookies: ReadonlyMap<string, string>): void
}

/** Where the application under test is. */
export const origin = "https://app.example"

/** Opens a browser that has no cookies yet. */
export function openVisitor(first: Service): Visitor {
  const jar = new Map<string, string>()
  let service = first
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = new Headers(init.headers)
    if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "))
    const response = await service.handle(new Request(new URL(path, origin), { ...init, headers }))
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    const location = response.headers.get("location")
    return {
      status: response.status,
      text: await response.text(),
      location: location === null ? undefined : new URL(location, origin),
    }
  }
  const get = (path: string): Promise<Answer> => send(path)
  return {
    get,
    async post(path, fields) {
      const { csrfToken } = JSON.parse((await get("/auth/csrf")).text) as { csrfToken: string }
      return send(path, { method: "POST", body: new URLSearchParams({ ...fields, csrfToken }) })
    },
    async whoami() {
      const { status, text } = await get("/auth/session")
      if (status !== 200) return undefined
      return (JSON.parse(text) as { user?: { email?: string } } | null)?.user?.email
    },
    moveTo(other) {
      service = other
    },
    save: () => new Map(jar),
    restore(cookies) {
      jar.clear()
      for (const [name, value] of cookies) jar.set(name, value)
    },
  }
}

/** Applies a `Set-Cookie` header. */
function keep(jar: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";")
  const [name = "", ...value] = pair.split("=")
  const [, end = ""] = /^\s*expires=(.*)$/i.exec(attributes.find((it) => /^\s*expires=/i.test(it)) ?? "") ?? []
  const isGone = attributes.some((it) => /^\s*max-age=0\s*$/i.test(it)) || Date.parse(end) <= 0
  if (isGone) jar.delete(name)
  else jar.set(name, value.join("="))
}
