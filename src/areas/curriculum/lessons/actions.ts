import type { Static } from 'typebox'
import type { ContentInput } from '#src/areas/contents/index.ts'
import { addVersion, BLANK, bodyFor, contentView, currentContent } from '#src/areas/contents/index.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { Looking } from '../access.ts'
import { storeFirstVersion } from '../ordering/queries.ts'
import { findLesson, type LessonRow } from '../outline/queries.ts'
import type { LessonValues } from '../outline/rules.ts'
import type { Lesson, LessonInput, LessonLine } from './schema.ts'

/** A lesson without what it holds; to those who run the course with when it was archived. */
export const lineView = (row: LessonRow, runs: boolean): Static<typeof LessonLine> => ({
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
  ...(runs ? { archived_at: row.archived_at?.toISOString() ?? null } : {}),
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

type Showing = Looking & { keyFor(purpose: string): Buffer }

/** A lesson with what it holds, as it is shown to who may read it. */
export const lessonView = async (looking: Showing, row: LessonRow, runs: boolean): Promise<Static<typeof Lesson>> => {
  const content = await currentContent(looking.db, looking.school.id, row)
  return { ...lineView(row, runs), ...(await contentView(looking, content, runs)) }
}

/** A lesson that was stored in this transaction, as those see it who run its course. */
export const storedView = async (looking: Showing, id: string): Promise<Static<typeof Lesson>> => {
  const row = await findLesson(looking.db, looking.school.id, id)
  if (row === undefined) throw new Error('a lesson that was stored is not there')
  return lessonView(looking, row, true)
}

/** The settings of a lesson after what somebody said of them; refuses a name with nothing visible. */
export const settingsOf = (before: LessonValues, said: LessonInput): LessonValues => {
  const name = said.name === undefined ? before.name : cleanLine(said.name, 200)
  if (name === '')
    throw new Refusal(invalidBody, 'The name cannot be read.', {
      errors: [{ pointer: '/name', code: 'empty', message: 'has nothing visible' }],
    })
  const { status = before.status, preview = before.preview } = said
  const { required_for_completion = before.required_for_completion } = said
  const { duration_seconds = before.duration_seconds } = said
  return { name, type: before.type, status, preview, required_for_completion, duration_seconds }
}

const VALUES = ['name', 'status', 'preview', 'required_for_completion', 'duration_seconds'] as const

/** Which settings of a lesson differ. */
export const changedSettings = (before: LessonValues, after: LessonValues): string[] =>
  VALUES.filter(name => before[name] !== after[name])

/** Writes the text of a lesson that holds nothing yet; its course is held, or being made. */
export const addContent = async (
  where: { readonly db: Db; readonly school: Pick<School, 'id'>; readonly now: Date },
  lessonId: string,
  { authorId, ...said }: Pick<ContentInput, 'body' | 'embed_url'> & { readonly authorId?: string },
): Promise<void> => {
  const text = { embed_url: said.embed_url ?? null }
  await addVersion({ ...where, authorId }, { id: lessonId, version: 0 }, { ...BLANK, ...bodyFor(BLANK, said), ...text })
  await storeFirstVersion(where.db, where.school.id, lessonId)
}
