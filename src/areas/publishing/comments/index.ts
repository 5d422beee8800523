import { area } from '#src/contract/area.ts'
import { commentMetrics } from './comment/metrics.ts'
import { commentOperations } from './comment/operations.ts'
import { implementations } from './implementations.ts'
import { moderationOperations } from './moderation/operations.ts'
import { createDigest } from './notices/jobs.ts'
import { commentMails } from './notices/mails.ts'
import { DIGEST_JOB } from './notices/queries.ts'
import { onCommentCreated, onCommentReported, onCommentRestored } from './notices/subscribers.ts'
import { accountCommentOperations } from './own/operations.ts'
import { commentRepeated } from './own/rules.ts'
import { reportOperations } from './reports/operations.ts'

export { Comment, CommentableSubject, CommentPage } from './comment/schema.ts'
export { MutePage } from './moderation/schema.ts'
export { insertComment, type NewCommentValues } from './own/queries.ts'
export { computeHash, renderComment } from './own/text.rules.ts'
export { ReportPage, reportReasons } from './reports/schema.ts'

/** Comments on posts, courses, lessons and events, their reports, and what the staff do about them. */
export const comments = area({
  name: 'comments',
  operations: [...commentOperations, ...reportOperations, ...accountCommentOperations, ...moderationOperations],
  hooks: implementations,
  subscribers: {
    'comment.created': onCommentCreated,
    'comment.restored': onCommentRestored,
    'comment.reported': onCommentReported,
  },
  jobs: { [DIGEST_JOB]: ({ database }) => createDigest(database) },
  mails: Object.values(commentMails),
  constraints: { comments_repeated: commentRepeated },
  metrics: commentMetrics,
})
