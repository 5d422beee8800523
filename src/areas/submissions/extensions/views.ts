import type { Static } from 'typebox'
import { toId } from '#src/kit/ids.ts'
import type { ExtensionRow } from './queries.ts'
import type { Extension } from './schema.ts'

/** The deadline extension of a student. */
export const extensionView = (row: ExtensionRow): Static<typeof Extension> => ({
  student_id: toId('mem', row.member_id),
  lesson_id: toId('les', row.lesson_id),
  due_at: { local: row.due_local, time_zone: row.due_time_zone, utc: row.due_at.toISOString() },
  note: row.note,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
