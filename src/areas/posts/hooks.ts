import { hook } from '#src/contract/hook.ts'

/** Called for the number of published comments on some posts, by their ids. */
export const postCommentCounts = hook<{ readonly postIds: readonly string[] }, ReadonlyMap<string, number>>(
  'postCommentCounts',
)
