/** `sessions`: lists the sessions of the signed-in user, and ends some of them. */
import { policyOf } from "../config/features.js"
import type { Context } from "../context/context.js"
import { renewCsrf } from "../context/csrf.js"
import { UnreadableRequest } from "../errors.js"
import { json, type Result } from "../http/result.js"
import { warnOfCircle } from "../sessions/account-policy.js"
import { endOne, endOthers, listEntries, selectControl } from "../sessions/control.js"
import { meets } from "../sessions/policy.js"
import type { ActionRow } from "./feature-row.js"
import { insufficient, overtaken } from "./recent-sign-in.js"

/** The endpoints of managed sessions. */
export const sessionRows: readonly ActionRow[] = [
  { method: "GET", action: "sessions", csrf: false, audience: "script", act: listSessions },
  { method: "POST", action: "sessions", csrf: true, audience: "script", act: endSessions },
]

const sessionRequired = (): Result =>
  json({ error: "SessionRequired", message: "This needs a session." }, { status: 401 })

async function listSessions(context: Context): Promise<Result> {
  return json(await listEntries(context))
}

/** Ends the session that `end` names, or all `others`. Ending one's own is signing out, and asks for no proof. */
async function endSessions(context: Context): Promise<Result> {
  const { end } = context.incoming.form
  if (typeof end !== "string" || end === "") {
    throw new UnreadableRequest('"end": expected the id of a session, or "others", received nothing.')
  }
  const here = await selectControl(context).current(context)
  if (!here) return sessionRequired()
  if (here.isReplaced && end !== here.facts.id) return overtaken()
  const policy = policyOf(context.settings.features.sessions)
  if (policy && end !== here.facts.id && !meets(here.facts, policy, context.now)) {
    warnOfCircle(context, here.facts, policy)
    return insufficient(context, policy)
  }
  const { count, cookies, isSignedOut: isGone } = await (end === "others" ? endOthers(context) : endOne(context, end))
  if (isGone) return sessionRequired()
  if (count === 0 && end !== "others") {
    return json({ error: "NotFound", message: "There is no such session." }, { status: 404 })
  }
  const isSignedOut = end === here.facts.id
  return json({ ended: count }, { cookies: [...cookies, ...(isSignedOut ? await renewCsrf(context) : [])] })
}
