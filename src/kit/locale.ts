import { dateFormat } from './intl.ts'

/** Whether a name is an IANA time zone; offsets such as +01:00 are not. */
export const isTimeZone = (name: string): boolean => {
  try {
    dateFormat('en', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/** Whether a tag is a language tag in its canonical form (BCP 47). */
export const isLocale = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag
  } catch {
    return false
  }
}

/**
 * The languages of Stoa's own pages, each with the locale whose notation and plurals it has. A language is one more line here,
 * and its texts in src/texts.
 */
export const LANGUAGES = { en: 'en-GB', es: 'es-ES', pt: 'pt-PT' } as const

/** A language of Stoa's own pages. */
export type Language = keyof typeof LANGUAGES

/** Whether our pages exist in a language. */
export const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name)

/** The languages of our pages; the first declares the keys of the texts, and stands in for others. */
export const languages = Object.keys(LANGUAGES).filter(isLanguage)

/** The tag by which dates and numbers are written: that of a locale, or of a language in the country of our pages. */
export const toTag = (locale: string): string => (isLanguage(locale) ? LANGUAGES[locale] : locale)

// The scripts of living languages that are written from right to left (Unicode Standard Annex 24).
const RIGHT_TO_LEFT = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']

/** Whether a page in a locale, or in a language of our pages, begins at its right edge. */
export const isRightToLeft = (locale: string): boolean =>
  isLocale(locale) && RIGHT_TO_LEFT.includes(new Intl.Locale(toTag(locale)).maximize().script ?? '')
