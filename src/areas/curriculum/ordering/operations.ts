import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { type Looking, lockOwnSection } from '../access.ts'
import { readNodes } from '../outline/actions.ts'
import { type SectionRow, touchOutline } from '../outline/queries.ts'
import { MAX_LESSONS, MAX_SECTIONS } from '../outline/schema.ts'
import { liveSections, sectionView, storedSection } from '../sections/actions.ts'
import { Section, SectionOrder, SectionPlacement, SectionRef } from '../sections/schema.ts'
import { restoreSection, storeLessonOrder, storeSectionOrder, touchSection } from './queries.ts'
import { faultsOfOrder, outlineFull, placedAt, sectionArchived } from './rules.ts'

const oven = { section_id: exampleFrom('sec', 'listSections', { having: { name: 'The oven' } }) }
const ofOven = (at: string) =>
  exampleFrom('les', 'listSections', { having: { name: 'The oven' }, at: `lesson_ids.${at}` })

// What comes back with a section counts like what is there.
const checkRoom = async (looking: Looking, section: SectionRow, wanted: readonly string[]): Promise<void> => {
  if (section.archived_at === null) return
  if (wanted.length > MAX_SECTIONS) throw new Refusal(outlineFull, `There are ${MAX_SECTIONS} sections already.`)
  const { lessons } = await readNodes(looking, section.course_id)
  const at = section.archived_at.getTime()
  const coming = lessons.filter(one => one.section_id === section.id && one.archived_at?.getTime() === at).length
  const there = lessons.filter(one => one.archived_at === null).length
  if (there + coming > MAX_LESSONS)
    throw new Refusal(outlineFull, `There are ${there} lessons, and ${coming} would come.`)
}

const moveSection = operation({
  id: 'moveSection',
  route: 'PUT /sections/:section_id/placement',
  summary: 'Move a section',
  description:
    'Moves a section to a position in its course, the last one when no position is given. An archived section comes back with the lessons that were archived with it.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: SectionRef,
  body: SectionPlacement,
  returns: Section,
  fails: [outlineFull],
  example: { params: oven, body: { position: 1 } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const before = await sectionView(context, section, true)
    await requireMatch(section.revision, () => before)
    const live = await liveSections(context, course.id)
    const wanted = placedAt(live, section.id, body.position)
    await checkRoom(context, section, wanted)
    if (wanted.join() === live.join()) return before
    const isBack = section.archived_at !== null
    if (isBack) await restoreSection(db, school.id, section)
    else await touchSection(db, school.id, section.id)
    await storeSectionOrder(db, school.id, wanted)
    await touchOutline(db, school.id, course.id)
    const ids = { section: params.section_id, course: toId('crs', course.id) }
    changed({ ids: [ids.section, ids.course], fields: ['placement'], revision: section.revision + 1 })
    record({ type: isBack ? 'section.restored' : 'section.moved', payload: ids })
    return sectionView(context, await storedSection(context, section.id), true)
  },
})

const reorderSectionLessons = operation({
  id: 'reorderSectionLessons',
  route: 'PUT /sections/:section_id/order',
  summary: 'Reorder lessons in a section',
  description:
    'Sets the order of the lessons of a section. The request names every lesson, drafts too, exactly once; otherwise nothing is changed.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: SectionRef,
  body: SectionOrder,
  returns: Section,
  fails: [sectionArchived],
  example: { params: oven, body: { lesson_ids: [ofOven('1'), ofOven('0')] } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    const before = await sectionView(context, section, true)
    await requireMatch(section.revision, () => before)
    if (section.archived_at !== null) throw new Refusal(sectionArchived, 'The section is archived.')
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
    record({ type: 'section.reordered', payload: ids })
    return sectionView(context, await storedSection(context, section.id), true)
  },
})

/** In which order sections and their lessons stand, in the order of the documentation. */
export const arrangingOperations = [moveSection, reorderSectionLessons]
