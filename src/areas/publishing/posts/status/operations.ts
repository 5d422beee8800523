import { publishable } from '#src/contract/publishable.ts'
import { texts } from '#src/texts/index.ts'
import { getPost, lockPost } from '../post/access.ts'
import { postExamples } from '../post/operations.ts'
import { Post, PostRef } from '../post/schema.ts'
import { postView } from '../post/views.ts'
import { postStatus } from './queries.ts'

/** The operations that change the status of a post. */
export const { operations: statusOperations } = publishable(postStatus, {
  scope: 'posts:write',
  path: '/posts/:post_id',
  params: PostRef,
  returns: Post,
  called: ['a post', 'post'],
  lock: lockPost,
  get: getPost,
  view: postView,
  publish: {
    description:
      'Publishes a post now, or at the instant in `at`. A scheduled post can be published now or rescheduled in the same way.',
    example: postExamples.draft,
    effect: texts.publishing.posts.status.operations.published,
  },
  unpublish: {
    description: 'Turns a published or scheduled post back into a draft, which its author and staff alone find.',
    example: postExamples.draft,
  },
  archive: {
    description: 'Archives a published post, which its author and staff alone find from now on.',
    example: postExamples.news,
  },
})
