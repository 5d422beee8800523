import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { implementations } from './implementations.ts'
import { createMailing, MAILING_JOB } from './mailings/jobs.ts'
import { postMails } from './mailings/mails.ts'
import { mailingOperations } from './mailings/operations.ts'
import { copyOperations } from './post/copies.operations.ts'
import { postMetrics } from './post/metrics.ts'
import { postDeletions, postOperations } from './post/operations.ts'
import { postExternalIdTaken } from './post/rules.ts'
import { statusOperations } from './status/operations.ts'
import { postStatus } from './status/queries.ts'
import { tagOperations } from './tags/operations.ts'
import { versionOperations } from './versions/operations.ts'

export { renderedPost } from './content/rules.ts'
export { PostMailing } from './mailings/schema.ts'
export { binPost } from './post/bin.writes.ts'
export { countPublicPosts, listPublicPosts } from './post/queries.ts'
export { Post, PostPage } from './post/schema.ts'
export { addPost, type NewPost } from './post/writes.ts'
export { postStatus } from './status/queries.ts'
export { PostVersionPage } from './versions/operations.ts'

/** The posts of a school: what they say in versions, who may read it, and when they are published. */
export const posts = area({
  name: 'posts',
  operations: [
    ...postOperations,
    ...statusOperations,
    ...versionOperations,
    ...copyOperations,
    ...postDeletions,
    ...tagOperations,
    ...mailingOperations,
  ],
  hooks: implementations,
  jobs: {
    ...postStatus.jobs,
    [MAILING_JOB]: { create: ({ database }) => createMailing(database), atOnce: 1 },
  },
  mails: Object.values(postMails),
  constraints: { posts_slug: slugTaken, posts_external_id: postExternalIdTaken },
  metrics: postMetrics,
})
