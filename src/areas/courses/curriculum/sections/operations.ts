import { CourseRef, canManageCourse, lockOwnCourse } from '#src/areas/courses/courses/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { fillEach } from '#src/contract/language.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { readCourse } from '../access.ts'
import { requirementWarnings } from '../hooks.ts'
import { touchOutline } from '../nodes/queries.ts'
import { cleanName, insertedAt, outlineFull } from '../nodes/rules.ts'
import { MAX_SECTIONS } from '../nodes/schema.ts'
import { archive } from '../nodes/writes.ts'
import { getVisibleSection, lockOwnSection } from './access.ts'
import { placementOperations } from './placement.operations.ts'
import {
  countSections,
  findSection,
  insertSection,
  listActiveSectionIds,
  listLessonIds,
  listSectionLessonIds,
  listSectionRows,
  type SectionRow,
  storeSection,
  storeSectionOrder,
} from './queries.ts'
import { checkNotArchived, sectionArchived } from './rules.ts'
import {
  ArchivedSection,
  NewSection,
  Section,
  SectionChanges,
  SectionPage,
  SectionRef,
  SectionsQuery,
} from './schema.ts'
import { sectionView } from './views.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }
const named = (name: string) => ({ section_id: exampleFrom('sec', 'listSections', { having: { name } }) })

const MANAGES = [
  'updateSection',
  'moveSection',
  'reorderSectionLessons',
  'archiveSection',
  'createLesson',
  'copyLessons',
]

const listActions = (row: SectionRow, canManage: boolean): string[] => {
  if (!canManage) return ['getSection']
  return ['getSection', ...(row.archived_at === null ? MANAGES : ['moveSection'])]
}

const listSections = declareFor('anyone', 'curriculum', {
  id: 'listSections',
  route: 'GET /courses/:course_id/sections',
  summary: 'List sections',
  description:
    'Lists the sections of a course in their order. Everybody who can find the course sees sections with a published lesson; those who manage it see all.',
  params: CourseRef,
  query: SectionsQuery,
  returns: SectionPage,
  example: { params: sourdough },
  async handle(context) {
    const { db, school, caller, params, query } = context
    const page = parsePage(context)
    const course = await readCourse(context, params.course_id)
    const isAll = canManageCourse(caller, course)
    if (query.archived === true && !isAll) return { data: [], has_more: false }
    const filter = { courseId: course.id, isAll, isArchived: query.archived ?? false }
    const found = await listSectionRows(db, school.id, filter, page)
    const lessons = await listLessonIds(
      db,
      school.id,
      found.map(({ id }) => id),
      isAll,
    )
    const lessonIds = (row: SectionRow) => lessons.filter(one => one.section_id === row.id).map(({ id }) => id)
    return buildPage(context, found, {
      readPosition: row => [String(row.position), row.id],
      renderViews: rows => rows.map(row => sectionView(row, lessonIds(row), isAll)),
      total: () => countSections(db, school.id, filter),
    })
  },
})

const createSection = declareFor('lecturer_of', 'curriculum', {
  id: 'createSection',
  route: 'POST /courses/:course_id/sections',
  summary: 'Create a section',
  description: 'Adds a section to a course, at the end unless a position is given.',
  params: CourseRef,
  body: NewSection,
  returns: Section,
  status: 201,
  fails: [outlineFull],
  example: { params: sourdough, body: { name: 'Baking' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const name = cleanName(body.name)
    const course = await lockOwnCourse(context, params.course_id)
    const present = await listActiveSectionIds(db, school.id, course.id)
    if (present.length >= MAX_SECTIONS) throw new Refusal(outlineFull, `There are ${present.length} sections already.`)
    const rowId = newUuid(now.getTime())
    const section = await insertSection(db, school.id, { id: rowId, courseId: course.id, name })
    await storeSectionOrder(db, school.id, insertedAt(present, rowId, body.position))
    await touchOutline(db, school.id, course.id)
    const ids = { section_id: toId('sec', rowId), course_id: toId('crs', course.id) }
    changed({ ids: [ids.section_id, ids.course_id], fields: Object.keys(body), revision: 1 })
    record({ type: 'section.created', payload: ids })
    return sectionView(section, [])
  },
})

const getSection = declareFor('anyone', 'curriculum', {
  id: 'getSection',
  route: 'GET /sections/:section_id',
  summary: 'Get a section',
  description: 'Returns one section with its lessons in their order.',
  params: SectionRef,
  returns: Section,
  example: { params: named('The starter') },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const { section, canManage } = await getVisibleSection(context, params.section_id)
    const view = sectionView(section, await listSectionLessonIds(db, school.id, section.id, canManage), canManage)
    return caller.member === undefined
      ? view
      : { ...view, allowed_actions: allowedActions(listActions(section, canManage)) }
  },
})

