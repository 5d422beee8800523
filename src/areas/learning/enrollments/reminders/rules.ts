import type { Explained } from '#src/areas/learning/access/index.ts'
import { toId } from '#src/kit/ids.ts'

/** How long before the end of access the person is reminded. */
export const AHEAD_MS = 7 * 24 * 3600_000

/** Whether access ends soon: nothing ends for the person where another reason continues, or access is held. */
export const isEnding = ({ at, access }: Explained, endsAt: Date): boolean =>
  access.state === 'active' &&
  access.until?.getTime() === endsAt.getTime() &&
  endsAt.getTime() - at.getTime() <= AHEAD_MS

/** The address of a course, or of one of its lessons, for those who learn in it. */
export const learningPath = (courseId: string, lessonId?: string): string =>
  ['/learn', toId('crs', courseId), ...(lessonId === undefined ? [] : [toId('les', lessonId)])].join('/')
