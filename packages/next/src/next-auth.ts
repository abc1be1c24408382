/** Makes the object of an application from its configuration. */
import type { NextRequest } from "next/server.js"
import { sessionsWith, signIn, signOut, update } from "./actions.js"
import { addressed, clientAddress } from "./address.js"
import type {
  AuthFunction,
  NextAuthResult,
  PagesRequest,
  PagesResponse,
  SignInFunction,
  SignOutFunction,
} from "./object.js"
import { readHere, readPages, readSignIn } from "./read.js"
import { type Find, finder, type Given } from "./source.js"
import { answer, type Wrapped } from "./wrap.js"

/** Makes the object. Its caller states the type of the session, which follows from the configuration. */
export function createNextAuth(given: Given): NextAuthResult {
  const find = finder(given)
  const handle = async (request: Request): Promise<Response> => {
    const { service } = await find(request as NextRequest)
    return service.handle(addressed(request, service.basePath), { address: clientAddress(request.headers) })
  }
  const updating = (data: unknown) => update(find, data)
  const signingIn = (...[provider, options, params]: Parameters<SignInFunction>) =>
    signIn(find, { provider, options, params })
  return {
    handlers: { GET: handle, POST: handle },
    auth: authWith(find),
    proxy: (request) => answer(find, request),
    signIn: signingIn as SignInFunction,
    signInView: (searchParams) => readSignIn(find, searchParams),
    signOut: ((options) => signOut(find, options)) as SignOutFunction,
    update: updating,
    unstable_update: updating,
    sessions: sessionsWith(find),
  }
}

/** What `auth` may be given first. */
type First =
  | Wrapped["handler"]
  | NextRequest
  | PagesRequest
  | { readonly req: PagesRequest; readonly res: PagesResponse }

function authWith(find: Find): AuthFunction {
  const auth = (first?: First, second?: unknown): unknown => {
    if (first === undefined) return readHere(find)
    if (typeof first === "function")
      return (request: NextRequest, context: unknown) => answer(find, request, { handler: first, context })
    // By shape: Next may bring a class of its own.
    if ("nextUrl" in first) return answer(find, first)
    if ("req" in first) return readPages(find, first.req, first.res)
    return readPages(find, first as PagesRequest, second as PagesResponse)
  }
  return auth as AuthFunction
}
