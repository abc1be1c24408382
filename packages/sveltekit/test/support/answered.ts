/** Answers requests with SvelteKit's own cookies, and as SvelteKit adds these to responses. */
import type { RequestEvent } from "@sveltejs/kit"
import type { SvelteKitAuthResult } from "../../src/server/create.js"
import { origin, type Page, who } from "./application.js"
import { addCookies, jarOfSvelteKit } from "./jar.js"

/** A hook behind that of the service. */
export type Behind = (event: RequestEvent, resolve: () => Promise<Response>) => Promise<Response>

/** How a request is answered. */
export interface Answering {
  readonly page?: Page
  readonly behind?: Behind
  /** The `Cookie` header. */
  readonly cookie?: string
  readonly url?: string
  /** The application makes it itself, for the page of this event. */
  readonly within?: RequestEvent
  /** What the page gets when it fetches something. */
  readonly fetched?: (event: RequestEvent) => Promise<Response>
}

/** What SvelteKit keeps the cookies of an event in, which nothing but a request of the application's own reaches. */
const jars = new WeakMap<object, Awaited<ReturnType<typeof jarOfSvelteKit>>>()

/** Answers one request. */
export async function answered({ handle }: Pick<SvelteKitAuthResult, "handle">, asked: Answering): Promise<Response> {
  const { page = () => new Response("page"), behind = (_, resolve) => resolve(), cookie, url = origin, within } = asked
  const request = new Request(url, cookie ? { headers: { cookie } } : {})
  const jar = await jarOfSvelteKit(request)
  const { cookies } = jar
  const event = { cookies, request, url: new URL(url), locals: {}, isSubRequest: within !== undefined } as RequestEvent
  event.fetch = async () => asked.fetched?.(event) ?? Response.error()
  jars.set(event.locals, jar)
  const resolve = async (): Promise<Response> => {
    const response = await page(event)
    cookies.set = () => {
      throw new Error("Cannot use `cookies.set(...)` after the response has been generated")
    }
    await addCookies(jar, response)
    return response
  }
  const response = await handle({ event, resolve: () => behind(event, resolve) })
  if (within) for (const line of response.headers.getSetCookie()) keep(line, within)
  return response
}

/** As SvelteKit takes the cookies of such an answer into those of the page: encoded. */
function keep(line: string, { locals }: RequestEvent): void {
  const [pair = "", ...attributes] = line.split("; ")
  const [name = "", value = ""] = pair.split(/=(.*)/s)
  const named = new Map(attributes.map((one) => one.toLowerCase().split("=") as [string, string | undefined]))
  const [domain, maxAge] = [named.get("domain"), named.get("max-age")]
  jars.get(locals)?.set_internal(name, value, {
    path: named.get("path") ?? "/",
    encode: (text: string) => text,
    ...(domain !== undefined && { domain }),
    ...(maxAge !== undefined && { maxAge: Number(maxAge) }),
  })
}

/** A hook that answers with a copy of the response. */
export const copies: Behind = async (_, resolve) => {
  const response = await resolve()
  return new Response(response.body, response)
}

/** The name of the session cookie where the application is served with https. */
export const sessionName = "__Secure-authjs.session-token"

/** Whose session cookies a response sets. */
export async function peopleIn(
  app: Pick<SvelteKitAuthResult, "handle">,
  response: Response,
): Promise<readonly unknown[]> {
  const lines = response.headers.getSetCookie().filter((line) => line.startsWith(`${sessionName}=`))
  const names = lines.map(async (line) => {
    const answer = await answered(app, { page: who, cookie: line.split(";")[0] ?? "" })
    return ((await answer.json()) as { user?: { name?: string } } | null)?.user?.name ?? "nobody"
  })
  return Promise.all(names)
}

/** A hook that holds back the answer of the page until `goOn` is called. */
export function holdingBack(): { readonly behind: Behind; readonly goOn: () => void } {
  let goOn = (): void => undefined
  const isAnswered = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const behind: Behind = async (_, resolve) => {
    const response = await resolve()
    await isAnswered
    return response
  }
  return { behind, goOn: () => goOn() }
}

/** The cookies a response sets, as a browser sends them back. */
export function cookiesIn(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")
}
