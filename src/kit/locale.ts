/** Whether a name is an IANA time zone; offsets such as +01:00 are not. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
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

// The country whose notation a language has that is named without one.
const COUNTRIES: Readonly<Record<string, string>> = { en: 'en-GB', pt: 'pt-PT' }

/** The tag by which dates and numbers are written: that of a locale, or of a language in the country of our pages. */
export const tagOf = (locale: string): string => COUNTRIES[locale] ?? locale
