/** Operations inside this process: every target does the same work, is checked for correct results, and then measured. */
import { compare } from "./measure.mjs"
import { emailOf, signInEmail, tamperedWith } from "./world.mjs"

const files = ["limit", "web", "latchkey", "auth-js", "better-auth", "iron-session"]

let opened
/** Every target, opened once for all groups. */
export function targets() {
  opened ??= Promise.all(
    files.map(async (file) => {
      const { name, open } = await import(`../targets/${file}.mjs`)
      return { name, ...(await open()) }
    }),
  )
  return opened
}

function expectSame(what, came, expected) {
  if (came !== expected)
    throw new Error(`${what}: ${JSON.stringify(expected)} was expected, and ${JSON.stringify(came)} came`)
}

/** A session is read for the right user, and none where the cookie was changed or is missing. */
async function verifyReading({ name }, read, cookies) {
  for (const index of new Set([0, cookies.length >> 1, cookies.length - 1]))
    expectSame(`${name}, person ${index}`, await read(cookies[index]), emailOf(index))
  expectSame(`${name}, a tampered cookie`, await read(tamperedWith(cookies[0])), null)
  expectSame(`${name}, no cookie`, await read(""), null)
}

/** Reading a session with `member` of each target, `count` people in turn. */
export async function readings({ id, title, member, count }, options) {
  options.begin?.(title)
  const works = {}
  for (const target of await targets()) {
    const read = target[member]
    if (!read) continue
    const cookies = await target.cookies(count)
    await verifyReading(target, read, cookies)
    works[target.name] = (turn) => read(cookies[turn % count])
  }
  return { id, title, rows: await compare(works, options) }
}

/** A CSRF token is new each time. */
export async function csrfTokens({ id, title }, options) {
  options.begin?.(title)
  const works = {}
  for (const { name, csrf } of await targets()) {
    if (!csrf) continue
    const [one, other] = [await csrf(), await csrf()]
    if (typeof one !== "string" || one.length < 32 || one === other) throw new Error(`${name} hands out no CSRF token`)
    works[name] = csrf
  }
  return { id, title, rows: await compare(works, options) }
}

/** A sign-in begins a session of the right user, and a wrong one begins none. `wrong` is the change that makes it wrong. */
export async function signIns({ id, title, member, right, wrong }, options) {
  options.begin?.(title)
  const works = {}
  for (const target of await targets()) {
    const signIn = target[member]
    if (!signIn) continue
    const cookie = await signIn(right)
    const read = target.session ?? target.answer
    expectSame(`${target.name}, signed in`, await read(cookie ?? ""), signInEmail)
    expectSame(`${target.name}, ${wrong.what}`, await signIn(wrong.given), null)
    works[target.name] = () => signIn(right)
  }
  return { id, title, rows: await compare(works, options) }
}
