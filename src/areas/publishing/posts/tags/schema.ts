import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'

const PostTag = Type.Object(
  {
    tag: Type.String({ description: 'The value for the parameter `tag` of GET /posts' }),
    post_count: Type.Integer({ minimum: 1, description: 'The number of posts that the caller can list' }),
  },
  { additionalProperties: false, title: 'PostTag' },
)

/** One page of the tags of posts. */
export const PostTagPage = PageOf(PostTag, 'PostTagPage')

/** The query parameters of the list of tags. */
export const PostTagsQuery = Type.Object({ ...PageQuery })
