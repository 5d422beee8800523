import { toId } from '#src/kit/ids.ts'
import type { SectionRow } from './queries.ts'
import type { SectionView } from './schema.ts'

/** A section with the ids of its lessons; those who manage the course also see when it was archived. */
export const sectionView = (row: SectionRow, lessonIds: readonly string[], canManage = true): SectionView => ({
  id: toId('sec', row.id),
  course_id: toId('crs', row.course_id),
  name: row.name,
  lesson_ids: lessonIds.map(id => toId('les', id)),
  ...(canManage ? { archived_at: row.archived_at?.toISOString() ?? null } : {}),
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
