import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { listLessons, storeLessonOrder } from '../lessons/queries.ts'
import { touchOutline } from '../nodes/queries.ts'
import { errorsOfOrder, insertedAt, outlineFull } from '../nodes/rules.ts'
import { MAX_LESSONS, MAX_SECTIONS } from '../nodes/schema.ts'
import { lockOwnSection } from './access.ts'
import {
  listActiveSectionIds,
  listSectionLessonIds,
  restoreLessons,
  type SectionRow,
  storeSection,
  storeSectionOrder,
} from './queries.ts'
import { checkNotArchived, sectionArchived } from './rules.ts'
import { Section, SectionOrder, SectionPlacement, SectionRef } from './schema.ts'
import { sectionView } from './views.ts'

const oven = { section_id: exampleFrom('sec', 'listSections', { having: { name: 'The oven' } }) }
const ofOven = (at: string) =>
  exampleFrom('les', 'listSections', { having: { name: 'The oven' }, at: `lesson_ids.${at}` })

// Restored sections and lessons count like active ones.
const checkCapacity = async (
  db: Db,
  schoolId: string,
  section: SectionRow,
  order: readonly string[],
): Promise<void> => {
  if (section.archived_at === null) return
  if (order.length > MAX_SECTIONS) throw new Refusal(outlineFull, `There are ${MAX_SECTIONS} sections already.`)
  const lessons = await listLessons(db, schoolId, section.course_id)
  const at = section.archived_at.getTime()
  const restored = lessons.filter(one => one.section_id === section.id && one.archived_at?.getTime() === at).length
  const active = lessons.filter(one => one.archived_at === null).length
  if (active + restored > MAX_LESSONS)
    throw new Refusal(outlineFull, `There are ${active} lessons, and ${restored} would be restored.`)
}

const moveSection = declareFor('lecturer_of', 'curriculum', {
  id: 'moveSection',
  route: 'PUT /sections/:section_id/placement',
  summary: 'Move a section',
  description:
    'Moves a section to a position in its course, the last one when no position is given. An archived section comes back with the lessons that were archived with it.',
  ifMatch: 'honoured',
  params: SectionRef,
  body: SectionPlacement,
  returns: Section,
  fails: [outlineFull],
  example: { params: oven, body: { position: 1 } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const renderView = async (row: SectionRow) => sectionView(row, await listSectionLessonIds(db, school.id, row.id))
    await requireMatch(section.revision, () => renderView(section))
    const present = await listActiveSectionIds(db, school.id, course.id)
    const order = insertedAt(present, section.id, body.position)
    await checkCapacity(db, school.id, section, order)
    if (order.join() === present.join()) return renderView(section)
    const isRestored = section.archived_at !== null
    if (isRestored) await restoreLessons(db, school.id, section.id)
    const stored = await storeSection(db, school.id, section)
    await storeSectionOrder(db, school.id, order)
    await touchOutline(db, school.id, course.id)
    const ids = { section_id: toId('sec', params.section_id), course_id: toId('crs', course.id) }
    changed({ ids: [ids.section_id, ids.course_id], fields: ['placement'], revision: section.revision + 1 })
    record({ type: isRestored ? 'section.restored' : 'section.moved', payload: ids })
    return renderView(stored)
  },
})

const reorderSectionLessons = declareFor('lecturer_of', 'curriculum', {
  id: 'reorderSectionLessons',
  route: 'PUT /sections/:section_id/order',
  summary: 'Reorder lessons in a section',
  description:
    'Sets the order of the lessons of a section. The request names every lesson, drafts too, exactly once; otherwise nothing is changed.',
  ifMatch: 'honoured',
  params: SectionRef,
  body: SectionOrder,
  returns: Section,
  fails: [sectionArchived],
  example: { params: oven, body: { lesson_ids: [ofOven('1'), ofOven('0')] } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const before = await listSectionLessonIds(db, school.id, section.id)
    await requireMatch(section.revision, () => sectionView(section, before))
    checkNotArchived(section)
    const order = body.lesson_ids
    refuseInvalid(errorsOfOrder('/lesson_ids', order, before), 'The order does not name each lesson once.')
    if (order.join() === before.join()) return sectionView(section, before)
    await storeLessonOrder(db, school.id, order)
    const stored = await storeSection(db, school.id, section)
    await touchOutline(db, school.id, course.id)
    const ids = { section_id: toId('sec', params.section_id), course_id: toId('crs', course.id) }
    changed({ ids: [ids.section_id, ids.course_id], fields: ['order'], revision: section.revision + 1 })
    record({ type: 'section.reordered', payload: ids })
    return sectionView(stored, order)
  },
})

/** The operations that order sections and their lessons, in the order of the documentation. */
export const placementOperations = [moveSection, reorderSectionLessons]
