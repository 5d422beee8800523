import type { Static } from 'typebox'
import { toInstant } from '#src/kit/local-time.ts'
import type { ExtensionRow } from './queries.ts'
import type { Extension } from './schema.ts'

/** The deadline of an extension as a local time and as an instant. */
export const extendedDue = ({ due_local: local, due_time_zone: time_zone }: ExtensionRow) => ({
  local,
  time_zone,
  utc: toInstant({ local, time_zone }),
})

/** The deadline extension of a student. */
export const extensionView = (row: ExtensionRow): Static<typeof Extension> => ({
  student_id: row.member_id,
  lesson_id: row.lesson_id,
  due_at: extendedDue(row),
  note: row.note,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
