import type { Static } from 'typebox'
import type { PostCategoryRow } from './queries.ts'
import type { PostCategory } from './schema.ts'

/** A category of posts as everybody sees it. */
export const postCategoryView = (row: PostCategoryRow): Static<typeof PostCategory> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  position: row.position,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
