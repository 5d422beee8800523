import type { Static } from 'typebox'
import { type Content, contentView } from '#src/areas/courses/contents/index.ts'
import { warningsOfTexts } from '#src/contract/body.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import type { Body } from '#src/kit/body/render.ts'
import { picked } from '#src/kit/patch.ts'
import { lessonWarnings, requirementWarnings } from '../hooks.ts'
import { settingNames } from '../nodes/schema.ts'
import type { LessonRow } from './queries.ts'
import type { ChangedLesson, Lesson, LessonLine } from './schema.ts'

/** A lesson without its content; those who manage the course also see when it was archived. */
export const lineView = (row: LessonRow, canManage: boolean): Static<typeof LessonLine> => ({
  id: row.id,
  course_id: row.course_id,
  section_id: row.section_id,
  name: row.name,
  type: row.type,
  ...picked(row, settingNames),
  version: row.version,
  ...(canManage ? { archived_at: row.archived_at } : {}),
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** A lesson with its content, for a caller who may read it. */
export const lessonView = async (
  context: Pick<ReadContext<Caller>, 'db' | 'school' | 'caller' | 'keyFor'>,
  { lesson, content, canManage = true }: { lesson: LessonRow; content: Content; canManage?: boolean },
): Promise<Static<typeof Lesson>> => ({
  ...lineView(lesson, canManage),
  ...(await contentView(context, content, canManage)),
})

type Changed = {
  readonly view: Static<typeof Lesson>
  /** Its text, where that may have changed. */
  readonly text?: Body
  readonly changesRequirements?: boolean
}

/**
 * A lesson with the warnings about what it lacks, about its text, and about what a change of the requirements of its course
 * does; a draft and an archived lesson lack nothing.
 */
export const withWarnings = async (
  { db, school }: Pick<AsCaller, 'db' | 'school'>,
  { id, course_id: courseId, status, archived_at: archivedAt }: LessonRow,
  { view, text, changesRequirements = false }: Changed,
): Promise<Static<typeof ChangedLesson>> => {
  const place = { db, school }
  const lacks = status === 'published' && archivedAt === null ? await lessonWarnings.call({ lessonId: id }, place) : []
  const reaches = changesRequirements ? await requirementWarnings.call({ courseId }, place) : []
  const ofText = text === undefined ? [] : warningsOfTexts('lesson', [text])
  return { ...view, warnings: [...[...lacks, ...reaches].flat(), ...ofText] }
}
