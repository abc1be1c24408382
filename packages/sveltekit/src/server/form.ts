/** The form behind a sign-in or a sign-out: its fields sorted, and where it leads back to. */
import { UnreadableRequest } from "@latchkey/core/errors"
import { error } from "@sveltejs/kit"
import { localAddress } from "../base-path.js"
import type { AuthEvent } from "./event.js"

/** What a form said. */
export interface AuthForm {
  readonly provider: string | undefined
  readonly redirectTo: string | undefined
  /** The string `false` means false. */
  readonly redirect: boolean
  /** Parameters for the authorization request: the fields `authorizationParams-*`. */
  readonly params: Readonly<Record<string, string>>
  /** Everything else. */
  readonly fields: Readonly<Record<string, string>>
}

const paramPrefix = "authorizationParams-"

/**
 * Reads the form of a request. What is no form is answered with SvelteKit's 400. Throws {@link UnreadableRequest} when
 * it was read before.
 */
export async function readForm({ request }: AuthEvent): Promise<AuthForm> {
  if (request.bodyUsed) {
    throw new UnreadableRequest(
      "The form of this request was read before. Pass its values as the second argument: { provider, fields, redirectTo }.",
    )
  }
  return sort(await fieldsOf(request))
}

async function fieldsOf(request: Request): Promise<Record<string, string>> {
  const fields = Object.create(null) as Record<string, string>
  try {
    for (const [name, value] of await request.formData()) if (typeof value === "string") fields[name] = value
  } catch {
    // Anybody can send such a form, so it is a mistake of the client, not of the application.
    return error(400, "The request has no form that can be read.")
  }
  return fields
}

function sort({ providerId, redirectTo, callbackUrl, redirect, ...rest }: Record<string, string>): AuthForm {
  const params: Record<string, string> = {}
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(rest)) {
    if (name === "__proto__") continue
    if (name.startsWith(paramPrefix)) params[name.slice(paramPrefix.length)] = value
    else fields[name] = value
  }
  return {
    provider: providerId || undefined,
    redirectTo: redirectTo || callbackUrl || undefined,
    redirect: redirect !== "false",
    params,
    fields,
  }
}

/**
 * Where the person goes afterwards when the form does not say: what the page was asked to lead to, else the page the
 * form stood on, unless that is the page of the action itself, else home.
 */
export function returnAddress(event: AuthEvent, home: string): string {
  const own = event.url.searchParams.get("callbackUrl")
  if (own) return own
  const page = pageOf(event)
  if (!page) return home
  const asked = page.searchParams.get("callbackUrl")
  if (asked) return asked
  return page.pathname === event.url.pathname ? home : localAddress(page)
}

/**
 * An address as it was meant: SvelteKit writes those of the application relative to the page (`../profile`), in pages
 * that it renders as well as for code that runs during a request.
 */
export function fromPage(event: AuthEvent, address: string, by: "form" | "code"): string {
  if (!/^\.{1,2}(?:\/|$)/.test(address)) return address
  const { pathname, search, hash } = new URL(address, (by === "form" && pageOf(event)) || event.url)
  return pathname + search + hash
}

/** The page of this application that the form stood on. */
function pageOf({ request, url }: AuthEvent): URL | undefined {
  const referer = request.headers.get("referer") ?? ""
  const page = URL.canParse(referer) ? new URL(referer) : undefined
  return page?.origin === url.origin ? page : undefined
}
