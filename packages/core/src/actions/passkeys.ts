/** `passkeys`: lists the passkeys of the signed-in user, names and removes them. */
import type { Context } from "../context/context.js"
import { UnreadableRequest } from "../errors.js"
import { json, type Result } from "../http/result.js"
import { listPasskeys, removePasskey, renamePasskey } from "../methods/webauthn/kept.js"
import { isActing } from "../sessions/acting.js"
import { selectStrategy } from "../sessions/select.js"
import type { AdapterUser } from "../types/identity.js"
import type { ActionRow } from "./feature-row.js"

/** The endpoints of passkeys. */
export const passkeyRows: readonly ActionRow[] = [
  { method: "GET", action: "passkeys", csrf: false, audience: "script", act: getPasskeys },
  { method: "POST", action: "passkeys", csrf: true, audience: "script", act: changePasskeys },
]

/** The stored user whose session the request carries, unless somebody else acts for them. */
export async function passkeyUser(context: Context): Promise<AdapterUser | undefined> {
  const current = await selectStrategy(context.settings).peek(context)
  return current && !(await isActing(context)) ? current.user : undefined
}

async function getPasskeys(context: Context): Promise<Result> {
  const user = await passkeyUser(context)
  return user ? json(await listPasskeys(context, user)) : nobody()
}

/** `rename` and `remove` hold the id of a passkey. */
async function changePasskeys(context: Context): Promise<Result> {
  const user = await passkeyUser(context)
  if (!user) return nobody()
  const { rename, name, remove, last } = context.incoming.form
  if (typeof rename === "string" && typeof name === "string") {
    return (await renamePasskey(context, user, { id: rename, name })) ? json({ renamed: rename }) : absent()
  }
  if (typeof remove !== "string") {
    throw new UnreadableRequest('Expected "remove", or "rename" and "name", received neither.')
  }
  const evenLast = last === true || last === "true"
  const removal = await removePasskey(context, user, { id: remove, evenLast })
  if (removal === "removed") return json({ removed: remove })
  if (removal === "absent") return absent()
  const message =
    'Without this passkey its user cannot sign in any more. Send "last": "true" to remove it all the same.'
  return json({ error: "LastWayIn", message }, { status: 409 })
}

const nobody = (): Result =>
  json({ error: "SessionRequired", message: "This needs a session of a stored user." }, { status: 401 })
const absent = (): Result =>
  json({ error: "NotFound", message: "There is no such passkey, or the name is empty." }, { status: 404 })
