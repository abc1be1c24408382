/** Every language says what English says: the same names in the same texts, and a form for each number it distinguishes. */
import { describe, expect, it } from "vitest"
import { en } from "./en.js"
import { textKeys } from "./keys.js"
import { type Language, languages, loadTexts, tagOf } from "./languages.js"
import type { PluralText, TextKey } from "./texts.js"

const keys = Object.keys(en) as TextKey[]
const formsOf = (text: string | PluralText): readonly string[] =>
  typeof text === "string" ? [text] : Object.values(text)
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted()

/** Texts that are rightly the same as in English, by language. */
const alike: Readonly<Partial<Record<Language, readonly TextKey[]>>> = {
  de: ["passkeys.unnamed", "passkeys.name"],
  it: ["signin.email", "signin.password", "signin.privacy", "passkeys.unnamed"],
  nl: ["signin.help", "signin.privacy", "passkeys.unnamed"],
}

it("have the keys that the configuration is checked against", () => {
  expect([...textKeys]).toEqual(keys)
})

it("are fifteen", () => {
  expect(languages).toEqual(["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ar", "hi", "zh", "ja", "ko", "uk"])
})

describe.each(languages)("%s", (language) => {
  it("has every text and no other, each with the names that English has", async () => {
    const texts = await loadTexts(language)
    expect(Object.keys(texts)).toEqual(keys)
    for (const key of keys) {
      const [english = ""] = formsOf(en[key]).slice(-1)
      for (const form of formsOf(texts[key])) {
        // The form for "none" need not name the number.
        const isZero = typeof texts[key] !== "string" && form === (texts[key] as PluralText).zero
        if (!isZero) expect(namesIn(form), `${key}: ${form}`).toEqual(namesIn(english))
      }
    }
  })

  it("has a form for each kind of whole number, and no form that its grammar does not know", async () => {
    const texts = await loadTexts(language)
    const rules = new Intl.PluralRules(tagOf(language))
    const needed = new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)))
    for (const key of keys) {
      const text = texts[key]
      if (typeof text === "string") continue
      expect(Object.keys(text)).toEqual(expect.arrayContaining([...needed]))
      expect(rules.resolvedOptions().pluralCategories).toEqual(expect.arrayContaining(Object.keys(text)))
    }
  })

  it("is written in its own words: nothing is left in English, and no space stands at an end", async () => {
    const texts = await loadTexts(language)
    const left = keys.filter((key) => language !== "en" && JSON.stringify(texts[key]) === JSON.stringify(en[key]))
    expect(left.filter((key) => !alike[language]?.includes(key))).toEqual([])
    for (const form of keys.flatMap((key) => formsOf(texts[key]))) expect(form).toBe(form.trim())
  })
})
