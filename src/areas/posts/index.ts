import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { implementations } from './implementations.ts'
import { copyOperations } from './post/copies.operations.ts'
import { postMetrics } from './post/metrics.ts'
import { postDeletions, postOperations } from './post/operations.ts'
import { postExternalIdTaken } from './post/rules.ts'
import { publishScheduled } from './status/jobs.ts'
import { statusOperations } from './status/operations.ts'
import { PUBLICATION_JOB } from './status/queries.ts'
import { tagOperations } from './tags/operations.ts'
import { versionOperations } from './versions/operations.ts'

export { renderedPost } from './content/rules.ts'
export { lockPost } from './post/access.ts'
export { postExamples } from './post/operations.ts'
export { countPublicPosts, listPublicPosts, type PostRow } from './post/queries.ts'
export { Post, PostPage, PostRef } from './post/schema.ts'
export { addPost } from './post/writes.ts'
export { findMailedPost, storeMailed } from './status/mailed.queries.ts'
export { storePostStatus } from './status/writes.ts'
export { PostVersionPage } from './versions/schema.ts'

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
  ],
  hooks: implementations,
  jobs: { [PUBLICATION_JOB]: () => publishScheduled },
  constraints: { posts_slug: slugTaken, posts_external_id: postExternalIdTaken },
  metrics: postMetrics,
})
