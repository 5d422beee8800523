import { fill } from '#src/contract/language.ts'
import { formatDay, formatEnd } from '#src/kit/format.ts'
import type { EnrollmentView } from '../own-course.ts'
import { learnText } from '../text.ts'
import type { Visit } from '../visit.ts'

const { why } = learnText

/** Why somebody cannot use a course now, in words; undefined where they can. */
export const whyClosed = (
  { access }: Pick<EnrollmentView, 'access'>,
  { language, timeZone }: Pick<Visit, 'language' | 'timeZone'>,
): string | undefined => {
  const { state, from, until } = access
  const on = (instant: string) => ({ day: formatDay(instant, timeZone, language) })
  if (state === 'active') return undefined
  if (state === 'upcoming') return from === null ? fill(why.soon, language) : fill(why.upcoming, language, on(from))
  if (state === 'ended')
    return until === null
      ? fill(why.ended, language)
      : fill(why.endedOn, language, { day: formatEnd(until, timeZone, language) })
  return fill(why[state], language)
}
