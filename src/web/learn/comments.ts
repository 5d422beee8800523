import { CommentableSubject, CommentPage } from '#src/areas/publishing/index.ts'
import type { Html } from '#src/kit/html.ts'
import { toId } from '#src/kit/ids.ts'
import { commentsPart } from '#src/web/site/index.ts'
import type { LearnContext } from './parts.ts'

/** The comments on a lesson or a post that the person reads, by its id on the wire. */
export const commentsOn = async (context: LearnContext, subjectId: string): Promise<Html | false> => {
  const params = { subject: subjectId }
  const query = [
    ['subject', subjectId],
    ['sort', '-created_at'],
    ['limit', '100'],
  ] as const
  const [{ mode }, page] = await Promise.all([
    context.call({ operation: 'getCommentSubject', params, returns: CommentableSubject }),
    context.call({ operation: 'listComments', query, returns: CommentPage }),
  ])
  return commentsPart({
    subjectId,
    comments: page.data.toReversed(),
    hasMore: page.has_more,
    isOpen: mode === 'open' || mode === 'approval',
    readerId: toId('mem', context.viewer.id),
    language: context.language,
    timeZone: context.timeZone,
  })
}
