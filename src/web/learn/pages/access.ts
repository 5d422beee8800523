import { fill } from '#src/contract/language.ts'
import { dayIn } from '#src/web/site/index.ts'
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
  const on = (instant: string) => ({ day: dayIn(instant, timeZone, language) })
  if (state === 'active') return undefined
  if (state === 'upcoming') return from === null ? fill(why.soon, language) : fill(why.upcoming, language, on(from))
  if (state === 'ended') return until === null ? fill(why.ended, language) : fill(why.endedOn, language, on(until))
  return fill(why[state], language)
}
