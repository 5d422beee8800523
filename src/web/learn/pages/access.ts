import { formatEnd } from '#src/kit/format.ts'
import type { EnrollmentView } from '../own-course.ts'
import type { LearnContext } from '../parts.ts'
import { learnText } from '../text.ts'

const { why } = learnText

/** Why somebody cannot use a course now, in words; undefined where they can. */
export const whyClosed = (
  { access }: Pick<EnrollmentView, 'access'>,
  { t, day, language, timeZone }: LearnContext,
): string | undefined => {
  const { state, from, until } = access
  if (state === 'active') return undefined
  if (state === 'upcoming') return from === null ? t(why.soon) : t(why.upcoming, { day: day(from) })
  if (state !== 'ended') return t(why[state])
  return until === null ? t(why.ended) : t(why.endedOn, { day: formatEnd(until, timeZone, language) })
}
