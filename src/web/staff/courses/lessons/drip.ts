import type { Phrase } from '#src/contract/language.ts'
import { formatDate } from '#src/kit/format.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { DripView } from './lesson-fields.ts'

const { studio: text } = texts.staff.lessons

type Rule = Pick<DripView, 'mode' | 'value' | 'date' | 'local_time'>

const phrases: Readonly<Record<Rule['mode'], Phrase>> = text.opens

/** When a lesson opens, in a few words. */
export const describeDrip = ({ mode, value, date, local_time: time }: Rule, { t, language }: StaffContext): string => {
  const isAtOnce = mode === 'after_previous' && !value
  const said = t(isAtOnce ? text.opensAfterPrevious : phrases[mode], {
    n: value ?? 0,
    day: date === null ? '' : formatDate(date, language, 'short'),
  })
  return time === null ? said : `${said}, ${time}`
}
