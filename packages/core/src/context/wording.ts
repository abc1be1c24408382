/** The language of one request, and its texts. */
import { InvalidConfiguration } from "../errors.js"
import type { PageView } from "../pages/layout.js"
import { asThrownError } from "../ports/thrown.js"
import { isLanguage, loadTexts, lookUp, negotiate, tagOf } from "../texts/languages.js"
import { createWording, type Wording } from "../texts/wording.js"
import type { Context } from "./context.js"

const chosen = Symbol("language")
const spoken = Symbol("wording")

/** The language of the request: by the function of the application, else by what the browser accepts, else the first offered. */
export function languageOf(context: Context): string {
  return context.once(chosen, () => {
    const { offered } = context.settings.language
    const named = namedBy(context)
    const found = named === undefined ? undefined : lookUp(named, offered)
    return found ?? negotiated(context) ?? offered[0] ?? "en"
  })
}

function negotiated({ incoming, settings: { language } }: Context): string | undefined {
  return language.offered.length > 1 ? negotiate(incoming.headers.get("accept-language"), language.offered) : undefined
}

function namedBy(context: Context): string | undefined {
  const { incoming, log, settings } = context
  try {
    const named: unknown = settings.language.choose?.({ url: incoming.url, headers: incoming.headers })
    return typeof named === "string" ? named : undefined
  } catch (error) {
    // The page is still of use in another language.
    log.error(new InvalidConfiguration("The function `language` failed.", { cause: { err: asThrownError(error) } }))
    return undefined
  }
}

/** The texts for the request. Never throws: a language that cannot be loaded is logged, and the texts are English. */
export function wordingOf(context: Context): Promise<Wording> {
  return context.once(spoken, () => load(context, languageOf(context)))
}

/** What every built-in page is drawn with. */
export async function pageViewOf(context: Context): Promise<PageView> {
  return { theme: context.settings.theme, wording: await wordingOf(context) }
}

async function load(context: Context, language: string): Promise<Wording> {
  const own = context.settings.language.own.get(language)
  // What is missing is English: of English itself nothing has to be loaded.
  if (!isLanguage(language) || language === "en") return createWording({ lang: language, texts: {}, own })
  try {
    return createWording({ lang: tagOf(language), texts: await loadTexts(language), own })
  } catch (error) {
    const message = `The texts of the language "${language}" could not be loaded.`
    context.log.error(new InvalidConfiguration(message, { cause: { err: asThrownError(error) } }))
    return createWording({ lang: "en", texts: {}, own: context.settings.language.own.get("en") })
  }
}
