import {
  addVersion,
  type Content,
  changedParts,
  currentContent,
  findCurrentContent,
  plannedContent,
} from '#src/areas/courses/contents/index.ts'
import { CourseRef, type CourseRow, canManageCourse } from '#src/areas/courses/courses/index.ts'
import { bodyFor } from '#src/contract/body.ts'
import type { Caller } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Effects } from '#src/contract/fact.ts'
import { type AsCaller, type Cells, declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import type { Body } from '#src/kit/body/render.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { readCourse } from '../access.ts'
import { touchOutline } from '../nodes/queries.ts'
import { archive } from '../nodes/writes.ts'
import { getOpenLesson, lockOwnLesson, managesLesson } from './access.ts'
import {
  buildPosition,
  countLessons,
  findLesson,
  type LessonFilter,
  type LessonRow,
  lessonsStatement,
  type PlacedLesson,
  storeLesson,
} from './queries.ts'
import {
  accessRequired,
  changedSettings,
  checkNotArchived,
  lessonArchived,
  lessonLocked,
  mergeSettings,
} from './rules.ts'
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
import { lessonView, lineView, withWarnings } from './views.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

/** Lessons of the demo data, for examples: a preview, one for those who have the course, and one that no other example needs. */
export const lessonExamples = {
  preview: { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'What lives in it' } }) },
  feeding: { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }) },
  live: { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Bake with Carla' } }) },
}

// Those who do not manage the course see published lessons only.
const readFilter = (course: CourseRow, caller: Caller, query: ListLessonsParams): LessonFilter | undefined => {
  const canManage = canManageCourse(caller, course)
  if (!canManage && (query.archived === true || query.status === 'draft')) return undefined
  return {
    courseId: course.id,
    isArchived: query.archived ?? false,
    sectionId: query.section_id,
    contentType: query.type,
    status: canManage ? query.status : 'published',
    preview: query.preview,
  }
}

const CELLS: Cells<PlacedLesson> = {
  id: row => row.id,
  section_id: row => row.section_id,
  name: row => row.name,
  type: row => row.type,
  status: row => row.status,
  preview: row => row.preview,
  required_for_completion: row => row.required_for_completion,
  duration_seconds: row => row.duration_seconds,
  version: row => row.version,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

const listLessons = declareFor('anyone', 'curriculum', {
  id: 'listLessons',
  route: 'GET /courses/:course_id/lessons',
  summary: "List a course's lessons",
  description:
    'Lists the lessons of a course in outline order, without their contents. Everybody who can find the course sees published lessons; those who manage it see drafts too.',
  params: CourseRef,
  query: LessonsQuery,
  returns: LessonPage,
  csv: {
    cells: CELLS,
    statement: async context => {
      const course = await readCourse(context, context.params.course_id)
      const filter = readFilter(course, context.caller, context.query)
      return lessonsStatement(context.school.id, filter ?? { courseId: course.id, isArchived: true })
    },
  },
  example: { params: sourdough },
  async handle(context) {
    const { db, school, caller, params, query } = context
    const page = parsePage(context)
    const course = await readCourse(context, params.course_id)
    const filter = readFilter(course, caller, query)
    if (filter === undefined) return { data: [], has_more: false }
    const found = await db.all(lessonsStatement(school.id, filter, page))
    const canManage = canManageCourse(caller, course)
    return buildPage(context, found, {
      readPosition: buildPosition,
      renderViews: rows => rows.map(row => lineView(row, canManage)),
      total: () => countLessons(db, school.id, filter),
    })
  },
})

const READS = ['getLesson', 'listLessonAttachments']
const MANAGES = ['updateLesson', 'moveLesson', 'archiveLesson', 'restoreLessonVersion', 'createAttachment']

// The actions on a lesson that the caller may read; dry_run reports what other rows forbid.
const listActions = (row: LessonRow, canManage: boolean): string[] => {
  if (!canManage) return READS
  const reads = [...READS, 'listLessonVersions']
  return row.archived_at === null ? [...reads, ...MANAGES] : [...reads, 'moveLesson', 'restoreLesson']
}

const getLesson = declareFor('anyone', 'curriculum', {
  id: 'getLesson',
  route: 'GET /lessons/:lesson_id',
  summary: 'Get a lesson',
  description:
    'Returns one lesson with its content. Anyone can read a preview of a published course; learners read lessons that are open to them, and a 403 says when a lesson opens. Those who manage the course also see the text before it was sanitized.',
  params: LessonRef,
  returns: Lesson,
  fails: [accessRequired, lessonLocked],
  example: { params: lessonExamples.preview },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const { lesson, canManage } = await getOpenLesson(context, params.lesson_id)
    const content = await currentContent(db, school.id, lesson)
    const view = await lessonView(context, { lesson, content, canManage })
    return caller.member === undefined
      ? view
      : { ...view, allowed_actions: allowedActions(listActions(lesson, canManage)) }
  },
})

const OPENS: Effects = texts.courses.curriculum.lessons.operations.opens
const HIDES: Effects = texts.courses.curriculum.lessons.operations.hides

