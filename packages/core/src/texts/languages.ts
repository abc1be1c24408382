/** The languages there are, each loaded when it is first used, and which of them somebody reads best. */
import type { Texts } from "./texts.js"

const tags = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ar", "hi", "zh", "ja", "ko", "uk"] as const

/** The languages the service speaks by itself. */
export type Language = (typeof tags)[number]

// Written out one by one, so that every bundler finds the files.
const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await import("./en.js")).en,
  de: async () => (await import("./de.js")).de,
  fr: async () => (await import("./fr.js")).fr,
  es: async () => (await import("./es.js")).es,
  it: async () => (await import("./it.js")).it,
  pt: async () => (await import("./pt.js")).pt,
  nl: async () => (await import("./nl.js")).nl,
  pl: async () => (await import("./pl.js")).pl,
  tr: async () => (await import("./tr.js")).tr,
  ar: async () => (await import("./ar.js")).ar,
  hi: async () => (await import("./hi.js")).hi,
  zh: async () => (await import("./zh.js")).zh,
  ja: async () => (await import("./ja.js")).ja,
  ko: async () => (await import("./ko.js")).ko,
  uk: async () => (await import("./uk.js")).uk,
}

/** All languages, English first. */
export const languages: readonly Language[] = tags

/** Says whether the service speaks a language by itself. */
export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(loaders, tag)
}

/** Loads the texts of a language. */
export function loadTexts(language: Language): Promise<Texts> {
  return loaders[language]()
}

/** The tag to write on a page: of Chinese, the simplified script is what the texts are in. */
export function tagOf(language: string): string {
  return language === "zh" ? "zh-Hans" : language
}

/**
 * The best of the offered languages for a header `Accept-Language`: ranges by their weight, then by their place (RFC 9110
 * §12.5.4), each matched as it stands or shortened from its end (lookup, RFC 4647 §3.4). `undefined`: none fits.
 */
export function negotiate(header: string | null, offered: readonly string[]): string | undefined {
  const ranges = rangesOf(header ?? "")
  const refused = ranges.filter(({ weight }) => weight === 0).map(({ tag }) => tag)
  for (const { tag } of ranges.filter(({ weight }) => weight > 0)) {
    const match = tag === "*" ? offered[0] : lookUp(tag, offered)
    if (match !== undefined && !refused.includes(match.toLowerCase())) return match
  }
  return undefined
}

/** Characters: what RFC 5646 §4.4.1 asks everybody to have room for. Longer tags are not looked up: that takes a time that grows with the square of their length. */
const longestTag = 35

/** The offered language that a tag names, or the language it is a variety of. */
export function lookUp(tag: string, offered: readonly string[]): string | undefined {
  if (tag.length > longestTag) return undefined
  const known = new Map(offered.map((language) => [language.toLowerCase(), language]))
  const parts = tag.toLowerCase().replaceAll("_", "-").split("-")
  // Somebody who reads traditional characters is not served by simplified ones.
  if (parts[0] === "zh" && parts.some((part) => /^(?:hant|tw|hk|mo)$/.test(part)) && !known.has(tag.toLowerCase()))
    return known.get("zh-hant")
  for (let length = parts.length; length > 0; length--) {
    const match = known.get(parts.slice(0, length).join("-"))
    if (match !== undefined) return match
  }
  return undefined
}

/** More ranges than any browser sends are not read. */
const mostRanges = 32

function rangesOf(header: string): readonly { readonly tag: string; readonly weight: number }[] {
  const ranges = header.split(",", mostRanges).flatMap((part) => {
    const [, tag, weight] = /^\s*([a-z\d-]{1,35}|\*)\s*(?:;\s*q\s*=\s*([\d.]{1,5})\s*)?$/i.exec(part) ?? []
    const isWeight = weight === undefined || /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)
    return tag === undefined || !isWeight ? [] : [{ tag: tag.toLowerCase(), weight: Number(weight ?? 1) }]
  })
  return ranges.toSorted((a, b) => b.weight - a.weight)
}
