/** GET and POST `session`: read the session, or pass an update to the callbacks and read it. */
import { announceAll } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { chain } from "../crypto/cipher.js"
import { json, type Result } from "../http/result.js"
import { selectStrategy } from "../sessions/select.js"
import type { Checked } from "../sessions/strategy.js"
import type { Awaitable } from "../types/identity.js"
import type { SessionUpdate } from "../types/session.js"

/** Answers the session, or `null` when there is none. */
export function readSession(context: Context): Awaitable<Result> {
  return chain(selectStrategy(context.settings).check(context), (checked) => answer(context, checked))
}

/** Hands `data` of the body to the callbacks and answers the session as it is then. */
export function updateSession(context: Context): Awaitable<Result> {
  const data = context.incoming.form["data"] as SessionUpdate | undefined
  return chain(selectStrategy(context.settings).update(context, data), (checked) => answer(context, checked))
}

function answer(context: Context, { session, cookies, events }: Checked): Awaitable<Result> {
  return chain(announceAll(context, events), () => json(session, { cookies }))
}
