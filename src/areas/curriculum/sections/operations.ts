import { CourseRef, lockOwnCourse, runsCourse } from '#src/areas/courses/index.ts'
import { shownBy } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { closePage, openPage } from '#src/contract/page.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { readNodes } from '../actions.ts'
import { faultsOfOrder, outlineFull, placedAt, sectionArchived } from '../placing.rules.ts'
import { archiveNodes, type SectionRow, touchOutline } from '../queries.ts'
import { getSeenSection, type Looking, lockOwnSection, readCourse } from '../reading.actions.ts'
import { MOST_SECTIONS } from '../schema.ts'
import {
  findSection,
  insertSection,
  renameSection,
  restoreSection,
  storeLessonOrder,
  storeSectionOrder,
  touchSection,
} from '../structure.queries.ts'
import { sectionView, sectionViews } from './actions.ts'
import { countSections, listSectionRows } from './queries.ts'
import {
  NewSection,
  Section,
  SectionChanges,
  SectionOrder,
  SectionPage,
  SectionPlacement,
  SectionRef,
  SectionsQuery,
} from './schema.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }
const named = (name: string) => ({ section_id: shownBy('sec', 'listSections', { having: { name } }) })
const ofOven = (at: string) => shownBy('les', 'listSections', { having: { name: 'The oven' }, at: `lesson_ids.${at}` })

const RUNS = ['updateSection', 'putSectionPlacement', 'putSectionOrder', 'archiveSection', 'createLesson']

/** What can be done with a section by those who run its course. */
const actionsOf = (row: SectionRow, runs: boolean): string[] => {
  if (!runs) return ['getSection']
  return ['getSection', ...(row.archived_at === null ? RUNS : ['putSectionPlacement'])]
}

const listSections = operation({
  id: 'listSections',
  route: 'GET /courses/:course_id/sections',
  summary: 'The sections of a course in their order',
  description:
    'Everybody who finds the course is shown those that have a published lesson. The outline has all at once.',
  scope: 'curriculum:read',
  who: 'anyone',
  mode: 'read',
  params: CourseRef,
  query: SectionsQuery,
  returns: SectionPage,
  example: { params: sourdough },
  async handle(context) {
    const { db, school, caller, params, query } = context
    const page = openPage(context)
    const course = await readCourse(context, params.course_id)
    const isAll = runsCourse(caller, course)
    if (query.archived === true && !isAll) return { data: [], has_more: false }
    const filter = { courseId: course.id, isAll, isArchived: query.archived ?? false }
    const found = await listSectionRows(db, school.id, filter, page)
    const viewOf = await sectionViews(context, found, isAll)
    return closePage(context, found, {
      positionOf: row => [String(row.position), row.id],
      itemOf: row => viewOf(row),
      total: () => countSections(db, school.id, filter),
    })
  },
})

const stored = async ({ db, school }: Looking, id: string): Promise<SectionRow> => {
  const row = await findSection(db, school.id, id)
  if (row === undefined) throw new Error('a section that was stored is not there')
  return row
}

const nameOf = (name: string): string => {
  const clean = cleanLine(name, 200)
  if (clean !== '') return clean
  throw new Refusal(invalidBody, 'The name cannot be read.', {
    errors: [{ pointer: '/name', code: 'empty', message: 'has nothing visible' }],
  })
}

const liveSections = async (looking: Looking, courseId: string): Promise<string[]> =>
  (await readNodes(looking, courseId)).sections.filter(one => one.archived_at === null).map(({ id }) => id)

const createSection = operation({
  id: 'createSection',
  route: 'POST /courses/:course_id/sections',
  summary: 'Add a section to a course',
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
    if (live.length >= MOST_SECTIONS) throw new Refusal(outlineFull, `There are ${live.length} sections already.`)
    const rowId = newUuid(now.getTime())
    await insertSection(db, school.id, { id: rowId, courseId: course.id, name })
    await storeSectionOrder(db, school.id, placedAt(live, rowId, body.position))
    await touchOutline(db, school.id, course.id)
    const ids = { section: toId('sec', rowId), course: toId('crs', course.id) }
    changed({ ids: [ids.section, ids.course], fields: Object.keys(body), revision: 1 })
    record({ kind: 'section.created', about: ids })
    return sectionView(context, await stored(context, rowId), true)
  },
})

