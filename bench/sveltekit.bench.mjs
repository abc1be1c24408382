/**
 * `locals.auth()` of the SvelteKit integration beside that of `@auth/sveltekit`, and over the session read of the core.
 *
 * The `handle` hook is called directly, without SvelteKit and without the network: with an event of a page that was
 * asked for over https, and a `resolve` that asks `locals.auth()`, as a page's `load` does. Each call has locals of its
 * own, because either package may answer a request's second question from memory; request and address are used again,
 * because both only read them. The event's jar collects what is set and writes no header, which spares the peer, that
 * sets two cookies with each read, some work. Same secret, same cookies, jwt strategy.
 */
import { encode } from "@auth/core/jwt"
import { print, sideBySide } from "./measure.mjs"
import { configuration, cookieName, origin, secret } from "./peer.mjs"
import { installPeer, ownPackage, peerPackage } from "./sveltekit.peer.mjs"

const own = "latchkey"
const peer = "@auth/sveltekit"
const core = "core, session read in process"

/** Measures and prints. */
export async function run(options = {}) {
  installPeer()
  const hooks = await hooksOf()
  const many = await requests(options.cookies ?? 10_000)
  for (const list of [many.slice(0, 1), many]) {
    await expectSame(hooks, list[0])
    await measure(hooks, { list, options })
  }
}

async function hooksOf() {
  const { SvelteKitAuth, createAuth } = await ownPackage()
  const { SvelteKitAuth: PeerAuth } = await peerPackage()
  return {
    held: createAuth(configuration(), { env: {} }),
    [own]: SvelteKitAuth(configuration()).handle,
    [peer]: PeerAuth(configuration()).handle,
  }
}

async function measure({ held, ...hooks }, { list, options }) {
  const pick = (turn) => list[turn % list.length]
  const title = `${list.length} cookie${list.length > 1 ? "s" : ""}`
  const targets = { [core]: (turn) => held.session({ headers: pick(turn).headers, secure: true }) }
  for (const name of [own, peer]) {
    targets[`${name}, asked`] = (turn) => visit(hooks[name], { request: pick(turn), page: asking })
    targets[`${name}, not asked`] = (turn) => visit(hooks[name], { request: pick(turn), page: silent })
  }
  const medians = await sideBySide(targets, { ...options, clock: "processor" })
  for (const kind of ["asked", "not asked"]) {
    const pair = Object.fromEntries([own, peer].map((name) => [name, medians[`${name}, ${kind}`]]))
    print(`A page through the hook, locals.auth() ${kind}, ${title}, processor time`, pair, peer)
  }
  const [mine, theirs] = [own, peer].map((name) => medians[`${name}, asked`] - medians[`${name}, not asked`])
  console.log(`\nlocals.auth() alone, ${title}, processor time`)
  console.log(`  ${core} ${medians[core].toFixed(1)} µs`)
  console.log(`  ${own} ${mine.toFixed(1)} µs, ${(mine / medians[core]).toFixed(2)} times the read of the core`)
  console.log(`  ${peer} ${theirs.toFixed(1)} µs, ${(theirs / medians[core]).toFixed(2)} times the read of the core`)
  console.log(`  ${(theirs / mine).toFixed(1)} times the speed of ${peer}`)
}

const page = new Response("page")
const silent = () => page
const asking = async ({ locals }) => {
  await locals.auth()
  return page
}

/** An event as SvelteKit makes it, as far as a hook reads it. */
function visit(handle, { request, page }) {
  const set = []
  const cookies = {
    getAll: () => [],
    set: (name, value, options) => void set.push({ name, value, options }),
  }
  const event = { request, url: address, locals: {}, cookies, route: { id: "/" } }
  return handle({ event, resolve: page })
}

const address = new URL(`${origin}/profile`)

/** Requests of different people, each signed in. */
async function requests(count) {
  const list = []
  for (let index = 0; index < count; index += 1) {
    const token = { name: "Ada", email: `ada${index}@app.test`, picture: null, sub: String(index) }
    const cookie = `${cookieName}=${await encode({ token, secret, salt: cookieName })}`
    list.push(new Request(address, { headers: { host: address.host, accept: "text/html", cookie } }))
  }
  return list
}

/** A measurement of different answers would say nothing. */
async function expectSame({ held, ...hooks }, request) {
  const { session } = await held.session({ headers: request.headers, secure: true })
  const sessions = [session]
  const telling = async ({ locals }) => Response.json(await locals.auth())
  for (const name of [own, peer]) sessions.push(await (await visit(hooks[name], { request, page: telling })).json())
  const emails = sessions.map((value) => value?.user?.email)
  if (new Set(emails).size !== 1 || !emails[0]) throw new Error(`the answers differ: ${emails}`)
}
