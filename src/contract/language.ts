import { formatMoney } from '#src/kit/format.ts'
import { isLanguage, type Language, toTag } from '#src/kit/locale.ts'
import { inEach, type Phrase, sentenceIn } from '#src/texts/index.ts'
import type { School } from './school.ts'
import { nameCookie } from './session-cookie.ts'

export type { Language } from '#src/kit/locale.ts'
export { fill, fillEach, inEach, type Phrase, sentenceIn } from '#src/texts/index.ts'

const formatName = (locale: string): string => locale.toLowerCase().split('-')[0] ?? ''

/** Whether our pages exist in the language of a locale. */
export const isSupported = (locale: string): boolean => isLanguage(formatName(locale))

/** The language of our pages for a locale such as `pt-PT`; English for a locale that is not supported. */
export const toLanguage = (locale: string): Language => {
  const name = formatName(locale)
  return isLanguage(name) ? name : 'en'
}

/** An amount in minor units with its currency, in every language. */
export const formatMoneyInEach = (amount: number, currency: string): Phrase =>
  inEach(language => formatMoney(amount, currency, language))

/** Sentences one after the other. */
export const joinPhrases = (...phrases: readonly Phrase[]): Phrase =>
  inEach(language => phrases.map(phrase => sentenceIn(phrase, language)).join(' '))

/** Things as a list in a language: `a, b and c`. */
export const listIn = (things: readonly string[], language: Language): string =>
  new Intl.ListFormat(toTag(language)).format(things)

// RFC 9110 §12.4.2, §12.5.4: by descending weight, in the order of the header where weights are equal.
const acceptedLanguages = (header: string): string[] =>
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

/** The sources of the language of a page, in the order of precedence. */
type LanguagePreferences = {
  /** `ui_locales` of the authorization request. */
  readonly uiLocales?: string | undefined
  /** The locale of the signed-in member. */
  readonly member?: string | null | undefined
  /** What was chosen on a page in this browser. */
  readonly chosen?: string | undefined
  /** `Accept-Language` of the browser. */
  readonly browser?: string | undefined
  readonly school: string
}

/** The language of a page: the first supported preference, or that of the school. */
export const chooseLanguage = (preferences: LanguagePreferences): Language => {
  const { uiLocales = '', member, chosen, browser = '', school } = preferences
  const inOrder = [...uiLocales.split(' '), member ?? '', chosen ?? '', ...acceptedLanguages(browser)]
  return toLanguage(inOrder.find(isSupported) ?? school)
}

/** What a request says of the language of its reader. */
type LanguageRequest = {
  /** Undefined where its host has none. */
  readonly school: School | undefined
  header(name: 'accept-language'): string | undefined
  /** Undefined where it has no cookies. */
  readonly cookie: ((name: string) => string | undefined) | undefined
}

/** The language of the response to a request: what the reader chose in this browser comes before what the browser prefers. */
export const languageFor = (
  { school, header, cookie }: LanguageRequest,
  { uiLocales, member }: Pick<LanguagePreferences, 'uiLocales' | 'member'> = {},
): Language =>
  chooseLanguage({
    uiLocales,
    member,
    chosen: school && cookie?.(nameCookie(school, 'language')),
    browser: header('accept-language'),
    school: school?.locale ?? 'en',
  })
