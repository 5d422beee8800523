import type { Body } from '#src/areas/contents/index.ts'
import { addVersion, bodyFor, changedParts, currentContent, plannedContent } from '#src/areas/contents/index.ts'
import { CourseRef, type CourseRow, canManageCourse } from '#src/areas/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Effects } from '#src/contract/fact.ts'
import { type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { accessRequired, lessonLocked } from '../access.rules.ts'
import { getOpenLesson, getOwnLesson, type Looking, lockOwnLesson, readCourse } from '../access.ts'
import { storeLesson } from '../ordering/queries.ts'
import { lessonArchived } from '../ordering/rules.ts'
import { archiveNodes, type LessonRow, touchOutline } from '../outline/queries.ts'
import { withWarnings } from '../warnings/actions.ts'
import { changedSettings, lessonView, lineView, settingsOf, storedView } from './actions.ts'
import { countLessons, type LessonFilter, lessonsStatement, type PlacedLesson, positionOf } from './queries.ts'
import {
  ChangedLesson,
  Lesson,
  LessonChanges,
  type LessonInput,
  LessonPage,
  LessonRef,
  LessonsQuery,
  type ListLessonsParams,
} from './schema.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

/** Lessons of the named world, for examples: for everybody, for who has the course, and one that nothing else needs. */
export const lessonExamples = {
  preview: { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'What lives in it' } }) },
  feeding: { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }) },
  live: { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Bake with Carla' } }) },
}

// Others than those who run the course are asked for nothing but what is published.
const filterOf = (course: CourseRow, caller: Caller, query: ListLessonsParams): LessonFilter | undefined => {
  const runs = canManageCourse(caller, course)
  if (!runs && (query.archived === true || query.status === 'draft')) return undefined
  return {
    courseId: course.id,
    isArchived: query.archived ?? false,
    sectionId: query.section_id === undefined ? undefined : fromId('sec', query.section_id),
    contentType: query.type,
    status: runs ? query.status : 'published',
    preview: query.preview,
  }
}

const COLUMNS = ['id', 'section_id', 'name', 'type', 'status', 'preview', 'required_for_completion']
const MORE_COLUMNS = ['duration_seconds', 'version', 'created_at', 'updated_at']

const cellsOf = (row: PlacedLesson): Cell[] => [
  ...[toId('les', row.id), toId('sec', row.section_id), row.name, row.type, row.status],
  ...[row.preview, row.required_for_completion, row.duration_seconds, row.version],
  ...[row.created_at.toISOString(), row.updated_at.toISOString()],
]

const listLessons = operation({
  id: 'listLessons',
  route: 'GET /courses/:course_id/lessons',
  summary: "List a course's lessons",
  description:
    'Lists the lessons of a course in outline order, without their contents. Everybody who can find the course sees published lessons; those who manage it see drafts too.',
  scope: 'curriculum:read',
  who: 'anyone',
  mode: 'read',
  params: CourseRef,
  query: LessonsQuery,
  returns: LessonPage,
  csv: {
    columns: [...COLUMNS, ...MORE_COLUMNS],
    rows: async context => {
      const course = await readCourse(context, context.params.course_id)
      const filter = filterOf(course, context.caller, context.query)
      return csvRows(lessonsStatement(context.school.id, filter ?? { courseId: course.id, isArchived: true }), cellsOf)
    },
  },
  example: { params: sourdough },
  async handle(context) {
    const { db, school, caller, params, query } = context
    const page = parsePage(context)
    const course = await readCourse(context, params.course_id)
    const filter = filterOf(course, caller, query)
    if (filter === undefined) return { data: [], has_more: false }
    const found = await db.all(lessonsStatement(school.id, filter, page))
    const runs = canManageCourse(caller, course)
    return buildPage(context, found, {
      positionOf,
      itemOf: row => lineView(row, runs),
      total: () => countLessons(db, school.id, filter),
    })
  },
})

const READS = ['getLesson', 'listLessonAttachments']
const RUNS = ['updateLesson', 'moveLesson', 'archiveLesson', 'restoreLessonVersion', 'createAttachment']

// What a caller may do with a lesson that they may read; dry_run tells what other rows forbid.
const actionsOf = (row: LessonRow, runs: boolean): string[] => {
  if (!runs) return READS
  const past = [...READS, 'listLessonVersions']
  return row.archived_at === null ? [...past, ...RUNS] : [...past, 'moveLesson']
}

