/** Reading a session, jwt strategy: in process and through the web handler, with one cookie and with 10,000. */
import { encode, getToken as peerGetToken } from "@auth/core/jwt"
import { print, sideBySide } from "./measure.mjs"
import { cookieName, handlers, held, origin, secret } from "./peer.mjs"

async function cookies(count) {
  const headers = []
  for (let index = 0; index < count; index += 1) {
    const token = { name: "Ada", email: `ada${index}@app.test`, picture: null, sub: String(index) }
    headers.push(`${cookieName}=${await encode({ token, secret, salt: cookieName })}`)
  }
  return headers
}

/** Measures and prints. */
export async function run(options = {}) {
  const many = await cookies(options.cookies ?? 10_000)
  for (const list of [many.slice(0, 1), many]) {
    const pick = (turn) => list[turn % list.length]
    const request = (turn) => new Request(`${origin}/auth/session`, { headers: { cookie: pick(turn) } })
    const title = `${list.length} cookie${list.length > 1 ? "s" : ""}`
    await expectSame(list[0])
    print(
      `Session read in process, ${title}`,
      await sideBySide(
        {
          latchkey: (turn) => held.session({ url: origin, headers: { cookie: pick(turn) } }),
          "@auth/core": async (turn) => (await handlers["@auth/core"](request(turn))).json(),
          "@auth/core getToken alone": (turn) =>
            peerGetToken({ req: { headers: { cookie: pick(turn) } }, secret, secureCookie: true }),
        },
        options,
      ),
      "@auth/core",
    )
    print(
      `Session read through the web handler, ${title}`,
      await sideBySide(
        {
          latchkey: async (turn) => (await handlers.latchkey(request(turn))).json(),
          "@auth/core": async (turn) => (await handlers["@auth/core"](request(turn))).json(),
        },
        options,
      ),
      "@auth/core",
    )
  }
}

/** A measurement of different answers would say nothing. */
async function expectSame(cookie) {
  const { session } = await held.session({ url: origin, headers: { cookie } })
  const own = await (await handlers.latchkey(new Request(`${origin}/auth/session`, { headers: { cookie } }))).json()
  const peer = await (
    await handlers["@auth/core"](new Request(`${origin}/auth/session`, { headers: { cookie } }))
  ).json()
  const names = [session, own, peer].map((value) => value?.user?.email)
  if (new Set(names).size !== 1 || !names[0]) throw new Error(`the answers differ: ${names}`)
}
