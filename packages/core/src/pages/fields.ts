/** Labelled inputs of a form, from what a provider declares. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import type { InputAttributes } from "../types/provider.js"
import type { SignInField } from "../types/sign-in-view.js"

// Attributes the page sets itself, and those that would run code, style past the policy or send the form elsewhere.
const reserved = /^(?:id|name|label|type|style|class|on.*|form.*|action|src)$/
const attributeName = /^[a-z][a-z0-9-]*$/

/** A field as data: attributes with a name HTML knows how to read; `false` and nothing leave one out. */
export function fieldOf(name: string, { label, ...given }: Readonly<InputAttributes>, wording: Wording): SignInField {
  const type = typeof given.type === "string" ? given.type : "text"
  const all = { autocomplete: usualAutocomplete(name, type), ...given }
  const attributes = Object.entries(all).flatMap(([key, value]) => {
    const text = attributeText(value)
    if (text === undefined || !attributeName.test(key) || reserved.test(key)) return []
    return [[key, text === "" && value !== "" ? true : text] as const]
  })
  return {
    name,
    label: ownLabel(label, wording) ?? name,
    type,
    attributes: Object.fromEntries(attributes),
    error: undefined,
  }
}

/** Labels that are ours, or say what ours say, are in the language of the page. */
function ownLabel(label: string | undefined, wording: Wording): string | undefined {
  if (label === "Email") return wording.text("signin.email")
  return label === "Password" ? wording.text("signin.password") : label
}

/** What is drawn with a field. */
export interface FieldSurroundings {
  readonly wording: Wording
  /** Id of the provider whose form it is. */
  readonly providerId: string
  /** Attributes for scripts. */
  readonly extra?: Readonly<Record<string, string>>
  /** Stands beside the label. */
  readonly beside?: Html | undefined
}

/** A labelled input. What is wrong with it stands below, and the person is taken there. */
export function drawField(
  { name, label, type, attributes, error }: SignInField,
  { wording, providerId, extra = {}, beside }: FieldSurroundings,
): Html {
  const id = `input-${name}-for-${providerId}-provider`
  const wrongId = `${id}-error`
  const state: Record<string, string | true> = error
    ? { "aria-invalid": "true", "aria-describedby": wrongId, autofocus: true }
    : {}
  const input = html`<input id="${id}" name="${name}" type="${type}"${drawn({ ...attributes, ...extra, ...state })}>`
  if (type === "hidden") return input
  const labelled = html`<label for="${id}">${label}</label>`
  const wrong = error ? html`<p class="wrong" id="${wrongId}">${error}</p>` : ""
  if (type === "checkbox" || type === "radio") return html`<div class="choice">${input}${labelled}</div>${wrong}`
  const top = beside ? html`<div class="label">${labelled}${beside}</div>` : labelled
  const box = type === "password" ? html`<div class="secret">${input}${revealing(id, wording)}</div>` : input
  return html`<div class="field">${top}${box}${wrong}</div>`
}

// An eye, and the line through it that the style sheet shows while the text can be seen.
const eye: Html = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/><circle cx="12" cy="12" r="3"/><path class="line" d="m4 4 16 16"/></svg>`

/** The button that shows a password; hidden until the script of the page runs. */
function revealing(id: string, wording: Wording): Html {
  return html`<button type="button" class="reveal" hidden aria-controls="${id}" aria-label="${wording.text("signin.showPassword")}" data-show="${wording.text("signin.showPassword")}" data-hide="${wording.text("signin.hidePassword")}">${eye}</button>`
}

function drawn(attributes: Readonly<Record<string, string | true>>): Html {
  return html`${Object.entries(attributes).map(([name, value]) => (value === true ? html` ${name}` : html` ${name}="${value}"`))}`
}

function attributeText(value: unknown): string | undefined {
  if (value === true) return ""
  if (typeof value === "string" || typeof value === "number") return String(value)
  return Array.isArray(value) ? value.join(" ") : undefined
}

// WCAG 2.2 §1.3.5: a field about the person says so, and password managers fill it.
function usualAutocomplete(key: string, type: string): string | undefined {
  if (type === "password") return "current-password"
  if (type === "email") return "username"
  return /^(?:user|user_?name|login|email)$/i.test(key) && type === "text" ? "username" : undefined
}