const buildEffects = (before: LessonRow, status: LessonRow['status']): { effects?: Effects } => {
  if (before.status === status) return {}
  return { effects: status === 'published' ? OPENS : HIDES }
}

type Rendered = { readonly number: number; readonly content: Content; readonly body: Body }

// A text is rendered before the course is locked, since that can take long. Others than managers are refused afterwards.
const renderBeforeLock = async (context: AsCaller, ref: string, input: LessonInput): Promise<Rendered | undefined> => {
  if (input.body === undefined && input.body_format === undefined) return undefined
  if (!(await managesLesson(context, ref))) return undefined
  const current = await findCurrentContent(context.db, context.school.id, ref)
  return { ...current, body: bodyFor('lesson', current.content, input) }
}

// The settings that decide what a course requires.
const COUNTED = ['status', 'required_for_completion']

const updateLesson = declareFor('lecturer_of', 'curriculum', {
  id: 'updateLesson',
  route: 'PATCH /lessons/:lesson_id',
  summary: 'Update a lesson',
  description:
    'Changes the settings, text, file or captions of a lesson; `captions` are replaced as a whole. A change of content creates a new version, and earlier versions can be restored. `warnings` reports a published lesson without content, what was removed from the text (`content_removed`), links within it that lead nowhere (`dead_fragment`), and `would_reach_all` how many people lack nothing in the course with this change; it completes the course for nobody. Lecturers publish lessons of courses they teach; staff publish the course.',
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
    const rendered = await renderBeforeLock(context, params.lesson_id, body)
    const { lesson, course } = await lockOwnLesson(context, params.lesson_id)
    // A version never changes, so the content is read again only when there is a newer one.
    const before = rendered?.number === lesson.version ? rendered.content : await currentContent(db, school.id, lesson)
    await requireMatch(lesson.revision, () => lessonView(context, { lesson, content: before }))
    checkNotArchived(lesson)
    const settings = mergeSettings(lesson, body)
    const text = bodyFor('lesson', before, body, rendered?.body)
    const content = await plannedContent({ ...context, course, lesson }, { before, input: body, body: text })
    const settingNames = changedSettings(lesson, settings)
    const parts = changedParts(before, content)
    if (settingNames.length + parts.length === 0)
      return withWarnings(context, lesson, {
        view: await lessonView(context, { lesson, content: before }),
        text: before,
      })
    const author = { db, school, now, authorId: caller.member.id }
    const version = parts.length === 0 ? lesson.version : (await addVersion(author, lesson, content)).number
    const stored = await storeLesson(db, school.id, lesson.id, { ...settings, version })
    if (settingNames.length > 0) await touchOutline(db, school.id, course.id)
    const ids = { lesson_id: toId('les', params.lesson_id), course_id: toId('crs', course.id) }
    const fields = [...settingNames, ...parts]
    changed({ ids: settingNames.length > 0 ? Object.values(ids) : [ids.lesson_id], fields, revision: stored.revision })
    record({ type: 'lesson.updated', payload: { ...ids, fields }, ...buildEffects(lesson, settings.status) })
    return withWarnings(context, stored, {
      view: await lessonView(context, { lesson: stored, content }),
      text: content,
      changesRequirements: settingNames.some(name => COUNTED.includes(name)),
    })
  },
})

const archiveLesson = declareFor('lecturer_of', 'curriculum', {
  id: 'archiveLesson',
  route: 'DELETE /lessons/:lesson_id',
  summary: 'Archive a lesson',
  description:
    'Archives a lesson and returns it. Progress and submissions are kept. For 30 days it is in the bin; restoring or placing it brings it back, later too. The warning `would_reach_all` says how many people lack nothing in the course without it; it completes the course for nobody.',
  ifMatch: 'honoured',
  params: LessonRef,
  returns: ChangedLesson,
  example: { params: lessonExamples.live },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { lesson, course } = await lockOwnLesson(context, params.lesson_id)
    const renderView = async (row: LessonRow) =>
      lessonView(context, { lesson: row, content: await currentContent(db, school.id, row) })
    await requireMatch(lesson.revision, () => renderView(lesson))
    if (lesson.archived_at !== null) return withWarnings(context, lesson, { view: await renderView(lesson) })
    await archive(context, course.id, { ids: [lesson.id], memberId: context.caller.member.id })
    await touchOutline(db, school.id, course.id)
    const ids = { lesson_id: toId('les', params.lesson_id), course_id: toId('crs', course.id) }
    changed({ ids: Object.values(ids), fields: ['archived_at'], revision: lesson.revision + 1 })
    record({ type: 'lesson.archived', payload: ids, effects: texts.courses.curriculum.lessons.operations.archived })
    const archived = (await findLesson(db, school.id, lesson.id)) ?? lesson
    return withWarnings(context, archived, { view: await renderView(archived), changesRequirements: true })
  },
})

/** The operations of single lessons, in the order of the documentation. */
export const lessonOperations = [listLessons, getLesson, updateLesson, archiveLesson]
