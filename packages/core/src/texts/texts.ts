/** What a text is: the keys of the English ones, the names that stand in braces, and forms by number (plural). */
import type { en } from "./en.js"

/** The names of all texts. */
export type TextKey = keyof typeof en

/** Forms of a text by number: the plural categories of the language, `other` at least. */
export type PluralText = { readonly [Category in Exclude<Intl.LDMLPluralRule, "other">]?: string } & {
  readonly other: string
}

/** All texts of a language. A key that is missing or one too many does not compile. */
export type Texts = {
  readonly [Key in TextKey]: (typeof en)[Key] extends string ? string : PluralText
}

type NamesIn<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type TemplateOf<Text> = Text extends { readonly other: infer Other } ? Other : Text

/** The names in the braces of a text. */
export type TextNames<Key extends TextKey> = NamesIn<TemplateOf<(typeof en)[Key]>>

/** What stands for the names of a text; none where it has no name. `count` is a number, and chooses the plural form. */
export type TextValues<Key extends TextKey, Value = string> = [TextNames<Key>] extends [never]
  ? readonly []
  : readonly [values: { readonly [Name in TextNames<Key>]: Name extends "count" ? number : Value }]
