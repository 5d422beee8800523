import { ChangedLesson, Section } from '#src/areas/courses/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { formKeyIn, readLine } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { buildBinned } from '../../pages/binned.ts'
import { getOutline } from './course.ts'
import { lessonAfter, type Step, sectionAfter } from './outline-moves.rules.ts'

/** What follows an act: what is said, the row that is shown, and the lesson that is open, if another one than before. */
type Done = {
  readonly done: string
  readonly at?: string
  readonly lesson?: string
  readonly add?: string
  /** What is in the bin now. */
  readonly binned?: string
}

/** What a form of the outline does. */
type Act = (context: StaffContext, courseId: string, form: Pairs, target: Target) => Promise<Done>

/** The section or lesson that a button names, with the revision that the page showed. */
type Target = { readonly id: string; readonly revision: number }

// Two calls of one form have two names.
const keyFor = (form: Pairs, part: string): { readonly formKey?: string } => {
  const { formKey } = formKeyIn(form)
  return formKey === undefined ? {} : { formKey: `${formKey}-${part}` }
}

const createSection = (context: StaffContext, courseId: string, form: Pairs, body: object) =>
  context.call({
    operation: 'createSection',
    params: { course_id: courseId },
    body,
    ...keyFor(form, 'section'),
    returns: Section,
  })

const copyLessons = (context: StaffContext, sectionId: string, form: Pairs, body: object) =>
  context.call({
    operation: 'copyLessons',
    params: { section_id: sectionId },
    body,
    ...keyFor(form, 'lessons'),
    returns: Section,
  })

const addSection: Act = async (context, courseId, form) => {
  const { id } = await createSection(context, courseId, form, { name: readLine(form, 'name') })
  return { done: 'section', at: id, add: id }
}

const renameSection: Act = async (context, _courseId, form, { id, revision }) => {
  const body = { name: readLine(form, 'name') }
  await context.call({ operation: 'updateSection', params: { section_id: id }, body, revision })
  return { done: 'saved', at: id }
}

const placeSection = async (context: StaffContext, { id, revision }: Target, position: number | undefined) => {
  if (position !== undefined)
    await context.call({ operation: 'moveSection', params: { section_id: id }, body: { position }, revision })
  return { done: 'moved', at: id }
}

const moveSection =
  (step: Step): Act =>
  async (context, courseId, _form, target) => {
    const { sections } = await getOutline(context, courseId)
    return placeSection(context, target, sectionAfter(sections, target.id, step))
  }

const readPosition = (form: Pairs): number => {
  const text = formField(form, 'position')
  if (!/^\d{1,4}$/.test(text)) throw new Refusal(formRefused, 'The form does not say where to.')
  return Number(text)
}

const copySection: Act = async (context, courseId, form, { id }) => {
  const { sections } = await getOutline(context, courseId)
  const at = sections.findIndex(section => section.id === id)
  const section = sections[at]
  if (section === undefined) return { done: 'copiedHere' }
  const copy = await createSection(context, courseId, form, { name: section.name, position: at + 1 })
  const lessonIds = section.lessons.map(lesson => lesson.id)
  if (lessonIds.length > 0) await copyLessons(context, copy.id, form, { lesson_ids: lessonIds })
  return { done: 'copiedHere', at: copy.id }
}

const archive = ({ call }: StaffContext, kind: 'section' | 'lesson', { id, revision }: Target, dryRun = false) => {
  const archived = { params: { [`${kind}_id`]: id }, revision } as const
  const operation = kind === 'section' ? 'archiveSection' : 'archiveLesson'
  return dryRun ? call({ operation, ...archived, dryRun }) : call({ operation, ...archived })
}

// What is archived cannot be copied, so whether it may be archived is asked before.
const giveSection: Act = async (context, courseId, form, target) => {
  await archive(context, 'section', target, true)
  const { sections } = await getOutline(context, courseId)
  const section = sections.find(({ id }) => id === target.id)
  if (section === undefined) return { done: 'given' }
  const copy = await createSection(context, formField(form, 'to_course'), form, { name: section.name })
  const lessonIds = section.lessons.map(lesson => lesson.id)
  if (lessonIds.length > 0) await copyLessons(context, copy.id, form, { lesson_ids: lessonIds })
  await archive(context, 'section', target)
  return { done: 'given', lesson: '' }
}

const removeSection: Act = async (context, _courseId, _form, target) => {
  await archive(context, 'section', target)
  return { done: 'removed', lesson: '' }
}

const restoreSection: Act = async (context, _courseId, _form, { id, revision }) => {
  await context.call({ operation: 'moveSection', params: { section_id: id }, body: {}, revision })
  return { done: 'restored', at: id }
}

const addLesson: Act = async (context, _courseId, form, { id: section }) => {
  const body = { name: readLine(form, 'name'), type: formField(form, 'type') }
  const call = { operation: 'createLesson', params: { section_id: section }, body, ...formKeyIn(form) }
  const { id } = await context.call({ ...call, returns: ChangedLesson })
  return { done: 'lesson', lesson: id, add: section }
}

