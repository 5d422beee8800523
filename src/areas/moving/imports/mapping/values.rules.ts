import { isLocale, isTimeZone } from '#src/kit/locale.ts'
import { cleanEmail, cleanLine, cleanPhone, fold, isEmail } from '#src/kit/text.ts'
import { readDate } from './dates.rules.ts'
import { formats } from './fields.rules.ts'
import { readBoolean, readSubscription } from './words.rules.ts'

/** Reads a cell as an e-mail address, also where it is a link or has a name before it; undefined where it is none. */
export const readEmail = (text: string): string | undefined => {
  if (!text.includes('@')) return undefined
  const [, bracketed] = /<\s*([^<>\s]+)\s*>\s*$/.exec(text) ?? []
  const email = cleanEmail((bracketed ?? text).replace(/^mailto:/i, ''))
  return isEmail(email) ? email : undefined
}

/** Whether a cell is an id of Stoa, such as mem_…, by which other systems do not know anybody. */
export const isOwnId = (text: string): boolean => /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)

/** The value of a choice that a cell has, in any case and without accents; undefined where it has none. */
export const findOption = (text: string, options: readonly string[]): string | undefined =>
  options.find(option => option === text) ?? options.find(option => fold(option) === fold(text))

const PHONE = /^\+?[0-9 ()./-]{3,40}$/

const SEVERAL_PHONES = /:::|[;|\n]/

/** Whether a cell has several telephone numbers. */
export const hasSeveralPhones = (text: string): boolean => SEVERAL_PHONES.test(text)

/** Reads a cell as a telephone number, the first of several; undefined where it is none. */
export const readPhone = (text: string): string | undefined => {
  const [first = ''] = text.split(SEVERAL_PHONES)
  const phone = cleanPhone(first)
    .replace(/^(?:[a-z]+\.?|p):? ?(?=[+(0-9])/i, '')
    .trim()
  return PHONE.test(phone) && phone.replace(/\D/g, '').length > 2 ? phone : undefined
}

// Languages that people of European schools speak, by whose names a cell may say them.
const LANGUAGES = (
  'en pt es de fr it nl ca eu gl da sv nb nn no fi is et lv lt pl cs sk sl hr sr bs hu ro bg el tr ru uk be sq mk mt ga ' +
  'cy lb ar he fa hi ur bn ta zh ja ko vi th id ms sw tl'
).split(' ')

let languageNames: ReadonlyMap<string, string> | undefined

const nameLanguages = (): ReadonlyMap<string, string> =>
  new Map(
    LANGUAGES.flatMap(tag =>
      ['en', 'pt', 'es', 'de', 'fr', tag].map(
        locale => [fold(new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag), tag] as const,
      ),
    ),
  )

const TAG = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/

const canonicalTag = (text: string): string | undefined => {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text.replaceAll('_', '-').replace(/\..*$/, ''))
    return TAG.test(tag) && isLocale(tag) ? tag : undefined
  } catch {
    return undefined
  }
}

const readLanguage = (text: string): string | undefined => {
  languageNames ??= nameLanguages()
  return languageNames.get(fold(text)) ?? canonicalTag(text)
}

// A column has the same few languages in every row.
const MAX_KEPT = 500
const languages = new Map<string, string | undefined>()

/** Reads a cell as a language tag, also by the name of the language; undefined where it is none. */
export const readLocale = (text: string): string | undefined => {
  if (languages.has(text)) return languages.get(text)
  const tag = readLanguage(text)
  if (languages.size === MAX_KEPT) languages.clear()
  languages.set(text, tag)
  return tag
}

let zoneNames: ReadonlyMap<string, string> | undefined

const nameZones = (): ReadonlyMap<string, string> =>
  new Map(Intl.supportedValuesOf('timeZone').map(zone => [zone.toLowerCase(), zone]))

/** Reads a cell as an IANA time zone; undefined where it is none. */
export const readZone = (text: string): string | undefined => {
  const name = text.trim().replaceAll(' ', '_')
  zoneNames ??= nameZones()
  const known = zoneNames.get(name.toLowerCase())
  if (known !== undefined) return known
  return /^[A-Za-z]/.test(name) && name.length <= 64 && isTimeZone(name) ? name : undefined
}

/** Whether a cell is a date with something between day, month and year. */
export const isDateLike = (text: string): boolean =>
  !/^\d+$/.test(text) && (formats.date ?? []).some(format => readDate(text, format) !== undefined)

/**
 * Reads a cell as whether a person wants news. A date is when they said so. By the format a yes grants the consent or takes it
 * back; a word such as subscribed says it by itself.
 */
export const readConsent = (text: string, format: string): boolean | undefined => {
  const isGranted = readSubscription(text)
  if (isGranted !== undefined) return isGranted
  const isYes = readBoolean(text) ?? (isDateLike(text) ? true : undefined)
  return isYes === undefined ? undefined : isYes === (format !== 'withdrawn')
}

const SEPARATORS = /[,;|\n]|:::/

/** The parts of a cell that names several things, each once. */
export const splitList = (text: string, format: string): string[] => {
  const parts = text.split(format === 'bars' ? '|' : SEPARATORS)
  // Mailchimp puts each tag into quotation marks, and Google a star before its own groups.
  const names = parts.map(part =>
    cleanLine(part, part.length)
      .replace(/^"(.*)"$|^\* /, '$1')
      .trim(),
  )
  return [...new Set(names)].filter(name => name !== '')
}
