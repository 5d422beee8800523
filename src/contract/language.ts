/** The languages Stoa's own pages speak. */
export type Language = 'en' | 'pt'

/** A sentence in every language. */
export type Phrase = { readonly [language in Language]: string }

/** Whether our pages speak the language of a locale. */
export const isSpoken = (locale: string): boolean => /^(?:en|pt)(?:-|$)/i.test(locale)

/** The language of a locale such as `pt-PT`, English when there is none for it. */
export const languageOf = (locale: string): Language => (locale.toLowerCase().split('-')[0] === 'pt' ? 'pt' : 'en')

/** A phrase in a language, its `{names}` filled in; who puts it into markup escapes it. */
export const fill = (
  phrase: Phrase,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string => phrase[language].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
