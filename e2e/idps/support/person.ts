/** A person with a browser without a window: cookies by host, redirects, forms, and pages that submit themselves. */
import type { Application } from "./application.js"

/** A page as it was shown. */
export interface Page {
  readonly url: URL
  readonly status: number
  readonly text: string
}

interface Cookie {
  readonly value: string
  readonly isCrossSite: boolean
}

interface Step {
  readonly url: string
  readonly form?: URLSearchParams
  readonly init?: RequestInit
  /** Host of the page that led here. */
  readonly from: string | undefined
}

/** An answer of the provider, as the browser carried it. */
export interface Returned {
  readonly method: "GET" | "POST"
  readonly params: URLSearchParams
}

/** Somebody in front of the application. */
export interface Person {
  /** Begins a sign-in and follows it to the first page that waits for somebody. */
  begin(application: Application, parameters?: string): Promise<Page>
  /** Opens an address; `hold` ends the way before that host is asked. */
  open(url: string | URL, options?: { hold?: string }): Promise<Page>
  /** Fills in and sends the form of a page. */
  send(page: Page, fields: Readonly<Record<string, string>>, options?: { hold?: string }): Promise<Page>
  /** What a script of a page sends. */
  call(url: string, method: "POST" | "PUT", body: object): Promise<Response>
  /** The session as the application tells it. */
  session(application: Application): Promise<{ user?: { name?: string; email?: string } } | null>
  /** Every address the browser was sent to. */
  readonly way: readonly URL[]
  /** What the browser brought back to the application last. */
  returned(): Returned
}

/** A person with no cookies yet. */
export function newPerson(): Person {
  const jars = new Map<string, Map<string, Cookie>>()
  const way: URL[] = []
  let returned: Returned = { method: "GET", params: new URLSearchParams() }
  const cookies = (host: string): Map<string, Cookie> => {
    const jar = jars.get(host) ?? new Map<string, Cookie>()
    jars.set(host, jar)
    return jar
  }

  async function ask({ url, form, init, from }: Step): Promise<Response> {
    const { hostname } = new URL(url)
    // A form that another site posts carries only the cookies that say so (SameSite=None).
    const isCrossPost = form !== undefined && from !== undefined && from !== hostname
    const sent = [...cookies(hostname)].filter(([, cookie]) => !isCrossPost || cookie.isCrossSite)
    const headers = new Headers({ accept: "text/html", "accept-language": "en" })
    if (sent.length > 0) headers.set("cookie", sent.map(([name, { value }]) => `${name}=${value}`).join("; "))
    if (init) headers.set("content-type", "application/json")
    if (form && from !== undefined) headers.set("origin", from === hostname ? new URL(url).origin : "null")
    const response = await fetch(url, {
      headers,
      redirect: "manual",
      ...(form ? { method: "POST", body: form } : init),
    })
    for (const line of response.headers.getSetCookie()) keep(cookies(hostname), line)
    return response
  }

  async function follow(first: Step, hold?: string): Promise<Page> {
    let step = first
    for (let count = 0; count < 15; count += 1) {
      const url = new URL(step.url)
      way.push(url)
      if (url.pathname.endsWith("/callback/idp"))
        returned = { method: step.form ? "POST" : "GET", params: step.form ?? url.searchParams }
      if (url.host === hold) return { url, status: 0, text: String(step.form ?? "") }
      const response = await ask(step)
      const text = await response.text()
      const location = response.headers.get("location")
      const isSelfSent = /onload\s*=\s*"[^"]*submit\(\)/i.test(text)
      if (location !== null) step = { url: new URL(location, url).href, from: url.hostname }
      else if (isSelfSent) step = filledIn({ url, text, status: response.status }, {})
      else return { url, status: response.status, text }
    }
    throw new Error(`The browser was sent round in circles: ${way.slice(-5).join(" ")}`)
  }

  return {
    way,
    returned: () => returned,
    call: (url, method, body) => ask({ url, from: undefined, init: { method, body: JSON.stringify(body) } }),
    open: (url, { hold } = {}) => follow({ url: String(url), from: undefined }, hold),
    send: (page, fields, { hold } = {}) => follow(filledIn(page, fields), hold),
    async begin({ origin }, parameters = "") {
      const response = await ask({ url: `${origin}/auth/csrf`, from: undefined })
      const { csrfToken } = (await response.json()) as { csrfToken: string }
      const form = new URLSearchParams({ csrfToken, callbackUrl: `${origin}/home` })
      return follow({ url: `${origin}/auth/signin/idp${parameters}`, form, from: "localhost" })
    },
    async session({ origin }) {
      const response = await ask({ url: `${origin}/auth/session`, from: undefined })
      return (await response.json()) as { user?: { name?: string; email?: string } } | null
    },
  }
}

function keep(jar: Map<string, Cookie>, line: string): void {
  const [pair = "", ...attributes] = line.split(";")
  const name = pair.slice(0, pair.indexOf("="))
  const value = pair.slice(name.length + 1)
  const said = (pattern: RegExp): boolean => attributes.some((attribute) => pattern.test(attribute.trim()))
  if (said(/^max-age=0$/i) || said(/^expires=[a-z]+, 0?1[- ]jan[- ]1970/i)) jar.delete(name)
  else jar.set(name, { value, isCrossSite: said(/^samesite=none$/i) })
}

/** The first form of a page, with its hidden fields and these. */
function filledIn({ url, text }: Page, fields: Readonly<Record<string, string>>): Step & { form: URLSearchParams } {
  const action = /<form\b[^>]*\baction="([^"]*)"/i.exec(text)?.[1]
  if (action === undefined) throw new Error(`The page at ${url.href} has no form: ${text.slice(0, 300)}`)
  const hidden = [...text.matchAll(/<input\b[^>]*>/gi)].map(([tag]) => tag).filter((tag) => /type="hidden"/i.test(tag))
  const attribute = (tag: string, name: string): string =>
    unescaped(new RegExp(`\\b${name}="([^"]*)"`, "i").exec(tag)?.[1] ?? "")
  const form = new URLSearchParams(hidden.map((tag) => [attribute(tag, "name"), attribute(tag, "value")]))
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return { url: new URL(unescaped(action), url).href, form, from: url.hostname }
}

function unescaped(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
}
