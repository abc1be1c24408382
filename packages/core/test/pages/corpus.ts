/** What the tests of the pages share: a provider as the page sees it, hostile text, and a look into the inline elements. */
import type { SigninEntry } from "../../src/pages/ways.js"

/** A provider of the given type below `https://app.test/auth`. */
export function entry(id: string, type: string, more: Partial<SigninEntry> = {}): SigninEntry {
  const path = encodeURIComponent(id)
  return {
    id,
    name: id,
    type,
    signinUrl: `https://app.test/auth/signin/${path}`,
    callbackUrl: `https://app.test/auth/callback/${path}`,
    ...more,
  }
}

/** Text that would be markup, style or script if it were not text, each with its id in the catalogue. */
export const hostileTexts: readonly (readonly [id: string, text: string])[] = [
  ["HT-01", "<script>alert(1)</script>"],
  ["HT-02", '"><img src=x onerror=alert(1)>'],
  ["HT-03", "' onfocus=alert(1) autofocus x='"],
  ["HT-04", "</title><svg/onload=alert(1)>"],
  ["HT-05", "</style><script>alert(1)</script>"],
  ["HT-06", "red;} body{background:url(//evil.test)}"],
  ["HT-07", "javascript:alert(1)"],
  ["HT-08", "data:text/html;base64,PHNjcmlwdD4="],
  ["HT-10", "{{constructor.constructor('alert(1)')()}}"],
  ["HT-11", "<!--<script> --!>"],
  ["HT-12", "&lt;script&gt;"],
  ["HT-13", "\u2028\u2029"],
  ["HT-15", "<base href=//evil.test>"],
  ["HT-16", "<meta http-equiv=refresh content='0;url=//evil.test'>"],
  ["HT-17", "<form action=//evil.test>"],
  ["HT-18", "<style>@import '//evil.test'</style>"],
  ["HT-19", "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>"],
  ["HT-22", "%3Cscript%3E%253Cscript%253E"],
  ["HT-34", 'x" onload='],
]

/** Every tag of a document with its attributes. Text between tags never looks like one, because `<` is escaped there. */
export function tagsOf(
  document: string,
): readonly { readonly name: string; readonly attributes: ReadonlyMap<string, string> }[] {
  const visible = document.replace(/(<(?:style|script)>).*?(<\/(?:style|script)>)/gs, "$1$2")
  return [...visible.matchAll(/<([a-z0-9]+)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, name = "", rest = ""]) => ({
      name: name.toLowerCase(),
      attributes: new Map(
        [...rest.matchAll(/([^\s=>"]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [key, value]),
      ),
    }),
  )
}

/** The texts of the inline elements of a document. */
export function inlineTextsOf(document: string): {
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
} {
  const texts = (name: string): string[] =>
    [...document.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, text = ""]) => text)
  return { styles: texts("style"), scripts: texts("script") }
}
