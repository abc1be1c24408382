/** A whole sign-in by OpenID Connect through the web handler, its own cost: the provider answers at once. */
import { Auth as PeerAuth, customFetch as peerFetch } from "@auth/core"
import { Auth, customFetch } from "@latchkey/core"
import { print, sideBySide } from "./measure.mjs"
import { openOp } from "./op.mjs"
import { configuration, cookiesOf, csrf, origin, post } from "./peer.mjs"

async function flow(handler, { token, cookie }) {
  const begun = await handler(post("/auth/signin/op", { csrfToken: token, callbackUrl: origin }, cookie))
  const asked = new URL(begun.headers.get("location")).searchParams
  const back = `${asked.get("redirect_uri")}?${new URLSearchParams({ code: "code", state: asked.get("state") })}`
  const request = new Request(back, { headers: { cookie: `${cookie}; ${cookiesOf(begun)}` } })
  return handler(request)
}

/** Measures and prints. */
export async function run(options = {}) {
  const sides = {}
  const outbound = {}
  for (const [name, auth, marker] of [
    ["latchkey", Auth, customFetch],
    ["@auth/core", PeerAuth, peerFetch],
  ]) {
    const op = await openOp()
    const { issuer, clientId, fetch } = op
    const checks = ["pkce", "state"]
    const provider = {
      id: "op",
      name: "OP",
      type: "oidc",
      issuer,
      clientId,
      clientSecret: "secret",
      checks,
      [marker]: fetch,
    }
    const config = configuration({ providers: [provider] })
    const handler = (request) => auth(request, config)
    const ready = await csrf(handler)
    const answer = await flow(handler, ready)
    if (!cookiesOf(answer).includes("session-token"))
      throw new Error(`${name} did not sign in: ${answer.headers.get("location")}`)
    const before = op.calls()
    await flow(handler, ready)
    outbound[name] = op.calls() - before
    sides[name] = () => flow(handler, ready)
  }
  print("OpenID Connect sign-in, own cost", await sideBySide(sides, options), "@auth/core")
  for (const [name, count] of Object.entries(outbound))
    console.log(`  ${name.padEnd(34)} ${count} outbound calls once warm`)
}
