import type { Static } from 'typebox'
import { LessonPage, SectionPage } from '#src/areas/courses/index.ts'
import { CourseCompletions, EnrollmentPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { fileForm, hidden, page, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { showLesson } from '../lessons/lesson.ts'
import { type CourseView, getCourse } from './course.ts'
import { buildPath, renderStatus, renderStudio, renderViews } from './frame.ts'
import { doIn, findOpen, performAct } from './outline-acts.ts'
import { ROWS, renderOpener, renderOutline } from './outline-list.ts'
import type { OutlineShown } from './outline-view.ts'
import { renderCourseBar } from './publish-bar.ts'
import { readStudio } from './studio.ts'

const { outline: text, studio } = texts.staff.courses

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

type Completions = Encoded<Static<typeof CourseCompletions>>

type Removed = {
  readonly sections: Encoded<Static<typeof SectionPage>>['data']
  readonly lessons: Encoded<Static<typeof LessonPage>>['data']
}

const renderRemoved = ({ t }: StaffContext, removed: Removed): Html | false => {
  // A lesson that was removed with its section comes back with it.
  const gone = new Set(removed.sections.map(({ id }) => id))
  const lessons = removed.lessons.filter(lesson => !gone.has(lesson.section_id))
  if (removed.sections.length + lessons.length === 0) return false
  const label = t(texts.words.restore)
  const restore = (act: string, { id, name, revision }: { id: string; name: string; revision: number }): Html =>
    html`<button form="${ROWS}" class="plain" name="do" value="${act} ${id} ${revision}" aria-label="${label}: ${name}">${label}</button>`
  const sections = removed.sections.map(
    one => html`<li class="act"><bdi>${one.name}</bdi>${restore('restore_section', one)}</li>\n`,
  )
  const items = lessons.map(
    one =>
      html`<li class="act"><bdi>${one.name}</bdi>${restore('restore_lesson', one)}<input type="hidden" form="${ROWS}" name="section_of_${one.id}" value="${one.section_id}"></li>\n`,
  )
  return html`<details class="card"><summary>${t(text.removed)}</summary>
<p class="quiet">${t(text.removedAbout)}</p>
<ul class="list">\n${sections}${items}</ul>
</details>`
}

const renderReady = (
  { t, form, isStaff }: StaffContext,
  course: CourseView,
  { readyCount, completions }: { readonly readyCount: number; readonly completions: Completions | undefined },
): Html | false => {
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

type Extra = { readonly refused?: OutlineShown['refused']; readonly completions?: Completions | undefined }

const readRest = async ({ call }: StaffContext, courseId: string) => {
  const params = { course_id: courseId }
  const [sections, lessons, ready] = await Promise.all([
    call({ operation: 'listSections', params, query: ARCHIVED, returns: SectionPage }),
    call({ operation: 'listLessons', params, query: ARCHIVED, returns: LessonPage }),
    call({ operation: 'listCourseEnrollments', params, query: READY, returns: EnrollmentPage }),
  ])
  return { removed: { sections: sections.data, lessons: lessons.data }, readyCount: ready.total ?? 0 }
}

const showOutline = async (context: StaffContext, { refused, completions }: Extra = {}): Promise<Reply> => {
  const { t } = context
  const course = await getCourse(context)
  const [{ view, shown }, rest] = await Promise.all([
    readStudio(context, course, { refused }),
    readRest(context, course.id),
  ])
  return renderStudio(context, course, {
    title: course.name,
    refusal: refused?.refusal,
    body: html`<div class="studio">
${renderOutline(context, view)}<div class="work" data-work>${renderOpener(context)}
<header class="page-head"><div><div class="row"><h1>${course.name}</h1>${renderStatus(context, course)}</div>
<p>${t(view.outline.sections.length === 0 ? text.empty : studio.choose)}</p></div>
<div class="row">${renderViews(context, course)}</div></header>
${renderReady(context, course, { readyCount: rest.readyCount, completions })}
${renderRemoved(context, rest.removed)}</div>
</div>
<div class="save" data-bar><span class="state" role="status">${t(studio.states[course.status])}</span><span class="row">${renderCourseBar(context, shown)}</span></div>`,
  })
}

const countReady = async (context: StaffContext, courseId: string): Promise<Reply> => {
  const params = { course_id: courseId }
  const call = { operation: 'createCourseCompletions', params, dryRun: true, returns: CourseCompletions } as const
  const { result } = await context.call(call)
  return showOutline(context, { completions: result ?? undefined })
}

// What was refused is shown beside the lesson that is open.
const showAgain = (context: StaffContext, refused: NonNullable<OutlineShown['refused']>): Promise<Reply> => {
  const lesson = findOpen(refused.form)
  if (lesson === undefined) return showOutline(context, { refused })
  return showLesson({ ...context, params: { ...context.params, lesson } }, { refused })
}

/** GET and POST /staff/courses/:course: the editor of a course, with its sections and lessons in one list. */
export const courseOutline = [
  page('GET /staff/courses/:course', courseTeachers, context => showOutline(context)),
  fileForm('POST /staff/courses/:course', courseTeachers, async (context, { form }) => {
    const { name } = doIn(form)
    const course = await getCourse(context)
    if (name === 'count_ready') return countReady(context, course.id)
    return shownAgain(
      async () => `${buildPath(course)}${await performAct(context, course.id, form)}`,
      refusal => showAgain(context, { refusal, form }),
    )
  }),
]