const renameLesson: Act = async (context, _courseId, form, { id, revision }) => {
  const body = { name: readLine(form, 'name') }
  await context.call({ operation: 'updateLesson', params: { lesson_id: id }, body, revision })
  return { done: 'saved', at: id }
}

const placeLesson = async (context: StaffContext, { id, revision }: Target, body: object | undefined) => {
  if (body !== undefined) await context.call({ operation: 'moveLesson', params: { lesson_id: id }, body, revision })
  return { done: 'moved', at: id }
}

const moveLesson =
  (step: Step): Act =>
  async (context, courseId, _form, target) => {
    const { sections } = await getOutline(context, courseId)
    return placeLesson(context, target, lessonAfter(sections, target.id, step))
  }

const setStatus =
  (status: 'draft' | 'published'): Act =>
  async (context, _courseId, _form, { id, revision }) => {
    await context.call({ operation: 'updateLesson', params: { lesson_id: id }, body: { status }, revision })
    return { done: status === 'published' ? 'shown' : 'hidden', at: id }
  }

const copyLesson: Act = async (context, courseId, form, { id }) => {
  const { sections } = await getOutline(context, courseId)
  const section = sections.find(({ lessons }) => lessons.some(lesson => lesson.id === id))
  if (section === undefined) return { done: 'copiedHere' }
  const position = section.lessons.findIndex(lesson => lesson.id === id) + 1
  const { lesson_ids: ids } = await copyLessons(context, section.id, form, { lesson_ids: [id], position })
  return { done: 'copiedHere', at: ids[position] ?? id }
}

// A lesson goes behind the last one of the other course.
const giveLesson: Act = async (context, _courseId, form, target) => {
  await archive(context, 'lesson', target, true)
  const courseId = formField(form, 'to_course')
  const name = context.t(texts.staff.courses.create.firstSection)
  const { sections } = await getOutline(context, courseId)
  const section = sections.at(-1) ?? (await createSection(context, courseId, form, { name }))
  await copyLessons(context, section.id, form, { lesson_ids: [target.id] })
  await archive(context, 'lesson', target)
  return { done: 'given', ...(formField(form, 'at') === target.id ? { lesson: '' } : {}) }
}

const removeLesson: Act = async (context, _courseId, form, target) => {
  await archive(context, 'lesson', target)
  return { done: 'removed', binned: target.id, ...(formField(form, 'at') === target.id ? { lesson: '' } : {}) }
}

const restoreLesson: Act = async (context, _courseId, form, target) => ({
  ...(await placeLesson(context, target, { section_id: formField(form, `section_of_${target.id}`) })),
  done: 'restored',
})

const completeAll: Act = async (context, courseId, form) => {
  const params = { course_id: courseId }
  const people = Number(/^\d{1,9}$/.exec(formField(form, 'people'))?.[0] ?? 0)
  await context.call({ operation: 'createCourseCompletions', params, revision: people })
  return { done: 'completed' }
}

const acts: Readonly<Record<string, Act>> = {
  add_section: addSection,
  rename_section: renameSection,
  section_up: moveSection(-1),
  section_down: moveSection(1),
  place_section: (context, _courseId, form, target) => placeSection(context, target, readPosition(form)),
  copy_section: copySection,
  give_section: giveSection,
  remove_section: removeSection,
  restore_section: restoreSection,
  add_lesson: addLesson,
  rename_lesson: renameLesson,
  lesson_up: moveLesson(-1),
  lesson_down: moveLesson(1),
  place_lesson: (context, _courseId, form, target) =>
    placeLesson(context, target, { section_id: formField(form, 'section'), position: readPosition(form) }),
  put_lesson: (context, _courseId, form, target) =>
    placeLesson(context, target, { section_id: formField(form, 'to_section') }),
  copy_lesson: copyLesson,
  give_lesson: giveLesson,
  show_lesson: setStatus('published'),
  hide_lesson: setStatus('draft'),
  remove_lesson: removeLesson,
  restore_lesson: restoreLesson,
  complete_all: completeAll,
}

/** What a form names: the act, its section or lesson and the revision that the page showed. */
export const doIn = (form: Pairs): { readonly name: string; readonly target: Target } => {
  const [name = '', id = '', revision = '0'] = formField(form, 'do').split(' ')
  return { name, target: { id, revision: /^\d{1,9}$/.test(revision) ? Number(revision) : 0 } }
}

/** The lesson that is open beside the outline of a form; undefined for none. */
export const findOpen = (form: Pairs): string | undefined => /^les_\w{1,40}$/.exec(formField(form, 'at'))?.[0]

/** Performs what a form of the outline says; returns the address that follows, below that of the course. */
export const performAct = async (context: StaffContext, courseId: string, form: Pairs): Promise<string> => {
  const { name, target } = doIn(form)
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const { done, at, lesson = findOpen(form) ?? '', add, binned } = await act(context, courseId, form, target)
  const path = lesson === '' ? '' : `/lessons/${lesson}`
  if (binned !== undefined) return buildBinned(path, binned)
  const query = new URLSearchParams({ done, ...(add === undefined ? {} : { add }) })
  return `${path}?${query}${at === undefined ? '' : `#${at}`}`
}
