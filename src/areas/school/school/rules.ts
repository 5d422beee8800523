import { type FieldError, problem } from '#src/contract/problem.ts'
import { isLocale, isTimeZone } from '#src/kit/locale.ts'
import { isCurrency } from '#src/kit/money.ts'
import { isEmail } from '#src/kit/text.ts'
import type { Settings } from './schema.ts'

/** What the first school of an installation is called until its owner names it. */
export const FIRST_NAME = 'My school'

/** There are amounts in the present currency of the school. */
export const currencyInUse = problem(
  409,
  'currency_in_use',
  'The currency of the school is in use',
  'A school sells in one currency, and what it sells or is owed has amounts in it. `uses` says what has them, and how often. Retire all prices with DELETE /courses/{course_id}/prices/{price_id}, change the currency, and create the prices again.',
)

/** The errors of settings that fit their schema, in place of those before; empty when they can be stored. */
export const errorsOfSettings = (settings: Settings, before: Pick<Settings, 'currency'>): FieldError[] => {
  const faults: FieldError[] = []
  const fieldError = (field: keyof Settings, code: string, message: string) =>
    faults.push({ pointer: `/${field}`, code, message })
  const { contact_email: email } = settings
  if (email !== null && !isEmail(email)) fieldError('contact_email', 'email', 'is not an e-mail address')
  if (!isTimeZone(settings.time_zone)) fieldError('time_zone', 'time_zone', 'is not an IANA time zone')
  if (settings.currency !== before.currency && !isCurrency(settings.currency))
    fieldError('currency', 'currency', 'is not an ISO 4217 currency')
  if (!settings.supported_locales.every(isLocale))
    fieldError('supported_locales', 'locale', 'has a tag that is not a canonical language tag')
  if (new Set(settings.supported_locales).size < settings.supported_locales.length)
    fieldError('supported_locales', 'unique', 'names a language twice')
  if (!settings.supported_locales.includes(settings.locale))
    fieldError('locale', 'supported', 'is not one of supported_locales')
  return faults
}
