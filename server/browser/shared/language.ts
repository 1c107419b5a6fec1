// Language of the reader, and texts in it. English is the language of whoever has none of the others.

const languages = ['en', 'de', 'zh'] as const
export type Language = (typeof languages)[number]

const languageOf = (tag: string) => languages.find((known) => known === tag.slice(0, 2).toLowerCase())

/** The first locale of the reader that there are texts in, such as `en-GB`: decides how numbers and times are written. */
export const locale: string = navigator.languages.find((tag) => languageOf(tag) !== undefined) ?? 'en'

export const language: Language = languageOf(locale) ?? 'en'

type Texts<Name extends string> = Readonly<Record<Name, string>>

/** Returns the function that looks up texts by their names, and puts values in place of `{names}`. */
export function textsIn<Name extends string>(tables: Readonly<Record<Language, Texts<Name>>>) {
  const texts = tables[language]
  return (name: Name, values: Readonly<Record<string, string | number>> = {}): string =>
    texts[name].replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole))
}
