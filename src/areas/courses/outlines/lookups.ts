import { type LessonRow, listLessons, listSections, type SectionRow } from '#src/areas/courses/curriculum/index.ts'
import { type Drip, IMMEDIATE, listDrips } from '#src/areas/courses/drips/index.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import type { StoredOutline } from './rules.ts'

/** The stored sections and lessons of a course, archived ones too. */
export type Nodes = {
  readonly sections: readonly SectionRow[]
  readonly lessons: readonly (LessonRow & { readonly drip: Drip })[]
}

/** Reads the sections and lessons of a course, archived ones too. */
export const readNodes = async ({ db, school }: Pick<AsCaller, 'db' | 'school'>, courseId: string): Promise<Nodes> => {
  const [sections, lessons, drips] = await Promise.all([
    listSections(db, school.id, courseId),
    listLessons(db, school.id, courseId),
    listDrips(db, school.id, courseId),
  ])
  const dripById = new Map(
    drips.map(({ lesson_id: id, mode, value, date, local_time }) => [id, { mode, value, date, local_time }]),
  )
  return { sections, lessons: lessons.map(lesson => ({ ...lesson, drip: dripById.get(lesson.id) ?? IMMEDIATE })) }
}

/** The sections and lessons of a course as they are compared with a request. */
export const buildStored = ({ sections, lessons }: Nodes): StoredOutline => ({
  sections: sections.map(({ id, name, archived_at: at }) => ({ id, name, isArchived: at !== null })),
  lessons: lessons.map(({ section_id: sectionId, archived_at: at, ...lesson }) => ({
    ...lesson,
    sectionId,
    isArchived: at !== null,
  })),
})
