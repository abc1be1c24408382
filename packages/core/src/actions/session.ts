/** GET and POST `session`: read the session, or pass an update to the callbacks and read it. */
import { announceAll } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { json, type Result } from "../http/result.js"
import { selectStrategy } from "../sessions/select.js"
import type { Checked } from "../sessions/strategy.js"
import type { SessionUpdate } from "../types/session.js"

/** Answers the session, or `null` when there is none. */
export async function readSession(context: Context): Promise<Result> {
  return answer(context, await selectStrategy(context.settings).check(context))
}

/** Hands `data` of the body to the callbacks and answers the session as it is then. */
export async function updateSession(context: Context): Promise<Result> {
  const data = context.incoming.form["data"] as SessionUpdate | undefined
  return answer(context, await selectStrategy(context.settings).update(context, data))
}

async function answer(context: Context, { session, cookies, events }: Checked): Promise<Result> {
  await announceAll(context, events)
  return json(session, { cookies })
}
