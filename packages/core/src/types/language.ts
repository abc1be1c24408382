/** The language of pages and mails, and the texts of an application. */
import type { Language } from "../texts/languages.js"
import type { Texts } from "../texts/texts.js"

export type { Language } from "../texts/languages.js"
export type { PluralText, TextKey, Texts } from "../texts/texts.js"
export type { Wording } from "../texts/wording.js"

/** A language the service speaks, or one that the option `texts` brings, as a tag (BCP 47). */
export type LanguageTag = Language | (string & {})

/** What of a request a language can be chosen by. */
export interface LanguageRequest {
  /** Address of the request. */
  readonly url: string
  /** Headers of the request, such as `accept-language`. */
  readonly headers: { get(name: string): string | null }
}

/** Chooses the language of a request; `undefined`: by its header `Accept-Language`. */
export type LanguageChooser = (request: LanguageRequest) => LanguageTag | undefined

/** One language, several to choose from by `Accept-Language` (the first where none fits), all of them, or a function. */
export type LanguageOption = LanguageTag | "auto" | readonly LanguageTag[] | LanguageChooser

/** Texts by language and key. What is missing is the text of the service; of a language it does not speak, the English one. */
export type OwnTexts = Readonly<Record<string, Partial<Texts>>>
