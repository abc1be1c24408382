/**
 * A page of SvelteKit behind the hook of an integration, beside the same page without one. `handle` is called directly,
 * without SvelteKit and without the network: with an event of a page that was asked for over https. Each call has locals
 * of its own, because a second question may be answered from memory. The event's jar collects what is set and writes no
 * header, which saves some work for Auth.js, which sets two cookies with each read. The same cookies for all.
 */
import { compare } from "./harness/measure.mjs"
import { authJs, latchkey } from "./harness/sveltekit.mjs"
import { configuration, emailOf, origin, tamperedWith } from "./harness/world.mjs"
import { claimsIn, open as openLimit } from "./targets/limit.mjs"

/** @returns {Promise<object[]>} tables */
export async function run(options) {
  const { SvelteKitAuth } = await latchkey()
  const { SvelteKitAuth: AuthJs } = await authJs()
  const hooks = {
    "SvelteKit, no hook": ({ event, resolve }) => resolve(event),
    Latchkey: SvelteKitAuth(configuration()).handle,
    "Auth.js": AuthJs(configuration()).handle,
  }
  const requests = openLimit().cookies(options.people).map(requestWith)
  for (const name of ["Latchkey", "Auth.js"]) await verify(name, hooks[name], requests)
  const works = (page, names) =>
    Object.fromEntries(
      names.map((name) => [name, (turn) => visit(hooks[name], { request: requests[turn % requests.length], page })]),
    )
  const byHand = (turn) => claimsIn(requests[turn % requests.length].headers.get("cookie")) && page
  const asked = { "by hand, node:crypto": byHand, ...works(asking, ["Latchkey", "Auth.js"]) }
  return [
    {
      id: "sveltekit-asked",
      title: "A page of SvelteKit that asks who is signed in",
      rows: await compare(asked, options),
    },
    {
      id: "sveltekit",
      title: "A page of SvelteKit that does not ask",
      rows: await compare(works(silent, Object.keys(hooks)), options),
    },
  ]
}

const page = new Response("page")
const silent = () => page
const asking = async ({ locals }) => {
  await locals.auth()
  return page
}
const address = new URL(`${origin}/profile`)

/** Request and address are used again: both are only read. */
function requestWith(cookie) {
  return new Request(address, { headers: { host: address.host, accept: "text/html", cookie } })
}

/** An event as SvelteKit makes it, as far as a hook reads it. */
function visit(handle, { request, page: resolve }) {
  const set = []
  const cookies = {
    getAll: () => [],
    set: (name, value, options) => void set.push({ name, value, options }),
  }
  return handle({ event: { request, url: address, locals: {}, cookies, route: { id: "/" } }, resolve })
}

/** A measurement of different answers would say nothing. */
async function verify(name, handle, requests) {
  const telling = async ({ locals }) => Response.json(await locals.auth())
  const emailWith = async (request) => (await (await visit(handle, { request, page: telling })).json())?.user?.email
  const last = requests.length - 1
  const came = [await emailWith(requests[0]), await emailWith(requests[last])]
  if (came.join() !== `${emailOf(0)},${emailOf(last)}`) throw new Error(`${name} reads the sessions of ${came}`)
  const forged = await emailWith(requestWith(tamperedWith(requests[0].headers.get("cookie"))))
  if (forged !== undefined) throw new Error(`${name} takes a tampered cookie for ${forged}`)
}