const getLesson = operation({
  id: 'getLesson',
  route: 'GET /lessons/:lesson_id',
  summary: 'Get a lesson',
  description:
    'Returns one lesson with its content. Anyone can read a preview of a published course; learners read lessons that are open to them, and a 403 says when a lesson opens. Those who manage the course also see the text before it was sanitized.',
  scope: 'curriculum:read',
  who: 'anyone',
  mode: 'read',
  params: LessonRef,
  returns: Lesson,
  fails: [accessRequired, lessonLocked],
  example: { params: lessonExamples.preview },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const { lesson, runs } = await getOpenLesson(context, params.lesson_id)
    const view = await lessonView(context, lesson, runs)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(actionsOf(lesson, runs)) }
  },
})

const OPENS: Effects = {
  access: { en: 'Shows the lesson to those who have the course', pt: 'Mostra a aula a quem tem o curso' },
}
const HIDES: Effects = {
  access: { en: 'Hides the lesson from those who have the course', pt: 'Esconde a aula de quem tem o curso' },
}

const effectsOf = (before: LessonRow, status: LessonRow['status']): { effects?: Effects } => {
  if (before.status === status) return {}
  return { effects: status === 'published' ? OPENS : HIDES }
}

// A text is rendered before anything is held, since that can take long.
const renderedFirst = async (looking: Looking, ref: string, said: LessonInput): Promise<Body | undefined> => {
  if (said.body === undefined && said.body_format === undefined) return undefined
  const { lesson } = await getOwnLesson(looking, ref)
  return bodyFor(await currentContent(looking.db, looking.school.id, lesson), said)
}

const updateLesson = operation({
  id: 'updateLesson',
  route: 'PATCH /lessons/:lesson_id',
  summary: 'Update a lesson',
  description:
    'Changes the settings, text, file or captions of a lesson; `captions` are replaced as a whole. A change of content creates a new version, and earlier versions can be restored. `warnings` reports a published lesson without content. Lecturers publish lessons of courses they teach; staff publish the course.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: LessonRef,
  body: LessonChanges,
  returns: ChangedLesson,
  fails: [lessonArchived],
  example: {
    params: lessonExamples.preview,
    body: { body: '## What lives in it\n\nYeast and *lactic* bacteria.', duration_seconds: 300 },
  },
  async handle(context) {
    const { db, school, caller, params, body, now, requireMatch, changed, record } = context
    const ready = await renderedFirst(context, params.lesson_id, body)
    const { lesson, course } = await lockOwnLesson(context, params.lesson_id)
    const view = await lessonView(context, lesson, true)
    await requireMatch(lesson.revision, () => view)
    if (lesson.archived_at !== null) throw new Refusal(lessonArchived, 'The lesson is archived.')
    const settings = settingsOf(lesson, body)
    const before = await currentContent(db, school.id, lesson)
    const text = bodyFor(before, body, ready)
    const after = await plannedContent({ ...context, course, lesson }, { before, said: body, body: text })
    const moved = changedSettings(lesson, settings)
    const parts = changedParts(before, after)
    if (moved.length + parts.length === 0) return withWarnings(context, lesson.id, view)
    const author = { db, school, now, authorId: caller.member.id }
    const version = parts.length === 0 ? lesson.version : (await addVersion(author, lesson, after)).number
    await storeLesson(db, school.id, lesson.id, { ...settings, version })
    if (moved.length > 0) await touchOutline(db, school.id, course.id)
    const ids = { lesson: params.lesson_id, course: toId('crs', course.id) }
    const fields = [...moved, ...parts]
    changed({ ids: moved.length > 0 ? Object.values(ids) : [ids.lesson], fields, revision: lesson.revision + 1 })
    record({ type: 'lesson.updated', payload: { ...ids, fields }, ...effectsOf(lesson, settings.status) })
    return withWarnings(context, lesson.id, await storedView(context, lesson.id))
  },
})

const archiveLesson = operation({
  id: 'archiveLesson',
  route: 'DELETE /lessons/:lesson_id',
  summary: 'Archive a lesson',
  description: 'Archives a lesson. Progress and submissions are kept; placing the lesson again restores it.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: LessonRef,
  returns: undefined,
  example: { params: lessonExamples.live },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { lesson, course } = await lockOwnLesson(context, params.lesson_id)
    await requireMatch(lesson.revision, () => lessonView(context, lesson, true))
    if (lesson.archived_at !== null) return
    await archiveNodes(db, school.id, course.id, [lesson.id])
    await touchOutline(db, school.id, course.id)
    const ids = { lesson: params.lesson_id, course: toId('crs', course.id) }
    changed({ ids: Object.values(ids), fields: ['archived_at'], revision: lesson.revision + 1 })
    record({ type: 'lesson.archived', payload: ids, effects: HIDES })
  },
})

/** The operations of single lessons, in the order of the documentation. */
export const lessonOperations = [listLessons, getLesson, updateLesson, archiveLesson]
