/** What more of something costs: providers in the configuration, and sessions that were read before. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { createAuth } from "@latchkey/core"
import { encode, getToken } from "@latchkey/core/jwt"
import { compare } from "./harness/measure.mjs"
import { claimsOf, configuration, cookieName, emailOf, origin, secret } from "./harness/world.mjs"

const providerNumbered = (index) => ({
  ...{ id: `op${index}`, name: `OP ${index}`, type: "oidc", issuer: `https://op${index}.test` },
  ...{ clientId: "bench", clientSecret: "secret" },
})

const serviceWith = (count) =>
  createAuth(configuration({ providers: Array.from({ length: count }, (_, index) => providerNumbered(index)) }), {
    env: {},
  })

const cookieOf = async (index) => `${cookieName}=${await encode({ token: claimsOf(index), secret, salt: cookieName })}`

/** Reading a session must not depend on how many providers there are. */
async function providers(options) {
  const title = "Session read in process, with 1 and with 130 providers"
  options.begin?.(title)
  const cookie = await cookieOf(0)
  const works = {}
  for (const count of [1, 130]) {
    const auth = serviceWith(count)
    const read = async () => (await auth.session({ url: origin, headers: { cookie } })).session?.user.email
    if ((await read()) !== emailOf(0)) throw new Error(`no session with ${count} providers`)
    works[`${count} provider${count === 1 ? "" : "s"}`] = read
  }
  return { id: "providers", title, rows: await compare(works, options) }
}

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc")

/** Bytes in use after a collection of what is not. */
function heap() {
  collect()
  return process.memoryUsage().heapUsed
}

/** Nothing of a session may stay after it was read. */
async function memory({ requests, begin }) {
  const most = requests * 250
  begin?.(`Memory after ${most.toLocaleString("en")} different cookies`)
  const auth = serviceWith(1)
  const taken = []
  for (let index = 0; index < most; index += 1) {
    const cookie = await cookieOf(index)
    const { session } = await auth.session({ url: origin, headers: { cookie } })
    const token = await getToken({ req: { headers: { cookie } }, secret, secureCookie: true })
    if (session?.user.email !== emailOf(index) || token?.email !== emailOf(index)) throw new Error(`cookie ${index}`)
    if (index === most / 100 - 1) taken.push(heap())
  }
  const [first, last] = [...taken, heap()].map((bytes) => bytes / 2 ** 20)
  const text = `${first.toFixed(1)} MB after ${(most / 100).toLocaleString("en")} different cookies, ${last.toFixed(1)} MB after ${most.toLocaleString("en")}`
  console.log(`\nMemory in use: ${text}`)
  if (last > first * 1.1) throw new Error(`reading sessions leaves something behind: ${text}`)
}

/** @returns {Promise<object[]>} tables */
export async function run(options) {
  const table = await providers(options)
  await memory(options)
  return [table]
}
