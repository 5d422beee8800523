import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { At, Count, declareFacts, FieldNames, Word } from './declaration.ts'

const scope = 'posts:read'
const post = { post_id: Id('pst') }
const aboutPost = { scope, subject: 'post_id', readBy: 'getPost' } as const
const category = { category_id: Id('pcg') }

/** The facts about the blog of the school. */
export const postFacts = {
  ...declareFacts(
    { ...aboutPost, fields: { ...post, copied_from_id: Type.Optional(Id('pst')) } },
    { 'post.created': 'A post was created.' },
  ),
  ...declareFacts(
    { ...aboutPost, fields: post },
    {
      'post.archived': 'A post was archived.',
      'post.published': 'A post was published.',
      'post.restored': 'A post was restored from the bin.',
      'post.unarchived': 'A post was restored from the archive.',
      'post.unpublished': 'A post was unpublished.',
      'post.unscheduled': 'The scheduled publication of a post was cancelled.',
    },
  ),
  ...declareFacts(
    { scope, subject: 'post_id', fields: post },
    {
      'post.deleted': 'A post was deleted.',
      'post.purged': 'A post that was in the bin was deleted for good.',
    },
  ),
  ...declareFacts(
    { ...aboutPost, fields: { ...post, publish_at: At } },
    { 'post.scheduled': 'A post was scheduled for publication.' },
  ),
  ...declareFacts(
    { ...aboutPost, fields: { ...post, fields: FieldNames, restores: Type.Optional(Count) } },
    { 'post.updated': 'A post changed.' },
  ),
  ...declareFacts(
    { ...aboutPost, fields: { ...post, audience: Word, recipient_count: Count } },
    { 'post.mailed': 'A post was sent to members who agreed to news.' },
  ),
  ...declareFacts(
    { scope, subject: 'category_id', fields: category },
    { 'post_category.created': 'A category of posts was created.' },
  ),
  ...declareFacts(
    { scope, subject: 'category_id', fields: { ...category, fields: FieldNames } },
    { 'post_category.updated': 'A category of posts changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'category_id', fields: { ...category, post_count: Count } },
    { 'post_category.deleted': 'A category of posts was deleted.' },
  ),
  ...declareFacts(
    { scope, fields: { count: Count } },
    { 'post_category.reordered': 'The order of categories of posts changed.' },
  ),
}
