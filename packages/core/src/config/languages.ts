/** The options `language` and `texts`: which languages are offered, and the texts of the application. */
import { textKeys } from "../texts/keys.js"
import { isLanguage, languages, lookUp } from "../texts/languages.js"
import type { Texts } from "../texts/texts.js"
import type { LanguageChooser } from "../types/language.js"
import { isAbsent, membersOf } from "./members.js"
import type { Report } from "./report.js"
import type { Settings } from "./settings.js"

/** Reads both. Without `language`, everything is in English, as it was before there were others. */
export function languagesOf(
  { language, texts }: { readonly language?: unknown; readonly texts?: unknown },
  report: Report,
): Pick<Settings, "language"> {
  const own = ownTextsOf(texts, report)
  const known = [...new Set([...languages, ...own.keys()])]
  const offered = offeredOf(language, { known, report })
  return {
    language: Object.freeze({
      isChosen: !isAbsent(language),
      offered: Object.freeze(offered),
      choose: typeof language === "function" ? (language as LanguageChooser) : undefined,
      own,
    }),
  }
}

function offeredOf(
  language: unknown,
  { known, report }: { readonly known: readonly string[]; readonly report: Report },
): readonly string[] {
  if (isAbsent(language)) return ["en"]
  if (language === "auto" || typeof language === "function") return known
  const tags: readonly unknown[] = Array.isArray(language) ? language : [language]
  const found = tags.map((tag) => (typeof tag === "string" ? lookUp(tag, known) : undefined))
  const unknown = tags.find((_, index) => found[index] === undefined)
  if (tags.length > 0 && unknown === undefined) return [...new Set(found.filter((tag) => tag !== undefined))]
  report.mistake("language", {
    expected: `"auto", a function, or one or several of ${known.join(", ")}`,
    received: unknown ?? language,
    remedy: 'Texts of another language can be given with the option "texts".',
  })
  return ["en"]
}

function ownTextsOf(texts: unknown, report: Report): ReadonlyMap<string, Partial<Texts>> {
  if (isAbsent(texts)) return new Map()
  if (typeof texts !== "object" || Array.isArray(texts)) {
    const expected = 'an object such as { en: { "signin.heading": "Welcome" } }'
    report.mistake("texts", { expected, received: texts, remedy: "Write the texts below their language." })
  }
  const entries = Object.entries(membersOf(texts)).filter(([tag]) => isTag(tag, report))
  return new Map(entries.map(([tag, given]) => [tag, textsOf({ tag, given }, report)]))
}

function isTag(tag: string, report: Report): boolean {
  try {
    return isLanguage(tag) || Intl.getCanonicalLocales(tag).length > 0
  } catch {
    const remedy = 'Write the texts below their language, such as { en: { "signin.heading": "Welcome" } }.'
    report.mistake("texts", { expected: "language tags (BCP 47)", received: tag, remedy })
    return false
  }
}

function textsOf({ tag, given }: { readonly tag: string; readonly given: unknown }, report: Report): Partial<Texts> {
  const entries = Object.entries(membersOf(given)).filter(([key, text]) => {
    const isKnown = textKeys.has(key)
    if (isKnown && isText(text)) return true
    const expected = isKnown ? 'a string, or an object of plural forms with "other"' : "a key of the texts"
    const remedy = "The guide on languages lists the keys."
    report.mistake(`texts.${tag}`, { expected, received: isKnown ? text : key, remedy })
    return false
  })
  return Object.freeze(Object.fromEntries(entries)) as Partial<Texts>
}

function isText(text: unknown): boolean {
  if (typeof text === "string") return true
  const forms = membersOf(text)
  return typeof forms.other === "string" && Object.values(forms).every((form) => typeof form === "string")
}
