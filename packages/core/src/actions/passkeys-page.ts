/** The page of passkeys: what it shows, and where its forms lead. */
import type { Context } from "../context/context.js"
import { issueCsrf } from "../context/csrf.js"
import { resolveReturnTo } from "../context/return-to.js"
import { actionUrl, providerUrl } from "../context/urls.js"
import { pageViewOf } from "../context/wording.js"
import { page, type Result, redirect } from "../http/result.js"
import { isLastWay, listPasskeys, openRemoval, passkeySignals, sealRemoval } from "../methods/webauthn/kept.js"
import { passkeyScript } from "../pages/passkey-script.js"
import {
  type PasskeyAdding,
  type PasskeyItem,
  type PasskeyNotice,
  type PasskeyQuestionView,
  passkeysPage,
  removePasskeyPage,
  renamePasskeyPage,
} from "../pages/passkeys.js"
import { signalScript } from "../pages/signal-script.js"
import { unmetPolicy } from "../sessions/account-policy.js"
import { withParams } from "../std/url.js"
import type { AdapterUser } from "../types/identity.js"
import type { PasskeyEntry } from "../types/passkeys.js"
import { signinUrlTo } from "./recent-sign-in.js"

/** What a form of the page came to. */
export interface PasskeyChange {
  readonly did?: PasskeyNotice
  /** The id of a passkey that was removed. */
  readonly removed?: string
  /** The id of a passkey whose form is shown again. */
  readonly rename?: string
  readonly remove?: string
}

const notices: readonly string[] = ["didAdd", "didRename", "didRemove", "absent"] satisfies readonly PasskeyNotice[]
const isNotice = (text: string | undefined): text is PasskeyNotice => text !== undefined && notices.includes(text)

/** Shows the list, or the page for the passkey that the query names; leads to the sign-in page where nobody is signed in. */
export async function showPasskeys(context: Context, user: AdapterUser | undefined): Promise<Result> {
  const place = await placeOf(context)
  const { rename, remove } = context.incoming.query
  if (!user) return toSignIn(context, { rename, remove })
  const passkeys = await listPasskeys(context, user)
  const asked = rename ?? remove
  if (asked === undefined) return showList(context, { user, place, passkeys })
  const passkey = passkeys.find(({ id }) => id === asked)
  if (!passkey) return redirect(withParams(place.listUrl, { did: "absent" }))
  if (rename === undefined && (await unmetPolicy(context))) return toSignIn(context, { remove })
  const { token, cookies } = await issueCsrf(context)
  const view: PasskeyQuestionView = {
    ...(await pageViewOf(context)),
    passkey,
    action: actionUrl(context, "passkeys"),
    listUrl: place.listUrl,
    csrfToken: token,
    returnTo: place.returnTo,
  }
  const document =
    rename === undefined
      ? removePasskeyPage({ ...view, isLast: await isLastWay(context, user, passkeys) })
      : renamePasskeyPage(view)
  return page(await document, { cookies })
}

/** Back to the page, which says what was done. */
export async function afterChange(context: Context, user: AdapterUser, change: PasskeyChange): Promise<Result> {
  const removed = change.removed && (await sealRemoval(context, user, change.removed))
  return redirect(withParams((await placeOf(context)).listUrl, { ...change, removed }))
}

/** To the sign-in page, which leads back to the page, or to the question that names a passkey. */
export async function toSignIn(
  context: Context,
  { rename, remove }: { readonly rename?: string | undefined; readonly remove?: string | undefined },
): Promise<Result> {
  const { listUrl } = await placeOf(context)
  return redirect(signinUrlTo(context, withParams(listUrl, { rename, remove })))
}

/** Where the page is, and where it leads back to. */
interface Place {
  /** With the address to return to, where the request names one. */
  readonly listUrl: string
  readonly returnTo: string | undefined
}

async function placeOf(context: Context): Promise<Place> {
  const { form, query } = context.incoming
  // Only what this request names: the cookie of a sign-in may lead back to this very page.
  const isNamed = Boolean(form["callbackUrl"]) || Boolean(query["callbackUrl"])
  const returnTo = isNamed ? await resolveReturnTo(context) : undefined
  return { returnTo, listUrl: withParams(actionUrl(context, "passkeys"), { callbackUrl: returnTo }) }
}

interface Listed {
  readonly user: AdapterUser
  readonly place: Place
  readonly passkeys: readonly PasskeyEntry[]
}

async function showList(context: Context, { user, place, passkeys }: Listed): Promise<Result> {
  const { incoming } = context
  const { did, removed } = incoming.query
  const { token, cookies } = await issueCsrf(context)
  const document = await passkeysPage({
    ...(await pageViewOf(context)),
    passkeys: passkeys.map(
      (entry): PasskeyItem => ({
        ...entry,
        renameUrl: withParams(place.listUrl, { rename: entry.id }),
        removeUrl: withParams(place.listUrl, { remove: entry.id }),
      }),
    ),
    adding: addingTo(context, place),
    signinUrl: (await unmetPolicy(context)) && signinUrlTo(context, place.listUrl),
    did: isNotice(did) ? did : undefined,
    signals: await passkeySignals(context, user),
    removed: removed && (await openRemoval(context, user, removed)),
    csrfToken: token,
    homeUrl: place.returnTo ?? incoming.origin,
    passkeyScript,
    signalScript,
  })
  return page(document, { cookies })
}

/** A provider that cannot be used, such as any of passkeys while their switch is off, adds none. */
function addingTo(context: Context, { listUrl }: Place): readonly PasskeyAdding[] {
  const { providers, providerProblems } = context.settings
  return [...providers.values()]
    .filter(({ id, type }) => type === "webauthn" && !providerProblems.has(id))
    .map(({ id, name }) => ({
      id,
      name,
      callbackUrl: providerUrl(context, "callback", id),
      optionsUrl: providerUrl(context, "webauthn-options", id),
      returnTo: withParams(listUrl, { did: "didAdd" }),
    }))
}
