import { ChangedLesson, Section } from '#src/areas/courses/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formKeyIn, readLine } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { getOutline } from './course.ts'
import { lessonAfter, type Step, sectionAfter } from './outline-moves.rules.ts'

/** What a form of the outline does: the address that follows, below that of the course. */
type Act = (context: StaffContext, courseId: string, form: Pairs, target: Target) => Promise<string>

/** The section or lesson that a button names, with the revision that the page showed. */
type Target = { readonly id: string; readonly revision: number }

const addSection: Act = async (context, courseId, form) => {
  const body = { name: readLine(form, 'name') }
  const call = { operation: 'createSection', params: { course_id: courseId }, body, ...formKeyIn(form) }
  const { id } = await context.call({ ...call, returns: Section })
  return `?done=section#${id}`
}

const renameSection: Act = async (context, _courseId, form, { id, revision }) => {
  const body = { name: readLine(form, 'name') }
  await context.call({ operation: 'updateSection', params: { section_id: id }, body, revision })
  return `?done=saved#${id}`
}

const moveSection =
  (step: Step): Act =>
  async (context, courseId, _form, { id, revision }) => {
    const { sections } = await getOutline(context, courseId)
    const position = sectionAfter(sections, id, step)
    if (position !== undefined)
      await context.call({ operation: 'moveSection', params: { section_id: id }, body: { position }, revision })
    return `?done=moved#${id}`
  }

const removeSection: Act = async (context, _courseId, _form, { id, revision }) => {
  await context.call({ operation: 'archiveSection', params: { section_id: id }, revision })
  return '?done=removed'
}

const restoreSection: Act = async (context, _courseId, _form, { id, revision }) => {
  await context.call({ operation: 'moveSection', params: { section_id: id }, body: {}, revision })
  return `?done=restored#${id}`
}

const addLesson: Act = async (context, _courseId, form, { id: section }) => {
  const body = { name: readLine(form, 'name'), type: formField(form, 'type') }
  const call = { operation: 'createLesson', params: { section_id: section }, body, ...formKeyIn(form) }
  const { id } = await context.call({ ...call, returns: ChangedLesson })
  return `/lessons/${id}?done=lesson`
}

const moveLesson =
  (step: Step): Act =>
  async (context, courseId, _form, { id, revision }) => {
    const { sections } = await getOutline(context, courseId)
    const body = lessonAfter(sections, id, step)
    if (body !== undefined) await context.call({ operation: 'moveLesson', params: { lesson_id: id }, body, revision })
    return `?done=moved#${id}`
  }

const setStatus =
  (status: 'draft' | 'published'): Act =>
  async (context, _courseId, _form, { id, revision }) => {
    await context.call({ operation: 'updateLesson', params: { lesson_id: id }, body: { status }, revision })
    return `?done=${status === 'published' ? 'shown' : 'hidden'}#${id}`
  }

const restoreLesson: Act = async (context, _courseId, form, { id, revision }) => {
  const body = { section_id: formField(form, `section_of_${id}`) }
  await context.call({ operation: 'moveLesson', params: { lesson_id: id }, body, revision })
  return `?done=restored#${id}`
}

const completeAll: Act = async (context, courseId, form) => {
  const params = { course_id: courseId }
  const people = Number(/^\d{1,9}$/.exec(formField(form, 'people'))?.[0] ?? 0)
  await context.call({ operation: 'createCourseCompletions', params, revision: people })
  return '?done=completed'
}

const acts: Readonly<Record<string, Act>> = {
  add_section: addSection,
  rename_section: renameSection,
  section_up: moveSection(-1),
  section_down: moveSection(1),
  remove_section: removeSection,
  restore_section: restoreSection,
  add_lesson: addLesson,
  lesson_up: moveLesson(-1),
  lesson_down: moveLesson(1),
  show_lesson: setStatus('published'),
  hide_lesson: setStatus('draft'),
  restore_lesson: restoreLesson,
  complete_all: completeAll,
}

/** What a form names: the act, its section or lesson and the revision that the page showed. */
export const doIn = (form: Pairs): { readonly name: string; readonly target: Target } => {
  const [name = '', id = '', revision = '0'] = formField(form, 'do').split(' ')
  return { name, target: { id, revision: /^\d{1,9}$/.test(revision) ? Number(revision) : 0 } }
}

/** Performs what a form of the outline says; returns the address that follows. */
export const performAct = async (context: StaffContext, courseId: string, form: Pairs): Promise<string> => {
  const { name, target } = doIn(form)
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act(context, courseId, form, target)
}
