import type { Static } from 'typebox'
import type { CategoryRow } from './queries.ts'
import type { Category } from './schema.ts'

/** A category as everybody sees it. */
export const categoryView = (row: CategoryRow): Static<typeof Category> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  parent_id: row.parent_id,
  position: row.position,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
