/** The CSRF token and a whole sign-in by credentials, through the web handler. */
import { print, sideBySide } from "./measure.mjs"
import { csrf, handlers, origin, post, signIn } from "./peer.mjs"

/** Measures and prints. */
export async function run(options = {}) {
  const each = (make) => Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, make(handler)]))
  print(
    "GET csrf",
    await sideBySide(
      each((handler) => () => handler(new Request(`${origin}/auth/csrf`))),
      options,
    ),
    "@auth/core",
  )
  const ready = {}
  for (const [name, handler] of Object.entries(handlers)) {
    if (!(await signIn(handler)).includes("session-token")) throw new Error(`${name} did not sign in`)
    const { token, cookie } = await csrf(handler)
    ready[name] = () => handler(post("/auth/callback/credentials", { csrfToken: token, name: "Ada" }, cookie))
  }
  print("Credentials sign-in", await sideBySide(ready, options), "@auth/core")
}
