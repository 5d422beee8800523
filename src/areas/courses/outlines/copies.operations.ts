import type { CourseRow } from '#src/areas/courses/courses/index.ts'
import {
  checkNotArchived,
  checkSectionNotArchived,
  getOwnLesson,
  lessonArchived,
  listSectionLessonIds,
  lockOwnSection,
  MAX_LESSONS,
  outlineFull,
  Section,
  SectionRef,
  sectionArchived,
  sectionView,
} from '#src/areas/courses/curriculum/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { buildStored, type Nodes, readNodes } from './lookups.ts'
import { planOutline, type RequestedSection } from './rules.ts'
import { LessonCopies } from './schema.ts'
import { fillCopies, storeOutline } from './writes.ts'

type Original = Nodes['lessons'][number]

// In the order of the request, each with its release schedule; refuses those of courses that the caller does not manage.
const readOriginals = async (context: AsCaller, ids: readonly string[]): Promise<Original[]> => {
  const courses = new Map<string, CourseRow>()
  for (const id of ids) {
    const { lesson, course } = await getOwnLesson(context, id)
    checkNotArchived(lesson)
    courses.set(course.id, course)
  }
  const lessons = new Map<string, Original>()
  for (const id of courses.keys())
    for (const lesson of (await readNodes(context, id)).lessons) lessons.set(lesson.id, lesson)
  return ids.flatMap(id => lessons.get(id) ?? [])
}

// A copy is a draft, so that nobody meets it before it was looked at.
const listRequested = (
  { sections, lessons }: Nodes,
  into: { readonly id: string; readonly position: number | undefined },
  originals: readonly Original[],
): RequestedSection[] => {
  const copies = originals.map(({ id: _id, section_id: _section, revision: _revision, ...lesson }) => ({
    ...lesson,
    status: 'draft' as const,
  }))
  return sections
    .filter(one => one.archived_at === null)
    .map(({ id, name }) => {
      const own = lessons.filter(one => one.archived_at === null && one.section_id === id)
      const kept: RequestedSection['lessons'][number][] = own.map(lesson => ({ id: lesson.id, name: lesson.name }))
      return { id, name, lessons: id === into.id ? kept.toSpliced(into.position ?? kept.length, 0, ...copies) : kept }
    })
}

const copyLessons = declareFor('lecturer_of', 'curriculum', {
  id: 'copyLessons',
  route: 'POST /sections/:section_id/copies',
  summary: 'Copy lessons into a section',
  description:
    'Copies lessons with their content, files, quiz, assignment and release schedule into a section of the same or another course, as drafts. The caller manages the courses of the lessons and that of the section. Progress, attempts and submissions stay with the original; archive it to move the lesson.',
  params: SectionRef,
  body: LessonCopies,
  returns: Section,
  status: 201,
  fails: [outlineFull, sectionArchived, lessonArchived],
  example: {
    params: { section_id: exampleFrom('sec', 'listSections', { having: { name: 'The starter' } }) },
    body: { lesson_ids: [exampleFrom('les', 'listLessons', { having: { name: 'Heat and steam' } })] },
  },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const { section, course } = await lockOwnSection(context, params.section_id)
    checkSectionNotArchived(section)
    const originals = await readOriginals(context, body.lesson_ids)
    const nodes = await readNodes(context, course.id)
    const total = nodes.lessons.filter(one => one.archived_at === null).length
    if (total + originals.length > MAX_LESSONS)
      throw new Refusal(outlineFull, `There are ${total} lessons, and ${originals.length} would be added.`)
    const requested = listRequested(nodes, { id: section.id, position: body.position }, originals)
    const plan = planOutline(buildStored(nodes), requested, () => newUuid(now.getTime()))
    await storeOutline(context, course.id, plan)
    const before = new Set(nodes.lessons.map(({ id }) => id))
    const copies = plan.lessons.filter(({ id }) => !before.has(id))
    await fillCopies(context, { courseId: course.id, now }, body.lesson_ids, copies)
    const ids = [toId('crs', course.id), ...copies.map(({ id }) => toId('les', id))]
    changed({ ids, fields: ['outline'], revision: section.revision })
    record({ type: 'outline.updated', payload: { course_id: toId('crs', course.id), change_count: copies.length } })
    return sectionView(section, await listSectionLessonIds(db, school.id, section.id))
  },
})

/** Copies of lessons. */
export const copyOperations = [copyLessons]
