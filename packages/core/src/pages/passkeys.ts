/** The page of passkeys: their list, and the two pages it leads to, which rename a passkey and remove one. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import type { PasskeyEntry, PasskeySignal } from "../types/passkeys.js"
import {
  alertBox,
  type FormState,
  hiddenFields,
  layout,
  nameOf,
  type PageParts,
  type PageView,
  phrase,
  safeAddress,
  stateFields,
} from "./layout.js"
import { passkeyPrompts } from "./signin-forms.js"
import { type InlineText, inlineText } from "./theme.js"

/** A provider at which a passkey can be added. */
export interface PasskeyAdding {
  readonly id: string
  readonly name: string
  /** Where the answer of the authenticator is posted. */
  readonly callbackUrl: string
  readonly optionsUrl: string
  /** This page, saying that a passkey was added. */
  readonly returnTo: string
}

/** A passkey of the list, with the addresses of the pages that rename and remove it. */
export interface PasskeyItem extends PasskeyEntry {
  readonly renameUrl: string
  readonly removeUrl: string
}

/** What the form before did, for the notice above the list. */
export type PasskeyNotice = "didAdd" | "didRename" | "didRemove" | "absent"

/** What the list shows. */
export interface PasskeysView extends PageView, Pick<FormState, "csrfToken"> {
  readonly passkeys: readonly PasskeyItem[]
  readonly adding: readonly PasskeyAdding[]
  /** The sign-in page, for somebody who has to sign in again before they add one. */
  readonly signinUrl?: string | undefined
  readonly did?: PasskeyNotice | undefined
  readonly signals: readonly PasskeySignal[]
  /** The id of a passkey that is gone. */
  readonly removed?: string | undefined
  readonly homeUrl: string
  readonly passkeyScript?: InlineText | undefined
  readonly signalScript?: InlineText | undefined
}

/** Style of the list alone: no other page needs it. */
export const passkeysStyle: string = `
.keys{margin:0 0 1.5rem; padding:0; list-style:none; border:1px solid var(--line); border-radius:var(--round)}
.keys li{padding:.875rem 1rem}
.keys li+li{border-top:1px solid var(--line)}
.keys strong{font-weight:600}
.facts,.acts{font-size:.875rem; color:var(--soft)}
.acts{display:flex; flex-wrap:wrap; gap:0 1.25rem; margin-top:.25rem}
.acts a{padding-block:.25rem; color:var(--ink)}
.done{color:var(--good)}
`.replaceAll("\n", "")

/** The list. */
export async function passkeysPage(view: PasskeysView): Promise<PageParts> {
  const { wording, passkeys, adding, signinUrl, did, signals, removed, homeUrl } = view
  return layout(view, {
    title: wording.text("passkeys.heading"),
    body: html`${did ? noticeOf(did, wording) : ""}
${passkeys.length === 0 ? html`<p class="soft">${wording.text("passkeys.none")}</p>` : html`<ul class="keys">${passkeys.map((passkey, index) => itemOf(passkey, { wording, index }))}</ul>`}
${signinUrl && adding.length > 0 ? html`<a class="primary" href="${safeAddress(signinUrl)}">${wording.text("passkeys.add")}</a>` : adding.map((provider) => addForm(provider, view))}
<p class="way"><a href="${safeAddress(homeUrl)}">${wording.text("action.backToSite")}</a></p>
<div hidden data-signals="${JSON.stringify(signals)}"${removed ? html` data-removed="${removed}"` : ""}></div>`,
    style: await inlineText(passkeysStyle),
    scripts: [view.signalScript, adding.length > 0 && !signinUrl ? view.passkeyScript : undefined].filter(
      (script) => script !== undefined,
    ),
  })
}

function noticeOf(did: PasskeyNotice, wording: Wording): Html {
  const text = wording.text(`passkeys.${did}`)
  return did === "absent"
    ? alertBox(text, { incident: undefined, wording })
    : html`<p class="soft done" role="status">${text}</p>`
}

/** The name that its user gave, else that of the software that stores it, else the word for any passkey. */
function titleOf({ name, keptBy }: PasskeyEntry, wording: Wording): string {
  return name ?? keptBy ?? wording.text("passkeys.unnamed")
}

