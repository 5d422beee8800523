/** The languages Stoa's own pages speak. */
export type Language = 'en' | 'pt'

/** A sentence in every language. */
export type Phrase = { readonly [language in Language]: string }

/** Whether our pages speak the language of a locale. */
export const isSupported = (locale: string): boolean => /^(?:en|pt)(?:-|$)/i.test(locale)

/** The language of a locale such as `pt-PT`, English when there is none for it. */
export const languageOf = (locale: string): Language => (locale.toLowerCase().split('-')[0] === 'pt' ? 'pt' : 'en')

// RFC 9110 §12.4.2, §12.5.4: languages by how much they are wanted; of equals the first.
const wantedOf = (header: string): string[] =>
  header
    .split(',')
    .map(part => {
      const [tag = '', ...more] = part.split(';')
      const weight = more
        .map(text => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(text)?.[1])
        .find(text => text !== undefined)
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)

/** Whose wish a page's language is, the strongest first. */
export type LanguagePreferences = {
  /** `ui_locales` of the app that asks. */
  readonly asked?: string | undefined
  /** The locale of who is signed in. */
  readonly member?: string | null | undefined
  /** `Accept-Language` of the browser. */
  readonly browser?: string | undefined
  readonly school: string
}

/** The language of a page: the first that is wished for and that we speak, else that of the school. */
export const chooseLanguage = ({ asked = '', member, browser = '', school }: LanguagePreferences): Language =>
  languageOf([...asked.split(' '), member ?? '', ...wantedOf(browser)].find(isSupported) ?? school)

/** A phrase in a language, its `{names}` filled in; who puts it into markup escapes it. */
export const fill = (
  phrase: Phrase,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string => phrase[language].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
