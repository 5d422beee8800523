import type { Static } from 'typebox'
import type { GroupRow } from './queries.ts'
import type { Group } from './schema.ts'

/** A group as staff read it. */
export const groupView = ({ name_folded: _, ...row }: GroupRow): Static<typeof Group> => ({
  ...row,
  id: row.id,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
