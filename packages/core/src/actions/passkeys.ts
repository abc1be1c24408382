/** `passkeys`: lists the passkeys of the signed-in user, names and removes them; on a page where a browser asks for one. */
import type { Context } from "../context/context.js"
import { UnreadableRequest } from "../errors.js"
import { wantsPage } from "../http/incoming.js"
import { json, type Result } from "../http/result.js"
import { listPasskeys, passkeySignals, removePasskey, renamePasskey } from "../methods/webauthn/kept.js"
import { unmetPolicy } from "../sessions/account-policy.js"
import { fromModule } from "../std/lazy.js"
import type { PasskeyRemoval } from "../types/passkeys.js"
import type { ActionRow } from "./feature-row.js"
import type { PasskeyChange } from "./passkeys-page.js"
import { insufficient, isOvertaken, overtaken, passkeyUser } from "./recent-sign-in.js"

const pages = (): Promise<typeof import("./passkeys-page.js")> => import("./passkeys-page.js")
const showPasskeys = fromModule(pages, (module) => module.showPasskeys)
const afterChange = fromModule(pages, (module) => module.afterChange)
const toSignIn = fromModule(pages, (module) => module.toSignIn)

/** The endpoints of passkeys. */
export const passkeyRows: readonly ActionRow[] = [
  { method: "GET", action: "passkeys", csrf: false, audience: "person", act: getPasskeys },
  { method: "POST", action: "passkeys", csrf: true, audience: "script", act: changePasskeys },
]

/** A browser that asks for a page: a script of it asks for anything (Fetch, "Accept" of a request without one). */
const isPerson = ({ incoming }: Context): boolean => wantsPage(incoming)

async function getPasskeys(context: Context): Promise<Result> {
  const user = await passkeyUser(context)
  if (isPerson(context)) return showPasskeys(context, user)
  if (!user) return nobody()
  const asksSignals = "signals" in context.incoming.query
  return json(await (asksSignals ? passkeySignals(context, user) : listPasskeys(context, user)))
}

/** `rename` and `remove` hold the id of a passkey. A name takes nothing away, and is changed in any session. */
async function changePasskeys(context: Context): Promise<Result> {
  const user = await passkeyUser(context)
  if (!user) return isPerson(context) ? showPasskeys(context, user) : nobody()
  const { rename, name, remove, last } = context.incoming.form
  if (await isOvertaken(context)) {
    if (!isPerson(context)) return overtaken()
    // The question is asked again, and the browser has the newer token by then.
    const asked = { ...(typeof rename === "string" && { rename }), ...(typeof remove === "string" && { remove }) }
    return afterChange(context, user, asked)
  }
  if (typeof rename === "string" && typeof name === "string") {
    const isRenamed = await renamePasskey(context, user, { id: rename, name })
    // Without a name the question stays open; where there is no such passkey, it leads to the list.
    if (isPerson(context)) return afterChange(context, user, isRenamed ? { did: "didRename" } : { rename })
    return isRenamed ? json({ renamed: rename }) : absent()
  }
  if (typeof remove !== "string") {
    throw new UnreadableRequest('Expected "remove", or "rename" and "name", received neither.')
  }
  const policy = await unmetPolicy(context)
  if (policy) return isPerson(context) ? toSignIn(context, { remove }) : insufficient(context, policy)
  const evenLast = last === true || last === "true"
  const removal = await removePasskey(context, user, { id: remove, evenLast })
  return isPerson(context) ? afterChange(context, user, changeOf(removal, remove)) : removalAnswer(removal, remove)
}

function changeOf(removal: PasskeyRemoval, id: string): PasskeyChange {
  if (removal === "removed") return { did: "didRemove", removed: id }
  return removal === "last" ? { remove: id } : { did: "absent" }
}

function removalAnswer(removal: PasskeyRemoval, id: string): Result {
  if (removal === "removed") return json({ removed: id })
  if (removal === "absent") return absent()
  const message =
    'Without this passkey its user cannot sign in any more. Send "last": "true" to remove it all the same.'
  return json({ error: "LastWayIn", message }, { status: 409 })
}

const nobody = (): Result =>
  json({ error: "SessionRequired", message: "This needs a session of a stored user." }, { status: 401 })
const absent = (): Result =>
  json({ error: "NotFound", message: "There is no such passkey, or the name is empty." }, { status: 404 })
