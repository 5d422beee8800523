import type { SectionRow } from './queries.ts'
import type { SectionView } from './schema.ts'

/** A section with the ids of its lessons; those who manage the course also see when it was archived. */
export const sectionView = (row: SectionRow, lessonIds: readonly string[], canManage = true): SectionView => ({
  id: row.id,
  course_id: row.course_id,
  name: row.name,
  lesson_ids: [...lessonIds],
  ...(canManage ? { archived_at: row.archived_at } : {}),
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
