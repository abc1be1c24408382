/** Signing in and out from a page whose components show the session: they and other tabs are updated. */
import { type AuthClient, createClient } from "@latchkey/core/client"
import { announceChange } from "./tabs.js"

/** The channel between the tabs of one application. */
export function channelOf(basePath: string): string {
  return `latchkey:${basePath}`
}

/** The functions of the browser's client, for a service that is mounted elsewhere than at `/auth`. */
export function createSessionClient({ basePath = "/auth" }: { readonly basePath?: string } = {}): AuthClient {
  const client = createClient({ basePath })
  const announce = (): void => announceChange(channelOf(basePath))
  const announced = <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args): Promise<Answer> => {
      const answer = await call(...args)
      // Without an answer the page is being left for a provider: nothing has changed yet.
      if (answer !== undefined) announce()
      return answer
    }
  }
  const { signIn, signOut } = client
  return {
    ...client,
    signIn: announced(signIn as (...args: unknown[]) => Promise<unknown>) as AuthClient["signIn"],
    signInWithPasskey: announced(client.signInWithPasskey),
    registerPasskey: announced(client.registerPasskey),
    update: announced(client.update),
    signOut: (async (options?: never) => {
      const answer = await signOut(options)
      announce()
      return answer
    }) as AuthClient["signOut"],
  }
}

const client: AuthClient = /* @__PURE__ */ createSessionClient()

/** Signs in. Without a provider the visitor is sent to the sign-in page. */
export const signIn: AuthClient["signIn"] = client.signIn
/** Signs out, in all tabs. */
export const signOut: AuthClient["signOut"] = client.signOut
/** Signs in with a passkey; with `autofill: true` it is offered while the visitor types. */
export const signInWithPasskey: AuthClient["signInWithPasskey"] = client.signInWithPasskey
/** Registers a passkey. */
export const registerPasskey: AuthClient["registerPasskey"] = client.registerPasskey
/** Where passkeys are listed: tells the browser which of them are accepted, so that it hides those that are gone. Never throws. */
export const signalPasskeys: AuthClient["signalPasskeys"] = client.signalPasskeys
/** The session, asked for once; components read it with `useSession`. Throws a `ClientError`. */
export const getSession: AuthClient["getSession"] = client.getSession
/** The token for forms of your own; `undefined` where the protection is switched off. */
export const getCsrfToken: AuthClient["getCsrfToken"] = client.getCsrfToken
/** The configured providers by id. */
export const getProviders: AuthClient["getProviders"] = client.getProviders
