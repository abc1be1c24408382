/** The hook of the target that the variable `TARGET` names. */
import { SvelteKitAuth as AuthJs } from "@auth/sveltekit"
import { SvelteKitAuth } from "@latchkey/sveltekit"
import { env } from "$env/dynamic/private"
import { configuration } from "../../harness/world.mjs"
import { claimsIn } from "../../targets/limit.mjs"

const hooks = {
  "by-hand"({ event, resolve }) {
    event.locals.auth = () => sessionIn(event.request.headers.get("cookie") ?? "")
    return resolve(event)
  },
  latchkey: SvelteKitAuth(configuration()).handle,
  "auth-js": AuthJs(configuration()).handle,
}

/** The least a session can cost. */
function sessionIn(cookie) {
  const claims = claimsIn(cookie)
  return claims && { user: { name: claims.name, email: claims.email } }
}

/** Without a hook a page is answered as it is. */
export const handle = hooks[env.TARGET] ?? (({ event, resolve }) => resolve(event))
