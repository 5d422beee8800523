import type { Html } from '#src/kit/html.ts'
import { commentsPart } from './pages/comments.ts'
import type { PageRequest } from './respond.ts'

/** The comments that anybody reads on something, below its page; for courses, posts and events. */
export const commentsBelow = async ({ reads, language }: PageRequest, subjectId: string): Promise<Html | false> => {
  const [{ mode }, { data, has_more: hasMore }, { time_zone: timeZone }] = await Promise.all([
    reads.commented(subjectId),
    reads.comments(subjectId),
    reads.school(),
  ])
  const isOpen = mode === 'open' || mode === 'approval'
  return commentsPart({ subjectId, comments: data.toReversed(), hasMore, isOpen, language, timeZone })
}
