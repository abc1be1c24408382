/** One application and one browser for a budget: every request is measured, and the last one is what the budget is about. */
import type { Adapter } from "@latchkey/core/adapters"
import { type SoftwarePasskey, softwarePasskey } from "@latchkey/testing"
import { vi } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Provider } from "../../src/types/provider.js"
import { openBrowser, type TestBrowser } from "../support/browser.js"
import { credentialsProvider } from "../support/credentials.js"
import { makeWorld, type World } from "../support/world.js"
import { type Counts, count, countingAdapter, measure, outside } from "./meter.js"

/** Where sessions live, and whether there is a store beside them. */
export type Store = "jwt" | "jwt with a store" | "database"

/** Where the requests of one budget are made. */
export interface Stage {
  readonly world: World
  readonly browser: TestBrowser
  readonly store: Store
  readonly authenticator: SoftwarePasskey
  /** The same application in the browser of somebody else. */
  someoneElse(): Stage
}

/** The request that was measured last. */
export interface Last {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Does the answer lead to where errors are shown? */
  readonly isRefused: boolean
  readonly counts: Counts
  readonly story: readonly string[]
}

/** The address of the person who signs in. */
export const address = "ada@op.test"

/** Opens the application. `last` tells of the newest request of any browser. */
export async function openStage(store: Store): Promise<{ stage: Stage; last: () => Last }> {
  let last: Last | undefined
  let world: World | undefined
  const inner = memoryAdapter()
  const fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input))
    count("outbound", `fetch ${pathname}`)
    return outside(() => (world as World).op.fetch(input, init))
  }
  world = await makeWorld(worldOf(store, { adapter: countingAdapter(inner), inner, fetch }))
  const { auth, mails } = world
  const handle = async (request: Request): Promise<Response> => {
    const before = mails.length
    const { counts, story, result } = await measure(() => auth.handle(request))
    const setCookies = result.headers.getSetCookie().length
    const sent = mails.length - before
    const all = { ...counts, ...(setCookies && { setCookies }), ...(sent && { mails: sent }) }
    last = {
      method: request.method,
      path: new URL(request.url).pathname,
      status: result.status,
      isRefused: /[?&]error=/.test(result.headers.get("location") ?? ""),
      counts: all,
      story,
    }
    return result
  }
  const open = (): Stage => ({
    world: world as World,
    store,
    browser: openBrowser(handle),
    authenticator: softwarePasskey(),
    someoneElse: open,
  })
  return {
    stage: open(),
    last() {
      if (!last) throw new Error("a request was expected, and none was made")
      return last
    },
  }
}

interface Parts {
  readonly adapter: Adapter
  readonly inner: Adapter
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
}

function worldOf(store: Store, { adapter, inner, fetch }: Parts): Parameters<typeof makeWorld>[0] {
  const provider = { [customFetch]: fetch } as Record<string, unknown>
  const known = async (): Promise<unknown> => (await inner.getUserByEmail?.(address)) ?? { id: "7", email: address }
  const authorize = ({ name, password }: Record<string, unknown>): unknown =>
    outside(() => (name === "ada" && password === "right" ? known() : null))
  const more: Provider[] = [
    { ...oauth2, id: "oauth2" },
    { ...oidc, id: "op-form", authorization: { params: { response_mode: "form_post" } } },
    {
      ...oauth2,
      id: "oauth2-form",
      authorization: { url: oauth2.authorization, params: { response_mode: "form_post" } },
    },
  ].map((one) => ({ ...one, [customFetch]: fetch }) as unknown as Provider)
  more.push(credentialsProvider(authorize))
  // Without a debug method: a logger that has one receives messages about every request.
  const logger = { error: () => undefined, warn: () => undefined }
  if (store === "jwt") return { adapter: false, strategy: "jwt", provider, more, config: { logger } }
  const config = { logger, experimental: { enableWebAuthn: true } }
  return { adapter, strategy: store === "database" ? "database" : "jwt", provider, more: [...more, Passkey()], config }
}

const op = "https://op.test"
const client = { clientId: "client", clientSecret: "secret-of-the-client-that-is-long" }

const oidc = { name: "Test OP", type: "oidc", issuer: op, ...client }

/** The fake provider without OpenID Connect: no discovery, no id_token, and the person comes from the userinfo endpoint. */
const oauth2 = {
  name: "OAuth 2",
  type: "oauth",
  ...client,
  authorization: `${op}/authorize`,
  token: `${op}/token`,
  userinfo: `${op}/userinfo`,
  profile: ({ sub, name, email }: Record<string, unknown>) => ({ id: sub, name, email }),
}

/** Lets so many seconds pass. */
export function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}
