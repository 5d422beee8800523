import { operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { viewerOf } from '../post/access.ts'
import { countTags, listTags } from './queries.ts'
import { PostTagPage, PostTagsQuery } from './schema.ts'

const listPostTags = operation({
  id: 'listPostTags',
  route: 'GET /posts/tags',
  summary: 'List post tags',
  description:
    'Lists the tags of posts with the number of posts for each. Only posts that the caller can list are counted.',
  scope: 'posts:read',
  who: 'anyone',
  mode: 'read',
  query: PostTagsQuery,
  returns: PostTagPage,
  async handle(context) {
    const { db, school, caller } = context
    const viewer = viewerOf(caller)
    const found = await listTags(db, school.id, viewer, parsePage(context))
    return buildPage(context, found, {
      positionOf: ({ tag }) => [tag],
      viewsOf: rows => rows.map(({ tag, count }) => ({ tag, post_count: count })),
      total: () => countTags(db, school.id, viewer),
    })
  },
})

/** The operations of post tags. */
export const tagOperations = [listPostTags]
