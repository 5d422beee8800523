import { CommentableSubject, CommentPage } from '#src/areas/publishing/index.ts'
import type { Html } from '#src/kit/html.ts'
import { commentsPart } from '#src/web/site/index.ts'
import type { LearnPagesParts } from './parts.ts'
import { read, type Visit } from './visit.ts'

/** The comments on a lesson or a post that the person reads, by its id on the wire. */
export const commentsOn = async (visit: Visit, parts: LearnPagesParts, subjectId: string): Promise<Html | false> => {
  const params = { subject: subjectId }
  const query = [
    ['subject', subjectId],
    ['sort', '-created_at'],
    ['limit', '100'],
  ] as const
  const [{ mode }, page] = await Promise.all([
    read(visit, parts, { operation: 'getCommentSubject', params, returns: CommentableSubject }),
    read(visit, parts, { operation: 'listComments', query, returns: CommentPage }),
  ])
  return commentsPart({
    subjectId,
    comments: page.data.toReversed(),
    hasMore: page.has_more,
    isOpen: mode === 'open' || mode === 'approval',
    language: visit.language,
    timeZone: visit.timeZone,
  })
}
