import type { FieldError } from '#src/contract/problem.ts'
import { isLocale, isTimeZone } from '#src/kit/locale.ts'
import { isEmail } from '#src/kit/text.ts'
import type { Settings } from './schema.ts'

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** The errors of settings that fit their schema; empty when they can be stored. */
export const errorsOfSettings = (settings: Settings): FieldError[] => {
  const faults: FieldError[] = []
  const fieldError = (field: keyof Settings, code: string, message: string) =>
    faults.push({ pointer: `/${field}`, code, message })
  const { contact_email: email } = settings
  if (email !== null && !isEmail(email)) fieldError('contact_email', 'email', 'is not an e-mail address')
  if (!isTimeZone(settings.time_zone)) fieldError('time_zone', 'time_zone', 'is not an IANA time zone')
  if (!currencies.has(settings.currency)) fieldError('currency', 'currency', 'is not an ISO 4217 currency')
  if (!settings.supported_locales.every(isLocale))
    fieldError('supported_locales', 'locale', 'has a tag that is not a canonical language tag')
  if (new Set(settings.supported_locales).size < settings.supported_locales.length)
    fieldError('supported_locales', 'unique', 'names a language twice')
  if (!settings.supported_locales.includes(settings.locale))
    fieldError('locale', 'supported', 'is not one of supported_locales')
  return faults
}
