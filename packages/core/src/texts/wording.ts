/** The texts of one language, ready to be read: with values in the place of names, and numbers and dates as the language writes them. */
import { en } from "./en.js"
import type { PluralText, TextKey, Texts, TextValues } from "./texts.js"

/** A language and its texts. */
export interface Wording {
  /** BCP 47, for `lang` and `Content-Language`. */
  readonly lang: string
  /** Direction of writing, for the attribute `dir` of pages. */
  readonly dir: "ltr" | "rtl"
  /** The text of a key, with its values. */
  text<Key extends TextKey>(key: Key, ...values: TextValues<Key>): string
  /** The pieces of a text: strings, and the names between them. For pages, whose values are markup. */
  pieces(key: TextKey): readonly TextPiece[]
  /** A day. */
  day(date: Date): string
  /** A moment to the minute, in UTC and saying so: where somebody is who reads a mail is not known. */
  moment(date: Date): string
}

/** A piece of a text: as it stands, or the name of a value. */
export type TextPiece = { readonly text: string } | { readonly name: string }

/** What a wording is made of. */
export interface WordingGiven {
  readonly lang: string
  readonly texts: Partial<Texts>
  /** Texts of the application, which count for more. */
  readonly own?: Partial<Texts> | undefined
}

const rightToLeft: ReadonlySet<string> = new Set(["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"])

/** Says in which direction a language is written. */
export function directionOf(lang: string): "ltr" | "rtl" {
  return rightToLeft.has(lang.split("-", 1)[0]?.toLowerCase() ?? "") ? "rtl" : "ltr"
}

/** Makes a wording. What is missing in the language is English. */
export function createWording({ lang, texts, own = {} }: WordingGiven): Wording {
  const found = (key: TextKey): string | PluralText => own[key] ?? texts[key] ?? en[key]
  const written = (date: Date, how: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(lang, { timeZone: "UTC", ...how }).format(date)
  return {
    lang,
    dir: directionOf(lang),
    text: (key, ...[values]) => filled(formOf(lang, found(key), values), { lang, values }),
    pieces: (key) => piecesOf(formOf(lang, found(key), undefined)),
    day: (date) => written(date, { dateStyle: "long" }),
    moment: (date) =>
      written(date, {
        day: "numeric",
        month: "long",
        year: "numeric",
        hour: "numeric",
        minute: "2-digit",
        timeZoneName: "short",
      }),
  }
}

/** English, without texts of an application. */
export const english: Wording = createWording({ lang: "en", texts: en })

type Values = Readonly<Record<string, string | number>> | undefined

function formOf(lang: string, text: string | PluralText, values: Values): string {
  if (typeof text === "string") return text
  const count = values?.["count"]
  return (typeof count === "number" ? text[new Intl.PluralRules(lang).select(count)] : undefined) ?? text.other
}

function filled(template: string, { lang, values }: { readonly lang: string; readonly values: Values }): string {
  return piecesOf(template)
    .map((piece) => {
      if ("text" in piece) return piece.text
      const value = values?.[piece.name]
      return typeof value === "number" ? new Intl.NumberFormat(lang).format(value) : (value ?? "")
    })
    .join("")
}

function piecesOf(template: string): readonly TextPiece[] {
  return template.split(/(\{[a-z]+\})/i).flatMap((part): readonly TextPiece[] => {
    if (part === "") return []
    return [/^\{[a-z]+\}$/i.test(part) ? { name: part.slice(1, -1) } : { text: part }]
  })
}
