/** Signing in and out, and updating the session, from server actions and route handlers. */
import type { AuthSource, RedirectAnswer } from "@latchkey/core"
import { isAuthError } from "@latchkey/core/errors"
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { Cookie, Session } from "@latchkey/core/types"
import { clientAddress, sourceOf } from "./address.js"
import { currentHeaders, setCookies } from "./cookies.js"
import type { AuthorizationParams, SignInOptions, SignOutOptions } from "./object.js"
import type { Find } from "./source.js"

/** A sign-in as it is called. */
export interface SignInGiven {
  readonly provider?: string | undefined
  readonly options?: FormData | SignInOptions | undefined
  readonly params?: AuthorizationParams | undefined
}

/** Begins a sign-in, for credentials completes it. Returns the address, or leaves for it. */
export async function signIn(find: Find, { provider, options = {}, params }: SignInGiven): Promise<string> {
  const { service } = await find()
  const { source, referer, address } = await here()
  const given = options instanceof FormData ? textsOf(options) : options
  const { redirectTo = referer, redirect: mayRedirect, ...fields } = given
  const back = typeof redirectTo === "string" ? { redirectTo } : {}
  const begin = (id: string | undefined): Promise<RedirectAnswer> =>
    keeping((onThrow) =>
      service.signIn(source, id, {
        fields,
        ...back,
        ...(params !== undefined && { params: Object.fromEntries(new URLSearchParams(params as URLSearchParams)) }),
        address,
        onThrow,
      }),
    )
  // A form may name any provider: a wrong one leads to the choice on the sign-in page.
  const answer = await begin(provider).catch((error: unknown) => {
    if (isAuthError(error) && error.type === "InvalidProvider") return begin(undefined)
    throw error
  })
  return leave(answer, mayRedirect !== false)
}

/** Ends the session. Returns the address, or leaves for it. */
export async function signOut(find: Find, options: SignOutOptions = {}): Promise<string> {
  const { service } = await find()
  const { source, referer } = await here()
  const { redirectTo = referer, redirect: mayRedirect } = options
  const answer = await keeping((onThrow) =>
    service.signOut(source, { ...(redirectTo !== undefined && { redirectTo }), onThrow }),
  )
  return leave(answer, mayRedirect !== false)
}

/** Passes data to the callbacks. */
export async function update(find: Find, data: unknown): Promise<Session | null> {
  const { service } = await find()
  const { source } = await here()
  const { session, cookies } = await keeping((onThrow) => service.update(source, data, { onThrow }))
  await setCookies(cookies)
  return session
}

/** What is to be kept where the call throws is set before the error goes on. */
async function keeping<T>(work: (onThrow: (cookies: readonly Cookie[]) => void) => Promise<T>): Promise<T> {
  let left: readonly Cookie[] = []
  try {
    return await work((cookies) => {
      left = cookies
    })
  } catch (error) {
    await setCookies(left)
    throw error
  }
}

/** Makes `sessions`. The part of the core that does it is loaded by the first call. */
export function sessionsWith(find: Find): SessionsOfRoute<[]> {
  const at = async (): Promise<SessionsOfRoute<[]>> => {
    const [{ service }, { source, address }, { sessionsOfRequest }] = await Promise.all([
      find(),
      here(),
      import("@latchkey/core/sessions"),
    ])
    return sessionsOfRequest(service, source, { address, setCookies })
  }
  return {
    list: async () => (await at()).list(),
    end: async (id) => (await at()).end(id),
    endOthers: async () => (await at()).endOthers(),
    endAll: async (userId) => (await at()).endAll(userId),
    rotate: async () => (await at()).rotate(),
    actAs: async (userId) => (await at()).actAs(userId),
  }
}

/** The request behind the call, with what calls before it have changed. */
async function here(): Promise<{
  readonly source: AuthSource
  readonly referer: string | undefined
  readonly address: string | undefined
}> {
  const sent = await currentHeaders()
  // That of another site is refused by the service, as any address is that is not of this application.
  return { source: sourceOf(sent), referer: sent.get("referer") || undefined, address: clientAddress(sent) }
}

async function leave(
  { redirect: address, cookies }: { readonly redirect: string; readonly cookies: readonly Cookie[] },
  mayRedirect: boolean,
): Promise<string> {
  await setCookies(cookies)
  if (!mayRedirect) return address
  const { redirect } = await import("next/navigation")
  return redirect(address)
}

/** Files are not part of a sign-in. Next adds fields of its own, which begin with a dollar sign. */
function textsOf(form: FormData): SignInOptions {
  return Object.fromEntries([...form].filter(([name, value]) => typeof value === "string" && !name.startsWith("$")))
}
