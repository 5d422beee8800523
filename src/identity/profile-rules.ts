import type { FieldError } from '#src/contract/problem.ts'
import { isLocale, isTimeZone } from '#src/kit/locale.ts'
import { isLine } from '#src/kit/text.ts'
import type { Member } from './queries.ts'

/** What a person says about themselves. */
export type Profile = Pick<Member, 'name' | 'locale' | 'time_zone'>

/** How long the parts of a profile may be, and how a language tag is spelled. */
export const profileLimits = { name: 120, timeZone: 64, locale: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$' } as const

const spelled = new RegExp(profileLimits.locale)

/** Whether this can be what a person is called. */
export const isName = (name: string): boolean =>
  name !== '' && isLine(name) && Array.from(name).length <= profileLimits.name

/** What is wrong with a profile; empty when it can be stored. */
export const faultsOfProfile = ({ name, locale, time_zone: zone }: Profile): FieldError[] => [
  ...(isName(name)
    ? []
    : [{ pointer: '/name', code: 'name', message: 'is empty, too long or not one line that can be seen' }]),
  ...(locale === null || (spelled.test(locale) && isLocale(locale))
    ? []
    : [{ pointer: '/locale', code: 'locale', message: 'is not a canonical language tag' }]),
  ...(zone === null || (zone.length <= profileLimits.timeZone && isTimeZone(zone))
    ? []
    : [{ pointer: '/time_zone', code: 'time_zone', message: 'is not an IANA time zone' }]),
]
