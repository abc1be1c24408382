/** What the client may see of a session: the session callback asked, and its answer made fit to be sent. */
import type { Context } from "../context/context.js"
import type { CallbacksOptions } from "../types/hooks.js"
import type { AdapterUser } from "../types/identity.js"
import type { AdapterSession, Session, SessionUpdate } from "../types/session.js"
import type { JWT } from "../types/token.js"
import { askCallback } from "./callback.js"

/** What the client sent to change its session. */
export interface Update {
  readonly data: SessionUpdate | undefined
}

type SessionParams = Parameters<CallbacksOptions["session"]>[0]

/** The session of a token, as the client may see it. */
export async function presentToken(
  context: Context,
  { token, expires, update }: { token: JWT; expires: Date; update: Update | undefined },
): Promise<Session | null> {
  const { name, email, picture } = token
  const image = "image" in token ? token.image : picture
  const user = { name, email: email === "" ? null : email, image }
  return ask(context, { session: { user, expires: expires.toISOString() }, token, ...updateParams(update) })
}

/** The session of a row, as the client may see it. */
export async function presentRow(
  context: Context,
  { session, user, update }: { session: AdapterSession; user: AdapterUser; update: Update | undefined },
): Promise<Session | null> {
  // Stores that live in memory hand out their own rows, and a callback writes to what it gets.
  const own = { ...user }
  const row = { ...session, user: own, expires: session.expires.toISOString() }
  // A callback may read the token, but one that hands on the whole row must not tell it to scripts of the page.
  Object.defineProperty(row, "sessionToken", { enumerable: false })
  return ask(context, { session: row, user: own, ...updateParams(update) })
}

function updateParams(update: Update | undefined): object {
  return update ? { newSession: update.data, trigger: "update" } : {}
}

/** The empty text stands for "no address" in the store and means nothing to a client. */
function withoutEmptyAddress(session: Session): Session {
  return session.user?.email === "" ? { ...session, user: { ...session.user, email: null } } : session
}

/** Which of its parameters the callback gets depends on the strategy; its type shows them all. */
async function ask(context: Context, params: object): Promise<Session | null> {
  const { callbacks, strategy } = context.settings
  const answer: unknown = await askCallback<unknown>(context, "session", {
    ask: () => callbacks.session(params as SessionParams),
    isFit: (answer) => typeof answer === "object" && !Array.isArray(answer),
    expected: "a session or null",
    given:
      strategy === "jwt"
        ? "With sessions in tokens it is given `token`; `user` is there with sessions in the database alone."
        : "With sessions in the database it is given `user`; `token` is there with sessions in tokens alone.",
  })
  if (answer === null) return null
  const session = withoutEmptyAddress(answer as Session)
  const expires: unknown = session.expires
  return expires instanceof Date ? { ...session, expires: expires.toISOString() } : session
}