const updateSection = declareFor('lecturer_of', 'curriculum', {
  id: 'updateSection',
  route: 'PATCH /sections/:section_id',
  summary: 'Rename a section',
  description: 'Changes the name of a section.',
  ifMatch: 'honoured',
  params: SectionRef,
  body: SectionChanges,
  returns: Section,
  fails: [sectionArchived],
  example: { params: named('The loaf'), body: { name: 'The loaf, folded and shaped' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const lessonIds = await listSectionLessonIds(db, school.id, section.id)
    await requireMatch(section.revision, () => sectionView(section, lessonIds))
    checkNotArchived(section)
    const name = body.name === undefined ? section.name : cleanName(body.name)
    if (name === section.name) return sectionView(section, lessonIds)
    const stored = await storeSection(db, school.id, { id: section.id, name })
    await touchOutline(db, school.id, course.id)
    const ids = { section_id: toId('sec', params.section_id), course_id: toId('crs', course.id) }
    changed({ ids: [ids.section_id, ids.course_id], fields: ['name'], revision: section.revision + 1 })
    record({ type: 'section.updated', payload: { ...ids, fields: ['name'] } })
    return sectionView(stored, lessonIds)
  },
})

const archiveSection = declareFor('lecturer_of', 'curriculum', {
  id: 'archiveSection',
  route: 'DELETE /sections/:section_id',
  summary: 'Archive a section',
  description:
    'Archives a section with its lessons and returns it. Progress and submissions are kept; placing the section again restores it with the same lessons. The warning `would_reach_all` says how many people lack nothing in the course without them; it completes the course for nobody.',
  ifMatch: 'honoured',
  params: SectionRef,
  returns: ArchivedSection,
  example: { params: named('Extras') },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const lessons = await listSectionLessonIds(db, school.id, section.id)
    await requireMatch(section.revision, () => sectionView(section, lessons))
    if (section.archived_at !== null) return { ...sectionView(section, lessons), warnings: [] }
    await archive(context, course.id, { ids: [section.id, ...lessons], memberId: context.caller.member.id })
    await touchOutline(db, school.id, course.id)
    const ids = { section_id: toId('sec', params.section_id), course_id: toId('crs', course.id) }
    changed({ ids: [ids.section_id, ...lessons.map(id => toId('les', id)), ids.course_id], fields: ['archived_at'] })
    record({
      type: 'section.archived',
      payload: { ...ids, lesson_count: lessons.length },
      effects: {
        access: fillEach(texts.courses.curriculum.sections.operations.archived, { n: lessons.length }),
      },
    })
    const archived = (await findSection(db, school.id, section.id)) ?? section
    const warnings = (await requirementWarnings.call({ courseId: course.id }, { db, school })).flat()
    return { ...sectionView(archived, await listSectionLessonIds(db, school.id, section.id)), warnings }
  },
})

/** The operations of sections, in the order of the documentation. */
export const sectionOperations = [
  listSections,
  createSection,
  getSection,
  updateSection,
  ...placementOperations,
  archiveSection,
]
