import type { FieldError } from '#src/contract/problem.ts'
import { isLocale, isTimeZone } from '#src/kit/locale.ts'
import { isLine } from '#src/kit/text.ts'
import type { Member } from './queries.ts'

/** The fields that people change in their own profile. */
export type Profile = Pick<Member, 'name' | 'locale' | 'time_zone'>

/** How long the parts of a profile may be, and how a language tag is spelled. */
export const profileLimits = { name: 120, timeZone: 64, locale: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$' } as const

const spelled = new RegExp(profileLimits.locale)

/** Whether a text can be the name of a person. */
export const isName = (name: string): boolean =>
  name !== '' && isLine(name) && Array.from(name).length <= profileLimits.name

/** The errors of a profile; empty when it can be stored. */
export const errorsOfProfile = ({ name, locale, time_zone: zone }: Profile): FieldError[] => [
  ...(isName(name)
    ? []
    : [{ pointer: '/name', code: 'name', message: 'is empty, too long or not a single visible line' }]),
  ...(locale === null || (spelled.test(locale) && isLocale(locale))
    ? []
    : [{ pointer: '/locale', code: 'locale', message: 'is not a canonical language tag' }]),
  ...(zone === null || (zone.length <= profileLimits.timeZone && isTimeZone(zone))
    ? []
    : [{ pointer: '/time_zone', code: 'time_zone', message: 'is not an IANA time zone' }]),
]
