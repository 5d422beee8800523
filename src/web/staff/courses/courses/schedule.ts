// One thing: when each lesson of a course opens, for all of them in one form.
import { Outline } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { preconditionFailed } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type ControlState,
  fileForm,
  hidden,
  inputs,
  lineControl,
  page,
  revisionIn,
  selectControl,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { dripBody, dripFields } from '../lessons/lesson-fields.ts'
import { type CourseView, getCourse, getOutline, type OutlineView } from './course.ts'
import { buildPath, renderCoursePart } from './frame.ts'
import type { LessonView } from './outline-view.ts'

const { schedule: text } = texts.staff.courses
const { drip: said } = texts.staff.lessons.lesson

const PARTS = ['mode', 'value', 'date', 'local_time'] as const

const listModes = ({ t }: StaffContext) =>
  Object.entries(said.mode.choices).map(([value, label]) => ({ value, label: t(label) }))

const listLessons = ({ sections }: OutlineView): LessonView[] => sections.flatMap(({ lessons }) => lessons)

const listStored = (context: StaffContext, outline: OutlineView): Pairs =>
  listLessons(outline).flatMap(({ id, drip }) =>
    dripFields.pairs(drip, context).map(([name, value]): readonly [string, string] => [`${name}_${id}`, value]),
  )

// An error names a lesson by its place in the outline.
const findErrors = (
  { t }: StaffContext,
  outline: OutlineView,
  refusal: Refusal | undefined,
): ReadonlyMap<string, string> =>
  new Map(
    (refusal?.extras.errors ?? []).flatMap(({ pointer }): [string, string][] => {
      const [, section, lesson, part] = /^\/sections\/(\d+)\/lessons\/(\d+)\/drip\/(\w+)$/.exec(pointer) ?? []
      const id = outline.sections[Number(section)]?.lessons[Number(lesson)]?.id
      const found = PARTS.find(one => one === part)
      if (id === undefined || found === undefined || found === 'mode') return []
      return [[`${found}_${id}`, t(said[found].error)]]
    }),
  )

const renderLesson = (
  { id, name }: LessonView,
  context: StaffContext,
  course: CourseView,
  state: ControlState,
): Html => {
  const { t } = context
  const label = (phrase: string): Html => html`${phrase}<span class="unseen">: ${name}</span>`
  const line = (part: 'value' | 'date' | 'local_time', attributes: Html): Html =>
    html`<div class="when-${part}">${lineControl(state, { name: `${part}_${id}`, label: label(t(said[part].label)), attributes })}</div>`
  return html`<li class="drip-row"><a href="${buildPath(course)}/lessons/${id}"><bdi>${name}</bdi></a>
<div class="drip">${selectControl(state, { name: `mode_${id}`, label: label(t(said.mode.label)) }, listModes(context))}${line('value', inputs.number)}${line('date', inputs.day)}${line('local_time', html`type="time"`)}</div></li>
`
}

const showSchedule = async (context: StaffContext, typed?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { t, form, timeZone } = context
  const course = await getCourse(context)
  const outline = await getOutline(context, course.id)
  const isStale = refusal?.problem === preconditionFailed
  const revision = (!isStale && typed && formField(typed, 'revision')) || outline.revision
  const state = { typed: typed ?? listStored(context, outline), errors: findErrors(context, outline, refusal) }
  const sections = outline.sections.filter(({ lessons }) => lessons.length > 0)
  const inside = html`${hidden({ revision })}${sections.map(
    section => html`<section><h2><bdi>${section.name}</bdi></h2>
<ol class="list drips">\n${section.lessons.map(lesson => renderLesson(lesson, context, course, state))}</ol></section>\n`,
  )}
<div class="buttons row"><button class="main" type="submit">${t(text.save)}</button></div>`
  return renderCoursePart(context, course, {
    tab: 'schedule',
    title: text.title,
    refusal,
    moreStyles: ['studio'],
    body: html`<p>${t(text.about, { zone: timeZone })}</p>
${sections.length === 0 ? html`<p>${t(text.none)}</p>` : form(inside)}`,
  })
}

// The fields of one lesson, as those of its own form.
const pickFields = (typed: Pairs, id: string): Pairs => PARTS.map(part => [part, formField(typed, `${part}_${id}`)])

// All rules are stored by one write, which names the outline that the page showed. A lesson that the page did not show keeps its rule.
const save = async (context: StaffContext, course: CourseView, typed: Pairs): Promise<string> => {
  const { sections } = await getOutline(context, course.id)
  const changed = sections.map(({ id, name, lessons }) => ({
    id,
    name,
    lessons: lessons.map(lesson => {
      const own = pickFields(typed, lesson.id)
      const isShown = typed.some(([field]) => field === `mode_${lesson.id}`)
      return { id: lesson.id, name: lesson.name, ...(isShown ? { drip: dripBody(context, own) } : {}) }
    }),
  }))
  const params = { course_id: course.id }
  const body = { sections: changed }
  await context.call({ operation: 'setOutline', params, body, revision: revisionIn(typed), returns: Outline })
  return `${buildPath(course)}/schedule?done=saved`
}

const PATH = '/staff/courses/:course/schedule'

/** GET and POST /staff/courses/:course/schedule: when the lessons of a course open. */
export const courseSchedule = [
  page(`GET ${PATH}`, courseTeachers, context => showSchedule(context)),
  fileForm(`POST ${PATH}`, courseTeachers, async (context, { form: typed }) => {
    const course = await getCourse(context)
    return shownAgain(
      () => save(context, course, typed),
      refusal => showSchedule(context, typed, refusal),
    )
  }),
]
