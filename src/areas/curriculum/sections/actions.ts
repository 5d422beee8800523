import { toId } from '#src/kit/ids.ts'
import type { Looking } from '../access.ts'
import { findSection } from '../ordering/queries.ts'
import { readNodes } from '../outline/actions.ts'
import type { SectionRow } from '../outline/queries.ts'
import { listLessonIds } from './queries.ts'
import type { SectionView } from './schema.ts'

/** Sections as they are shown: to those who run the course with drafts of lessons, and when they were archived. */
export const sectionViews = async (
  { db, school }: Looking,
  rows: readonly SectionRow[],
  runs: boolean,
): Promise<(row: SectionRow) => SectionView> => {
  const lessons = await listLessonIds(
    db,
    school.id,
    rows.map(({ id }) => id),
    runs,
  )
  return row => ({
    id: toId('sec', row.id),
    course_id: toId('crs', row.course_id),
    name: row.name,
    lesson_ids: lessons.filter(one => one.section_id === row.id).map(({ id }) => toId('les', id)),
    ...(runs ? { archived_at: row.archived_at?.toISOString() ?? null } : {}),
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  })
}

/** One section as it is shown. */
export const sectionView = async (looking: Looking, row: SectionRow, runs: boolean): Promise<SectionView> =>
  (await sectionViews(looking, [row], runs))(row)

/** The row of a section that was stored in this transaction. */
export const storedSection = async ({ db, school }: Looking, id: string): Promise<SectionRow> => {
  const row = await findSection(db, school.id, id)
  if (row === undefined) throw new Error('a section that was stored is not there')
  return row
}

/** The ids of the sections of a course that are not archived, in their order. */
export const liveSections = async (looking: Looking, courseId: string): Promise<string[]> =>
  (await readNodes(looking, courseId)).sections.filter(one => one.archived_at === null).map(({ id }) => id)