const getSection = operation({
  id: 'getSection',
  route: 'GET /sections/:section_id',
  summary: 'One section, with its lessons in their order',
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
    requireMatch(section.revision, before)
    checkLive(section)
    const name = body.name === undefined ? section.name : nameOf(body.name)
    if (name === section.name) return before
    await renameSection(db, school.id, section.id, name)
    await touchOutline(db, school.id, course.id)
    const ids = { section: params.section_id, course: toId('crs', course.id) }
    changed({ ids: [ids.section, ids.course], fields: ['name'], revision: section.revision + 1 })
    record({ kind: 'section.updated', about: { ...ids, fields: ['name'] } })
    return sectionView(context, await stored(context, section.id), true)
  },
})

const putSectionPlacement = operation({
  id: 'putSectionPlacement',
  route: 'PUT /sections/:section_id/placement',
  summary: 'Put a section in a place among those of its course',
  description: 'An archived section comes back, with the lessons that were archived along with it.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: SectionRef,
  body: SectionPlacement,
  returns: Section,
  fails: [outlineFull],
  example: { params: named('The oven'), body: { position: 1 } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const before = await sectionView(context, section, true)
    requireMatch(section.revision, before)
    const live = await liveSections(context, course.id)
    const wanted = placedAt(live, section.id, body.position)
    if (wanted.length > MOST_SECTIONS) throw new Refusal(outlineFull, `There are ${live.length} sections already.`)
    if (wanted.join() === live.join()) return before
    const isBack = section.archived_at !== null
    if (isBack) await restoreSection(db, school.id, section)
    else await touchSection(db, school.id, section.id)
    await storeSectionOrder(db, school.id, wanted)
    await touchOutline(db, school.id, course.id)
    const ids = { section: params.section_id, course: toId('crs', course.id) }
    changed({ ids: [ids.section, ids.course], fields: ['placement'], revision: section.revision + 1 })
    record({ kind: isBack ? 'section.restored' : 'section.moved', about: ids })
    return sectionView(context, await stored(context, section.id), true)
  },
})

const putSectionOrder = operation({
  id: 'putSectionOrder',
  route: 'PUT /sections/:section_id/order',
  summary: 'Put the lessons of a section in an order',
  description:
    'Each lesson of the section once, drafts too. One that came or went meanwhile is 422, and nothing is changed.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: SectionRef,
  body: SectionOrder,
  returns: Section,
  fails: [sectionArchived],
  example: { params: named('The oven'), body: { lesson_ids: [ofOven('1'), ofOven('0')] } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const before = await sectionView(context, section, true)
    requireMatch(section.revision, before)
    checkLive(section)
    const wanted = body.lesson_ids.map(id => fromId('les', id))
    const present = before.lesson_ids.map(id => fromId('les', id) ?? '')
    const errors = faultsOfOrder('/lesson_ids', wanted, present)
    if (errors.length > 0) throw new Refusal(invalidBody, 'The order does not name each lesson once.', { errors })
    if (body.lesson_ids.join() === before.lesson_ids.join()) return before
    await storeLessonOrder(db, school.id, wanted as string[])
    await touchSection(db, school.id, section.id)
    await touchOutline(db, school.id, course.id)
    const ids = { section: params.section_id, course: toId('crs', course.id) }
    changed({ ids: [ids.section, ids.course], fields: ['order'], revision: section.revision + 1 })
    record({ kind: 'section.reordered', about: ids })
    return sectionView(context, await stored(context, section.id), true)
  },
})

const archiveSection = operation({
  id: 'archiveSection',
  route: 'DELETE /sections/:section_id',
  summary: 'Archive a section with its lessons',
  description: 'Progress and what was handed in stay. PUT on its placement brings it back with the same lessons.',
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
    requireMatch(section.revision, before)
    if (section.archived_at !== null) return
    const lessons = before.lesson_ids.map(id => fromId('les', id) ?? '')
    await archiveNodes(db, school.id, course.id, [section.id, ...lessons])
    await touchOutline(db, school.id, course.id)
    const ids = { section: params.section_id, course: toId('crs', course.id) }
    changed({ ids: [ids.section, ...before.lesson_ids, ids.course], fields: ['archived_at'] })
    record({
      kind: 'section.archived',
      about: { ...ids, lessons: lessons.length },
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
  putSectionPlacement,
  putSectionOrder,
  archiveSection,
]
