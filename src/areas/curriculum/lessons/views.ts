import type { Static } from 'typebox'
import { type Content, contentView } from '#src/areas/contents/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import type { LessonRow } from './queries.ts'
import type { Lesson, LessonLine } from './schema.ts'

/** A lesson without its content; those who manage the course also see when it was archived. */
export const lineView = (row: LessonRow, canManage: boolean): Static<typeof LessonLine> => ({
  id: toId('les', row.id),
  course_id: toId('crs', row.course_id),
  section_id: toId('sec', row.section_id),
  name: row.name,
  type: row.type,
  status: row.status,
  preview: row.preview,
  required_for_completion: row.required_for_completion,
  duration_seconds: row.duration_seconds,
  version: row.version,
  ...(canManage ? { archived_at: row.archived_at?.toISOString() ?? null } : {}),
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** A lesson with its content, for a caller who may read it. */
export const lessonView = async (
  context: Pick<ReadContext<Caller>, 'db' | 'school' | 'caller' | 'keyFor'>,
  { lesson, content, canManage = true }: { lesson: LessonRow; content: Content; canManage?: boolean },
): Promise<Static<typeof Lesson>> => ({
  ...lineView(lesson, canManage),
  ...(await contentView(context, content, canManage)),
})