function itemOf(passkey: PasskeyItem, { wording, index }: { readonly wording: Wording; readonly index: number }): Html {
  const { name, keptBy, isSynced, addedAt, usedAt, renameUrl, removeUrl } = passkey
  const kept = name !== undefined && keptBy !== undefined ? html`<bdi>${keptBy}</bdi> · ` : ""
  const days = [
    addedAt && phrase(wording, "passkeys.added", { date: dayOf(addedAt, wording) }),
    usedAt && phrase(wording, "passkeys.used", { date: dayOf(usedAt, wording) }),
  ].filter((day) => day !== undefined)
  // A link is called by its word and by the name of its passkey.
  const act = (key: "rename" | "remove", to: string): Html =>
    html`<a id="${key}-${index}" aria-labelledby="${key}-${index} passkey-${index}" href="${safeAddress(to)}">${wording.text(`passkeys.${key}`)}</a>`
  return html`<li><bdi id="passkey-${index}"><strong>${titleOf(passkey, wording)}</strong></bdi>
<p class="facts">${kept}${wording.text(isSynced ? "passkeys.synced" : "passkeys.bound")}</p>
${days.map((day) => html`<p class="facts">${day}</p>`)}
<p class="acts">${act("rename", renameUrl)} ${act("remove", removeUrl)}</p></li>`
}

function dayOf(date: Date, wording: Wording): Html {
  return html`<time datetime="${date.toISOString()}">${wording.day(date)}</time>`
}

/** Its script is that of the sign-in page, which shows the button where the browser supports passkeys. */
function addForm(
  { id, name, callbackUrl, optionsUrl, returnTo }: PasskeyAdding,
  { wording, csrfToken, adding }: PasskeysView,
): Html {
  const label = wording.text("passkeys.add")
  const failed = wording.text("passkeys.notAdded")
  const prompts = passkeyPrompts(wording, { notStarted: failed, notUsed: failed, failed })
  return html`<form action="${safeAddress(callbackUrl)}" method="post" id="${id}-form" data-passkey="${id}" data-options-url="${optionsUrl}" data-conditional="false" data-texts="${prompts}">${stateFields({ csrfToken, returnTo })}<noscript><p class="soft">${wording.text("passkey.needsScript")}</p></noscript><button class="primary" value="register" hidden>${adding.length > 1 ? html`${label} (<bdi>${name}</bdi>)` : label}</button></form>
`
}

/** What the pages that rename and remove a passkey show. */
export interface PasskeyQuestionView extends PageView, FormState {
  readonly passkey: PasskeyEntry
  /** Where the form is posted to. */
  readonly action: string
  /** The list. */
  readonly listUrl: string
}

/** Asks what a passkey is to be called. */
export async function renamePasskeyPage(view: PasskeyQuestionView): Promise<PageParts> {
  const { wording, passkey } = view
  return question(view, "passkeys.renameHeading", {
    fields: { rename: passkey.id },
    body: html`<div class="field"><label for="name">${wording.text("passkeys.name")}</label><input id="name" name="name" maxlength="64" required autocomplete="off" value="${titleOf(passkey, wording)}"></div>
<button class="primary">${wording.text("passkeys.save")}</button>`,
  })
}

/** Asks whether a passkey is to be removed, and says so where its user could not sign in any more. */
export async function removePasskeyPage(view: PasskeyQuestionView & { readonly isLast: boolean }): Promise<PageParts> {
  const { wording, passkey, isLast } = view
  const gone = phrase(wording, "passkeys.removeText", { name: nameOf(titleOf(passkey, wording)) })
  return question(view, "passkeys.removeHeading", {
    before: html`<p class="soft">${gone}</p>
${isLast ? alertBox(wording.text("passkeys.removeLast"), { incident: undefined, wording }) : ""}`,
    fields: { remove: passkey.id, last: isLast ? "true" : undefined },
    body: html`<button class="primary">${wording.text(isLast ? "passkeys.removeAnyway" : "passkeys.remove")}</button>`,
  })
}

interface Question {
  readonly before?: Html
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly body: Html
}

function question(
  view: PasskeyQuestionView,
  heading: "passkeys.renameHeading" | "passkeys.removeHeading",
  { before, fields, body }: Question,
): Promise<PageParts> {
  const { wording, action, listUrl } = view
  return layout(view, {
    title: wording.text(heading),
    body: html`${before ?? ""}
<form action="${safeAddress(action)}" method="post">${stateFields(view)}${hiddenFields(fields)}
${body}</form>
<p class="way"><a href="${safeAddress(listUrl)}">${wording.text("passkeys.cancel")}</a></p>`,
  })
}
