/** The forms of the sign-in page. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import type { SignInField, SignInForm, SignInPasskey, SignInView } from "../types/sign-in-view.js"
import { drawField } from "./fields.js"
import { hiddenFields, safeAddress } from "./layout.js"

/** What every form of the page is drawn with. */
export interface FormSurroundings {
  readonly view: SignInView
  readonly wording: Wording
  /** Something else on the page is what it is mainly for. */
  readonly isQuiet: boolean
}

/** Marks the way that was used last. */
export function lastUsed({ isLastUsed }: { readonly isLastUsed: boolean }, wording: Wording): Html {
  return isLastUsed ? html` <span class="last">${wording.text("signin.lastUsed")}</span>` : html``
}

const keySign: Html = html`<svg class="mark sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="8" cy="12" r="4"/><path d="M12 12h9v3m-4-3v2"/></svg>`

/** The attributes by which the script knows the form of a passkey. */
function passkeyAttributes({ id, optionsUrl, isOffered }: SignInPasskey, wording: Wording): Html {
  return html`id="${id}-form" data-passkey="${id}" data-options-url="${optionsUrl}" data-conditional="${String(isOffered)}" data-texts="${passkeyPrompts(wording)}"`
}

/** What the script says of passkeys, by the names it knows; `others` stand for those of the sign-in page. */
export function passkeyPrompts(wording: Wording, others: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify({
    followBrowser: wording.text("passkey.followBrowser"),
    unsupported: wording.text("passkey.unsupported"),
    notStarted: wording.text("passkey.notStarted"),
    registered: wording.text("passkey.registered"),
    notUsed: wording.text("passkey.notUsed"),
    failed: wording.text("passkey.failed"),
    ...others,
  })
}

/** The button of a passkey; hidden until the script of the page runs, because passkeys need one. */
export function passkeyButton(passkey: SignInPasskey, { view, wording }: FormSurroundings): Html {
  return html`<form action="${safeAddress(passkey.action)}" method="post" ${passkeyAttributes(passkey, wording)} hidden>${hiddenFields(view.hidden)}<button class="provider" id="submitButton-${passkey.id}">${keySign}<span>${passkey.label}</span>${lastUsed(passkey, wording)}</button></form>
`
}

/** A passkey that asks for what it needs itself. */
export function passkeyForm(
  passkey: SignInPasskey,
  { isQuiet, view, wording }: FormSurroundings,
  isMain: boolean,
): Html {
  const { id, fields } = passkey
  const extra = { "data-form-field": id, "data-address": "" }
  return html`<form action="${safeAddress(passkey.action)}" method="post" ${passkeyAttributes(passkey, wording)}>${hiddenFields(view.hidden)}
${fields.map((field) => drawField(field, { wording, providerId: id, extra }))}
<noscript><p class="soft">${wording.text("passkey.needsScript")}</p></noscript>
<button class="${isMain && !isQuiet ? "primary" : "provider plain"}" id="submitButton-${id}">${passkey.label}${lastUsed(passkey, wording)}</button>
${createButton(passkey)}</form>
`
}

function createButton({ id, createLabel }: SignInPasskey): Html {
  return html`<button class="provider plain" form="${id}-form" value="register" hidden>${createLabel}</button>`
}

interface FormPlace {
  /** Passkeys that take the address of this form. */
  readonly shared: readonly SignInPasskey[]
  readonly isMain: boolean
}

/** A form with fields. What can wait for the address stands together, so that the script can hold it back. */
export function formOf(form: SignInForm, page: FormSurroundings, { shared, isMain }: FormPlace): Html {
  const { view, isQuiet, wording } = page
  const isStepped = form.asksAddressFirst && !isQuiet
  const draw = (field: SignInField): Html => fieldIn(field, { form, view, wording, shared })
  const [address, ...others] = form.fields
  const submits = form.buttons.map((button, index) => {
    const look = index === 0 && isMain && !isQuiet ? "primary" : "provider plain"
    const elsewhere = index === 0 ? html`` : html` formaction="${safeAddress(button.action)}" formnovalidate`
    return html`<button class="${look}"${elsewhere} data-provider="${button.id}">${button.label}</button>
`
  })
  const back = isStepped
    ? html`<button type="button" class="quiet" data-back hidden>${wording.text("signin.moreWays")}</button>`
    : ""
  const later = html`${others.map(draw)}<div class="submits">${submits}${shared.map(createButton)}${back}</div>`
  return html`<form action="${safeAddress(form.action)}" method="post"${isStepped ? html` data-first` : ""}>${hiddenFields(view.hidden)}
${address ? draw(address) : ""}
${isStepped ? html`<button type="button" class="primary" data-next hidden>${wording.text("action.continue")}</button>` : ""}
${isStepped ? html`<div class="later">${later}</div>` : later}</form>
`
}

interface FieldPlace {
  readonly form: SignInForm
  readonly view: SignInView
  readonly wording: Wording
  readonly shared: readonly SignInPasskey[]
}

function fieldIn(field: SignInField, { form, view, wording, shared }: FieldPlace): Html {
  const isAddress = field.name === "email"
  const forgot = view.links.find(({ id }) => id === "forgotPassword")
  const [passkey] = shared
  const extra: Record<string, string> = {
    ...(isAddress && { "data-address": "" }),
    ...(isAddress && passkey && { "data-form-field": passkey.id }),
    ...(field.type === "password" && { "data-secret": "" }),
  }
  const beside =
    isAddress && form.isLastUsed
      ? lastUsed(form, wording)
      : field.type === "password" && forgot
        ? html`<a href="${safeAddress(forgot.href)}">${forgot.label}</a>`
        : undefined
  return drawField(field, { wording, providerId: form.buttons[0]?.id ?? "", extra, beside })
}
