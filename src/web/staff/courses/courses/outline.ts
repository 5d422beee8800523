import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { LessonPage, lessonTypes, SectionPage } from '#src/areas/courses/index.ts'
import { CourseCompletions, EnrollmentPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  choice,
  type FormState,
  fieldsFor,
  fileForm,
  hidden,
  line,
  page,
  required,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { renderBinned } from '../../pages/binned.ts'
import { type CourseView, getCourse, getOutline, type OutlineView } from './course.ts'
import { badge, buildPath, courseHead, renderCoursePage, toCourses } from './frame.ts'
import { doIn, performAct } from './outline-acts.ts'
import { coursesText } from './text.ts'

const { outline: text } = texts.staff.courses

const ARCHIVED: Pairs = [
  ['archived', 'true'],
  ['limit', '50'],
]

const READY: Pairs = [
  ['completed', 'false'],
  ['percent_complete[gte]', '100'],
  ['limit', '1'],
  ['include_total', 'true'],
]

type SectionView = OutlineView['sections'][number]
type LessonView = SectionView['lessons'][number]

type Completions = Encoded<Static<typeof CourseCompletions>>

type OutlineShown = {
  readonly course: CourseView
  readonly outline: OutlineView
  readonly removed: {
    readonly sections: Encoded<Static<typeof SectionPage>>['data']
    readonly lessons: Encoded<Static<typeof LessonPage>>['data']
  }
  /** How many people lack nothing and have not finished the course. */
  readonly readyCount: number
  /** What completing the course for all who lack nothing would do. */
  readonly completions?: Completions | undefined
  /** What was refused just now, with what was typed. */
  readonly refused?: { readonly refusal: Refusal; readonly form: Pairs } | undefined
}

type Item = { readonly id: string; readonly name: string; readonly revision: number }

// Buttons belong to one form of the page, since a form for each would make long outlines slow.
const button = (act: string, { id, name, revision }: Item, label: string, sign?: string): Html =>
  html`<button form="outline" class="${sign === undefined ? 'plain' : 'sign'}" name="do" value="${act} ${id} ${revision}" aria-label="${label}: ${name}">${sign ?? label}</button>`

const arrows = (item: Item, kind: 'section' | 'lesson', { t }: StaffContext, ends: readonly [boolean, boolean]): Html =>
  html`${!ends[0] && button(`${kind}_up`, item, t(coursesText.up), '↑')}${!ends[1] && button(`${kind}_down`, item, t(coursesText.down), '↓')}`

const name = required(line({ most: 200 }))

const sectionFields = fieldsFor<{ readonly name: string }>()({ name: { label: text.sectionName } }, { name })

const lessonFields = fieldsFor<{ readonly name: string; readonly type: (typeof lessonTypes)[number] }>()(
  { name: { label: text.lessonName }, type: { label: text.lessonType, choices: coursesText.types } },
  { name, type: choice(lessonTypes) },
)

// A form shows again what was typed where it was refused.
const buildState = (
  { refused }: OutlineShown,
  act: string,
  id: string,
  { language }: StaffContext,
  stored: Pairs = [],
): FormState => {
  const { name, target } = refused === undefined ? { name: '', target: { id: '' } } : doIn(refused.form)
  const prefix = `${act}${id}-`
  if (refused === undefined || name !== act || target.id !== id) return { language, prefix, typed: stored }
  return { language, prefix, typed: refused.form, refusal: refused.refusal }
}

const isRefused = (view: OutlineShown, act: string, id: string): boolean => {
  if (view.refused === undefined) return false
  const { name, target } = doIn(view.refused.form)
  return name === act && target.id === id
}

const addSection = (context: StaffContext, view: OutlineShown): Html => {
  const { t, form } = context
  const state = buildState(view, 'add_section', '', context)
  const key = formField(state.typed, 'form_key') || randomUUID()
  const inside = html`${hidden({ do: 'add_section', form_key: key })}${sectionFields.rows(state, ['name'])}<button${view.outline.sections.length === 0 && html` class="main"`} type="submit">${t(text.addSection)}</button>`
  return form(inside)
}

const addLesson = (section: SectionView, context: StaffContext, view: OutlineShown, isOpen: boolean): Html => {
  const { t, form } = context
  const act = `add_lesson ${section.id}`
  const state = buildState(view, 'add_lesson', section.id, context, [['type', 'text']])
  const key = formField(state.typed, 'form_key') || randomUUID()
  const inside = html`${hidden({ do: act, form_key: key })}${lessonFields.rows(state, [['name', 'type']])}<button class="main" type="submit">${t(text.addLesson)}</button>`
  return html`<details class="add"${isOpen && html` open`}>
<summary>${t(text.addLesson)}</summary>
${form(inside)}
</details>`
}

const lessonFacts = ({ type, preview, drip, required_for_completion }: LessonView, { t }: StaffContext): string =>
  [
    t(coursesText.types[type]),
    ...(preview ? [t(text.preview)] : []),
    ...(drip.mode === 'immediate' ? [] : [t(text.drip)]),
    ...(required_for_completion ? [] : [t(texts.words.optional)]),
  ].join(' · ')

const lessonItem = (
  lesson: LessonView,
  context: StaffContext,
  view: OutlineShown,
  ends: readonly [boolean, boolean],
): Html => {
  const { t } = context
  const isDraft = lesson.status === 'draft'
  const act = isDraft ? 'show_lesson' : 'hide_lesson'
  const label = t(isDraft ? texts.words.publish : text.hide)
  return html`<li id="${lesson.id}" class="outline-lesson"><div><a href="${buildPath(view.course)}/lessons/${lesson.id}"><bdi>${lesson.name}</bdi></a>
<span class="quiet">${badge(t(coursesText.lessonStatuses[lesson.status]), lesson.status)} ${lessonFacts(lesson, context)}</span></div>
<div class="tools">${button(act, lesson, label)}${arrows(lesson, 'lesson', context, ends)}</div></li>
`
}

const editSection = (section: SectionView, context: StaffContext, view: OutlineShown): Html => {
  const { t, form } = context
  const state = buildState(view, 'rename_section', section.id, context, [['name', section.name]])
  const inside = html`${hidden({ do: `rename_section ${section.id} ${section.revision}` })}${sectionFields.rows(state, ['name'])}<button type="submit">${t(texts.words.rename)}</button>`
  const n = section.lessons.length
  return html`<details class="rename"${isRefused(view, 'rename_section', section.id) && html` open`}>
<summary aria-label="${t(text.edit)}: ${section.name}">${t(text.edit)}</summary>
${form(inside)}
<p class="quiet">${t(text.removeAbout, { n })}</p>
<p>${button('remove_section', section, t(text.removeSection))}</p>
</details>`
}

const sectionPart = (section: SectionView, index: number, context: StaffContext, view: OutlineShown): Html => {
  const { sections } = view.outline
  const { lessons } = section
  const [isFirst, isLast] = [index === 0, index === sections.length - 1]
  const isOpen = lessons.length === 0 || isRefused(view, 'add_lesson', section.id)
  return html`<section class="card outline-section" id="${section.id}">
<div class="outline-head"><h2><bdi>${section.name}</bdi></h2><div class="tools">${arrows(section, 'section', context, [isFirst, isLast])}</div></div>
${editSection(section, context, view)}
${lessons.length > 0 && html`<ul class="list">\n${lessons.map((lesson, at) => lessonItem(lesson, context, view, [isFirst && at === 0, isLast && at === lessons.length - 1]))}</ul>`}
${addLesson(section, context, view, isOpen)}
</section>
`
}

const removedPart = (context: StaffContext, view: OutlineShown): Html | false => {
  const { t } = context
  const { removed } = view
  // A lesson that was removed with its section comes back with it.
  const gone = new Set(removed.sections.map(({ id }) => id))
  const lessons = removed.lessons.filter(lesson => !gone.has(lesson.section_id))
  if (removed.sections.length + lessons.length === 0) return false
  const label = t(texts.words.restore)
  const sections = removed.sections.map(
    section => html`<li class="act"><bdi>${section.name}</bdi>${button('restore_section', section, label)}</li>\n`,
  )
  const items = lessons.map(
    lesson =>
      html`<li class="act"><bdi>${lesson.name}</bdi>${button('restore_lesson', lesson, label)}<input type="hidden" form="outline" name="section_of_${lesson.id}" value="${lesson.section_id}"></li>\n`,
  )
  return html`<details class="card"><summary>${t(text.removed)}</summary>
<p class="quiet">${t(text.removedAbout)}</p>
<ul class="list">\n${sections}${items}</ul>
</details>`
}

const readyPart = (context: StaffContext, { course, readyCount, completions }: OutlineShown): Html | false => {
  const { t, form, isStaff } = context
  if (readyCount === 0 && completions === undefined) return false
  const act = (fields: Readonly<Record<string, string>>, label: string) =>
    form(html`${hidden(fields)}<button type="submit">${label}</button>`)
  const people = completions?.completed_count ?? readyCount
  return html`<section class="card" id="ready">
<h2>${t(text.ready, { n: people })}</h2>
<p class="quiet">${t(isStaff ? text.readyAbout : text.readyStaff)}</p>
<p><a href="/staff/students?course_id=${course.id}&amp;completed=ready">${t(text.showReady)}</a></p>
${isStaff && completions === undefined && act({ do: 'count_ready' }, t(text.countReady))}
${
  completions !== undefined &&
  people > 0 &&
  html`<p>${t(text.completes, { people, certificates: completions.certificate_count })}</p>
${act({ do: 'complete_all', people: String(people) }, t(text.completeAll, { people }))}`
}
</section>`
}

const showOutline = async (
  context: StaffContext,
  { refused, completions }: Pick<OutlineShown, 'refused' | 'completions'> = {},
): Promise<Reply> => {
  const { t, call, token } = context
  const course = await getCourse(context)
  const params = { course_id: course.id }
  const [outline, sections, lessons, ready] = await Promise.all([
    getOutline(context, course.id),
    call({ operation: 'listSections', params, query: ARCHIVED, returns: SectionPage }),
    call({ operation: 'listLessons', params, query: ARCHIVED, returns: LessonPage }),
    call({ operation: 'listCourseEnrollments', params, query: READY, returns: EnrollmentPage }),
  ])
  const removed = { sections: sections.data, lessons: lessons.data }
  const view = { course, outline, removed, readyCount: ready.total ?? 0, completions, refused }
  return renderCoursePage(context, {
    title: course.name,
    above: [toCourses(context)],
    refusal: refused?.refusal,
    body: html`${await renderBinned(context)}
${courseHead(context, course, 'outline')}
<form id="outline" method="post" action="${buildPath(course)}"><input type="hidden" name="token" value="${token}"></form>
${outline.sections.length === 0 && html`<p>${t(text.empty)}</p>`}
${outline.sections.map((section, index) => sectionPart(section, index, context, view))}
${readyPart(context, view)}
${addSection(context, view)}
${removedPart(context, view)}
${course.status === 'draft' && outline.sections.length > 0 && html`<p class="next"><a class="button main" href="${buildPath(course)}/publication">${t(text.publish)}</a></p>`}`,
  })
}

const countReady = async (context: StaffContext, courseId: string): Promise<Reply> => {
  const params = { course_id: courseId }
  const call = { operation: 'createCourseCompletions', params, dryRun: true, returns: CourseCompletions } as const
  const { result } = await context.call(call)
  return showOutline(context, { completions: result ?? undefined })
}

/** GET and POST /staff/courses/:course: a course with its sections and lessons, which are added, renamed, moved, published and removed. */
export const courseOutline = [
  page('GET /staff/courses/:course', courseTeachers, context => showOutline(context)),
  fileForm('POST /staff/courses/:course', courseTeachers, async (context, { form }) => {
    const { name } = doIn(form)
    const course = await getCourse(context)
    if (name === 'count_ready') return countReady(context, course.id)
    return shownAgain(
      async () => `${buildPath(course)}${await performAct(context, course.id, form)}`,
      refusal => showOutline(context, { refused: { refusal, form } }),
    )
  }),
]
