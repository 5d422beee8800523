import { CourseRef, canManageCourse, lockOwnCourse } from '#src/areas/courses/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { getSeenSection, lockOwnSection, readCourse } from '../access.ts'
import { arrangingOperations } from '../ordering/operations.ts'
import { insertSection, renameSection, storeSectionOrder } from '../ordering/queries.ts'
import { outlineFull, placedAt, sectionArchived } from '../ordering/rules.ts'
import { archiveNodes, type SectionRow, touchOutline } from '../outline/queries.ts'
import { MAX_SECTIONS } from '../outline/schema.ts'
import { liveSections, sectionView, sectionViews, storedSection } from './actions.ts'
import { countSections, listSectionRows } from './queries.ts'
import { NewSection, Section, SectionChanges, SectionPage, SectionRef, SectionsQuery } from './schema.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }
const named = (name: string) => ({ section_id: exampleFrom('sec', 'listSections', { having: { name } }) })

const RUNS = ['updateSection', 'moveSection', 'reorderSectionLessons', 'archiveSection', 'createLesson']

/** What can be done with a section by those who run its course. */
const actionsOf = (row: SectionRow, runs: boolean): string[] => {
  if (!runs) return ['getSection']
  return ['getSection', ...(row.archived_at === null ? RUNS : ['moveSection'])]
}

const listSections = operation({
  id: 'listSections',
  route: 'GET /courses/:course_id/sections',
  summary: 'List sections',
  description:
    'Lists the sections of a course in their order. Everybody who can find the course sees sections with a published lesson; those who manage it see all.',
  scope: 'curriculum:read',
  who: 'anyone',
  mode: 'read',
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
    const viewOf = await sectionViews(context, found, isAll)
    return buildPage(context, found, {
      positionOf: row => [String(row.position), row.id],
      itemOf: row => viewOf(row),
      total: () => countSections(db, school.id, filter),
    })
  },
})

const nameOf = (name: string): string => {
  const clean = cleanLine(name, 200)
  if (clean !== '') return clean
  throw new Refusal(invalidBody, 'The name cannot be read.', {
    errors: [{ pointer: '/name', code: 'empty', message: 'has nothing visible' }],
  })
}

const createSection = operation({
  id: 'createSection',
  route: 'POST /courses/:course_id/sections',
  summary: 'Create a section',
  description: 'Adds a section to a course, at the end unless a position is given.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  params: CourseRef,
  body: NewSection,
  returns: Section,
  status: 201,
  fails: [outlineFull],
  example: { params: sourdough, body: { name: 'Baking' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const name = nameOf(body.name)
    const course = await lockOwnCourse(context, params.course_id)
    const live = await liveSections(context, course.id)
    if (live.length >= MAX_SECTIONS) throw new Refusal(outlineFull, `There are ${live.length} sections already.`)
    const rowId = newUuid(now.getTime())
    await insertSection(db, school.id, { id: rowId, courseId: course.id, name })
    await storeSectionOrder(db, school.id, placedAt(live, rowId, body.position))
    await touchOutline(db, school.id, course.id)
    const ids = { section: toId('sec', rowId), course: toId('crs', course.id) }
    changed({ ids: [ids.section, ids.course], fields: Object.keys(body), revision: 1 })
    record({ type: 'section.created', payload: ids })
    return sectionView(context, await storedSection(context, rowId), true)
  },
})

const getSection = operation({
  id: 'getSection',
  route: 'GET /sections/:section_id',
  summary: 'Get a section',
  description: 'Returns one section with its lessons in their order.',
  scope: 'curriculum:read',
  who: 'anyone',
  mode: 'read',
  params: SectionRef,
  returns: Section,
  example: { params: named('The starter') },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const { section, runs } = await getSeenSection(context, params.section_id)
    const view = await sectionView(context, section, runs)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(actionsOf(section, runs)) }
  },
})

const checkLive = (row: SectionRow): void => {
  if (row.archived_at !== null) throw new Refusal(sectionArchived, 'The section is archived.')
}

const updateSection = operation({
  id: 'updateSection',
  route: 'PATCH /sections/:section_id',
  summary: 'Rename a section',
  description: 'Changes the name of a section.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: SectionRef,
  body: SectionChanges,
  returns: Section,
  fails: [sectionArchived],
  example: { params: named('The loaf'), body: { name: 'The loaf, folded and shaped' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const before = await sectionView(context, section, true)
    await requireMatch(section.revision, () => before)
    checkLive(section)
    const name = body.name === undefined ? section.name : nameOf(body.name)
    if (name === section.name) return before
    await renameSection(db, school.id, section.id, name)
    await touchOutline(db, school.id, course.id)
    const ids = { section: params.section_id, course: toId('crs', course.id) }
    changed({ ids: [ids.section, ids.course], fields: ['name'], revision: section.revision + 1 })
    record({ type: 'section.updated', payload: { ...ids, fields: ['name'] } })
    return sectionView(context, await storedSection(context, section.id), true)
  },
})

const archiveSection = operation({
  id: 'archiveSection',
  route: 'DELETE /sections/:section_id',
  summary: 'Archive a section',
  description:
    'Archives a section with its lessons. Progress and submissions are kept; placing the section again restores it with the same lessons.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: SectionRef,
  returns: undefined,
  example: { params: named('Extras') },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const before = await sectionView(context, section, true)
    await requireMatch(section.revision, () => before)
    if (section.archived_at !== null) return
    const lessons = before.lesson_ids.map(id => fromId('les', id) ?? '')
    await archiveNodes(db, school.id, course.id, [section.id, ...lessons])
    await touchOutline(db, school.id, course.id)
    const ids = { section: params.section_id, course: toId('crs', course.id) }
    changed({ ids: [ids.section, ...before.lesson_ids, ids.course], fields: ['archived_at'] })
    record({
      type: 'section.archived',
      payload: { ...ids, lessons: lessons.length },
      effects: {
        access: {
          en: `Takes ${lessons.length} lessons out of the course for everybody who has it`,
          pt: `Retira ${lessons.length} aulas do curso a todos os que o têm`,
        },
      },
    })
  },
})

/** The operations of sections, in the order of the documentation. */
export const sectionOperations = [
  listSections,
  createSection,
  getSection,
  updateSection,
  ...arrangingOperations,
  archiveSection,
]
