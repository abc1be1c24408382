/** A SvelteKit application without SvelteKit: events as it makes them, a hook, pages, and a browser with cookies. */

import { CredentialsSignin } from "@latchkey/core/errors"
import { memoryAdapter } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import type { Session } from "@latchkey/core/types"
import { isRedirect, type RequestEvent } from "@sveltejs/kit"
import { switchedRecords } from "../../../core/test/support/records-away.js"
import { createSvelteKitAuth, type SvelteKitAuthResult } from "../../src/server/create.js"
import type { ConfigSource, SvelteKitAuthConfig } from "../../src/server/service.js"
import type { Surroundings } from "../../src/server/surroundings.js"

export const secret = "0123456789abcdef0123456789abcdef"
export const origin = "https://app.test"

const silent = { error: () => {}, warn: () => {}, debug: () => {} }

export function config(more: Partial<SvelteKitAuthConfig> = {}): SvelteKitAuthConfig {
  return {
    secret,
    trustHost: true,
    logger: silent,
    providers: [
      Credentials({
        credentials: { name: {}, password: { type: "password" } },
        authorize: ({ name, password }) => {
          if (password !== "right") throw new CredentialsSignin()
          return { id: "1", name: String(name) }
        },
      }),
      {
        id: "git",
        name: "Git",
        type: "oauth",
        clientId: "c",
        clientSecret: "s",
        authorization: "https://git.test/in",
        token: "https://git.test/token",
        userinfo: "https://git.test/me",
      },
    ],
    ...more,
  }
}

export function surroundings(more: Partial<Surroundings> = {}): Surroundings {
  return { isBuilding: () => false, kitBase: "", environment: async () => ({}), ...more }
}

/** Builds the service into an application that runs. */
export function application(source: ConfigSource = config(), more: Partial<Surroundings> = {}): SvelteKitAuthResult {
  return createSvelteKitAuth(source, surroundings(more))
}

export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly options: Readonly<Record<string, unknown>>
}

/** An event, the cookies that were set on it, and what ends the time in which they can be. */
export interface Staged {
  readonly event: RequestEvent
  readonly set: SetCookie[]
  finish(): void
}

/** Makes an event. After `finish` no cookie can be set, as in SvelteKit. */
export function stage(request: Request, locals: object = {}): Staged {
  const set: SetCookie[] = []
  let isOver = false
  const cookies = {
    getAll: ({ decode = decodeURIComponent }: { decode?: (value: string) => string } = {}) => [
      ...[...cookiesOf(request, decode)].filter(([name]) => set.every((one) => one.name !== name)).map(pair),
      ...new Map(set.map(({ name, value }) => [name, { name, value }])).values(),
    ],
    get(name: string): string | undefined {
      const last = set.findLast((one) => one.name === name)
      if (last) return last.options["maxAge"] === 0 ? undefined : last.value
      return cookiesOf(request, decodeURIComponent).get(name)
    },
    set(name: string, value: string, options: SetCookie["options"]) {
      if (isOver) throw new Error("Cannot use `cookies.set(...)` after the response has been generated")
      set.push({ name, value, options })
    },
    serialize: (name: string, value: string, { domain, path }: SetCookie["options"]) =>
      `${name}=${encodeURIComponent(value)};${domain ? ` Domain=${String(domain)};` : ""} Path=${String(path)}`,
  }
  const event = { request, url: new URL(request.url), locals, cookies, route: { id: null } }
  const finish = (): void => {
    isOver = true
  }
  return { event: event as unknown as RequestEvent, set, finish }
}

export type Page = (event: RequestEvent) => Response | Promise<Response>

const empty: Page = () => new Response("page")

/** Asks an application, and keeps the cookies. */
export class Browser {
  readonly #cookies = new Map<string, string>()
  readonly #app: Pick<SvelteKitAuthResult, "handle">
  readonly origin: string

  constructor(app: Pick<SvelteKitAuthResult, "handle">, at: string = origin) {
    this.#app = app
    this.origin = at
  }

  /** Passes a request through the hook; what is left to the application, the page answers. */
  async visit(path: string, page: Page = empty, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#cookies.size > 0) headers.set("cookie", this.header)
    const staged = stage(new Request(new URL(path, this.origin), { ...init, headers }))
    const response = await this.#app.handle({
      event: staged.event,
      resolve: async (event) => {
        const answer = await answerOf(page, event)
        staged.finish()
        return answer
      },
    })
    for (const { name, value } of staged.set) this.#keep(name, encodeURIComponent(value))
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/s)
      this.#keep(name, value)
    }
    return response
  }

  /** Sends a form from a page of the application. */
  post(path: string, form: Record<string, string> = {}, page: Page = empty): Promise<Response> {
    const headers = { origin: this.origin }
    return this.visit(path, page, { method: "POST", body: new URLSearchParams(form), headers })
  }

  /** The cookies, as they are sent. */
  get header(): string {
    return [...this.#cookies].map((one) => one.join("=")).join("; ")
  }

  has(part: string): boolean {
    return [...this.#cookies.keys()].some((name) => name.includes(part))
  }

  #keep(name: string, value: string): void {
    if (value === "") this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

/** As SvelteKit does it: a redirect that is thrown becomes an answer, and so does what an action returns. */
async function answerOf(page: Page, event: RequestEvent): Promise<Response> {
  try {
    return await page(event)
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown
    return new Response(null, { status: thrown.status, headers: { location: thrown.location } })
  }
}

/** A page that shows the signed-in user. */
export const who: Page = async ({ locals }) => Response.json(await locals.auth())

/** A page whose action does something and tells what came of it. */
export function acting(action: (event: RequestEvent) => Promise<unknown>): Page {
  return async (event) => Response.json(((await action(event)) as object | undefined) ?? null)
}

/** Who a page says is here. */
export async function nameIn(response: Response): Promise<string | null | undefined> {
  return ((await response.json()) as Session | null)?.user?.name
}

function cookiesOf(request: Request, decode: (value: string) => string): Map<string, string> {
  const header = request.headers.get("cookie") ?? ""
  const pairs = header
    .split("; ")
    .filter(Boolean)
    .map((text) => text.split(/=(.*)/s))
  // Of several cookies with one name the first counts.
  return new Map(pairs.toReversed().map(([name = "", value = ""]) => [name, decode(value)]))
}

function pair([name, value]: [string, string]): { name: string; value: string } {
  return { name, value }
}

/** A store that cannot remove records while it is away. */
export const switchedStore = () => switchedRecords(memoryAdapter(), "takeRecord")
