import type { Static } from 'typebox'
import { copyContents } from '#src/areas/contents/index.ts'
import { type CourseRow, canManageCourse } from '#src/areas/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { listDrips, putDrips } from '../drips/queries.ts'
import { type Drip, IMMEDIATE, isSameDrip } from '../drips/rules.ts'
import { lessonsCopied } from '../hooks.ts'
import {
  findOutline,
  type LessonRow,
  listLessons,
  listSections,
  putLessons,
  putSections,
  type SectionRow,
  touchOutline,
} from './queries.ts'
import { type Plan, planOutline, type RequestedSection, type StoredOutline } from './rules.ts'
import type { Outline, OutlineLesson } from './schema.ts'

type Where = { readonly db: Db; readonly school: Pick<School, 'id'> }

/** The sections and lessons of a course as they are stored, archived ones too. */
export const readNodes = async ({ db, school }: Where, courseId: string) => {
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

type DrippedLesson = LessonRow & { readonly drip: Drip }
type Nodes = { readonly sections: readonly SectionRow[]; readonly lessons: readonly DrippedLesson[] }

/** The same as a plan compares it. */
export const storedOutline = ({ sections, lessons }: Nodes): StoredOutline => ({
  sections: sections.map(({ id, name, archived_at: at }) => ({ id, name, isArchived: at !== null })),
  lessons: lessons.map(({ section_id: sectionId, archived_at: at, ...lesson }) => ({
    ...lesson,
    sectionId,
    isArchived: at !== null,
  })),
})

const lessonView = (row: DrippedLesson): Static<typeof OutlineLesson> => ({
  id: toId('les', row.id),
  name: row.name,
  type: row.type,
  status: row.status,
  preview: row.preview,
  required_for_completion: row.required_for_completion,
  duration_seconds: row.duration_seconds,
  drip: row.drip,
  revision: row.revision,
})

/** The outline of a course as a caller sees it: who runs it all that is not archived, others what is published. */
export const outlineView = async (
  { db, school, caller }: Where & { readonly caller: Caller },
  course: CourseRow,
): Promise<Static<typeof Outline>> => {
  const [outline, { sections, lessons }] = await Promise.all([
    findOutline(db, school.id, course.id),
    readNodes({ db, school }, course.id),
  ])
  const isAll = canManageCourse(caller, course)
  const seen = lessons.filter(one => one.archived_at === null && (isAll || one.status === 'published'))
  const views = sections
    .filter(one => one.archived_at === null)
    .map(({ id, name, revision }) => ({
      id: toId('sec', id),
      name,
      lessons: seen.filter(one => one.section_id === id).map(lessonView),
      revision,
    }))
  return {
    course_id: toId('crs', course.id),
    sections: isAll ? views : views.filter(one => one.lessons.length > 0),
    revision: outline?.revision ?? 1,
    updated_at: outline === undefined ? null : outline.updated_at.toISOString(),
  }
}

/** Gives the lessons of a plan, stored before, the rules by which they are to open; those that stay are left alone. */
export const putPlannedDrips = (
  { db, school }: Where,
  courseId: string,
  { lessons, difference }: Plan,
): Promise<void> => {
  const changed = new Set(
    difference.filter(({ change, fields = [] }) => change === 'created' || fields.includes('drip')).map(({ id }) => id),
  )
  const made = new Set(difference.filter(({ change }) => change === 'created').map(({ id }) => id))
  const wanted = lessons.filter(({ id, drip }) => changed.has(id) && !(made.has(id) && isSameDrip(drip, IMMEDIATE)))
  return putDrips(
    db,
    school.id,
    courseId,
    wanted.map(({ id, drip }) => ({ lesson_id: id, ...drip })),
  )
}

/** Stores an outline for a course that has none. */
export const addOutline = async (
  { db, school, now }: Where & { readonly now: Date },
  courseId: string,
  wanted: readonly RequestedSection[],
): Promise<Plan> => {
  const plan = planOutline({ sections: [], lessons: [] }, wanted, () => newUuid(now.getTime()))
  await putSections(db, school.id, courseId, plan.sections, [])
  await putLessons(db, school.id, courseId, plan.lessons, [])
  await putPlannedDrips({ db, school }, courseId, plan)
  await touchOutline(db, school.id, courseId)
  return plan
}

/** Copies the sections and lessons of a course, with what they hold, to one that has none. */
export const copyCurriculum = async (
  where: HookPlace,
  { fromId, intoId, now }: { readonly fromId: string; readonly intoId: string; readonly now: Date },
): Promise<void> => {
  const { sections, lessons } = await readNodes(where, fromId)
  const live = lessons.filter(one => one.archived_at === null)
  const wanted = sections
    .filter(one => one.archived_at === null)
    .map(({ id, name }) => ({
      name,
      lessons: live
        .filter(one => one.section_id === id)
        .map(({ id: _id, section_id: _section, revision: _revision, ...lesson }) => lesson),
    }))
  if (wanted.length === 0) return
  const from = sections.flatMap(({ id, archived_at: at }) =>
    at === null ? live.filter(one => one.section_id === id).map(one => one.id) : [],
  )
  const { lessons: made } = await addOutline({ ...where, now }, intoId, wanted)
  const copies = made.map(({ id }, index) => ({ from: from[index] ?? '', into: id }))
  await copyContents(
    where.db,
    where.school.id,
    copies.map(pair => ({ ...pair, id: newUuid(now.getTime()) })),
  )
  await lessonsCopied.call({ courseId: intoId, pairs: copies, now }, where)
}
