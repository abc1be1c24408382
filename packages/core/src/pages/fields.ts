/** Labelled inputs of a form, from what a provider declares. */
import { type Html, html } from "../std/html.js"
import type { InputAttributes } from "../types/provider.js"

// Attributes the page sets itself, and those that would run code, style past the policy or send the form elsewhere.
const reserved = /^(?:id|name|label|type|style|class|on.*|form.*|action|src)$/
const attributeName = /^[a-z][a-z0-9-]*$/

/** All inputs of one provider's form. `extra` is put on each of them. */
export function fieldsOf(
  providerId: string,
  fields: Readonly<Record<string, InputAttributes>>,
  extra: Readonly<Record<string, string>> = {},
): Html {
  return html`${Object.entries(fields).map(([key, field]) => fieldOf({ id: `input-${key}-for-${providerId}-provider`, key, field, extra }))}`
}

interface Field {
  readonly id: string
  readonly key: string
  readonly field: InputAttributes
  readonly extra: Readonly<Record<string, string>>
}

function fieldOf({ id, key, field, extra }: Field): Html {
  const type = typeof field.type === "string" ? field.type : "text"
  const attributes = attributesOf({ autocomplete: usualAutocomplete(key, type), ...field, ...extra })
  const input = html`<input id="${id}" name="${key}" type="${type}"${attributes}>`
  if (type === "hidden") return input
  const label = html`<label for="${id}">${field.label ?? key}</label>`
  return type === "checkbox" || type === "radio"
    ? html`<p class="choice">${input}${label}</p>`
    : html`<p class="field">${label}${input}</p>`
}

/** Every given attribute with a name HTML knows how to read; `false` and nothing leave it out. */
function attributesOf(given: Readonly<Record<string, unknown>>): Html {
  const parts = Object.entries(given).map(([name, value]) => {
    const text = attributeText(value)
    if (text === undefined || !attributeName.test(name) || reserved.test(name)) return html``
    return text === "" && value !== "" ? html` ${name}` : html` ${name}="${text}"`
  })
  return html`${parts}`
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
