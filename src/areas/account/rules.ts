import type { Static } from 'typebox'
import type { Fault } from '#src/contract/problem.ts'
import { isLocale, isTimeZone } from '#src/kit/place.ts'
import type { Profile } from './schema.ts'

/** What is wrong with a profile that fits its schema; empty when it can be stored. */
export const faultsOfProfile = ({
  locale,
  time_zone,
}: Pick<Static<typeof Profile>, 'locale' | 'time_zone'>): Fault[] => [
  ...(locale === null || isLocale(locale)
    ? []
    : [{ pointer: '/locale', code: 'locale', message: 'is not a canonical language tag' }]),
  ...(time_zone === null || isTimeZone(time_zone)
    ? []
    : [{ pointer: '/time_zone', code: 'time_zone', message: 'is not an IANA time zone' }]),
]
