import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, page, readDone } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { addressWith, courseSelect, turning } from '../../teaching/lists.ts'
import { namesFor } from '../../teaching/names.ts'
import { tabs, teachingLink } from '../../teaching/parts.ts'
import { attemptLine, workLine } from './entries.ts'
import { gradingText as text } from './text.ts'
import { buildQuery, type GradingFilter, gradingPath, listAttempts, listWorks } from './waiting.ts'

const PATH = '/staff/grading'

const LIMIT = 15

const part = ({ query }: TeacherContext, name: string): string => query.get(name) ?? ''

const renderFilters = (context: TeacherContext, { isGraded, courseId }: GradingFilter): Html | false => {
  if (context.courses.length < 2 && courseId === '') return false
  return html`<form method="get" action="${PATH}">
${isGraded && html`<input type="hidden" name="show" value="graded">\n`}${courseSelect(context, courseId)}
<div class="buttons row"><button type="submit">${context.t(texts.words.show)}</button></div>
</form>`
}

const LISTS = {
  works: { heading: text.works, operation: 'listSubmissions' },
  attempts: { heading: text.attempts, operation: 'listQuizAttempts' },
} as const

type Page = {
  readonly data: readonly unknown[]
  readonly total?: number | undefined
  readonly next_cursor?: string | undefined
}

const renderList = (
  context: TeacherContext,
  kind: keyof typeof LISTS,
  { page, filter, lines }: { readonly page: Page; readonly filter: GradingFilter; readonly lines: readonly Html[] },
): Html | false => {
  if (lines.length === 0) return false
  const { heading, operation } = LISTS[kind]
  const parameters = {
    show: filter.isGraded ? 'graded' : '',
    course_id: filter.courseId,
    works: part(context, 'works'),
    attempts: part(context, 'attempts'),
  }
  return html`<h2>${context.t(heading, { n: page.total ?? lines.length })}</h2>
<ul class="list menu">
${lines}</ul>
${turning(context, PATH, { parameters, next: page.next_cursor, cursor: kind })}
${context.isStaff && downloadLinks(operation, context, buildQuery(filter))}`
}

const renderQueue = async (context: TeacherContext, filter: GradingFilter): Promise<Html> => {
  const [works, attempts] = await Promise.all([
    listWorks(context, { ...filter, cursor: part(context, 'works') }),
    listAttempts(context, { ...filter, cursor: part(context, 'attempts') }),
  ])
  const lines = {
    context,
    names: await namesFor(context, [...works.data, ...attempts.data]),
    courseId: filter.courseId,
  }
  const [first] = [
    ...works.data.map(({ id }) => gradingPath('works', id, filter.courseId)),
    ...attempts.data.map(({ id }) => gradingPath('attempts', id, filter.courseId)),
  ]
  const { t } = context
  if (first === undefined) return html`<p>${t(filter.isGraded ? text.noneGraded : text.nothing)}</p>`
  return html`${!filter.isGraded && html`<p><a class="button main" href="${first}">${t(text.start)}</a></p>`}
${renderList(context, 'works', { page: works, filter, lines: works.data.map(work => workLine(work, lines)) })}
${renderList(context, 'attempts', { page: attempts, filter, lines: attempts.data.map(one => attemptLine(one, lines)) })}`
}

/** GET /staff/grading: what waits to be graded, with what has waited longest first, or what was graded. */
export const gradingQueue = page(`GET ${PATH}`, teachers, async context => {
  const { t, language, request } = context
  const filter = { isGraded: part(context, 'show') === 'graded', courseId: part(context, 'course_id'), limit: LIMIT }
  const at = (show: string): string => addressWith(PATH, { show, course_id: filter.courseId })
  return context.frame({
    title: t(text.title),
    notice: doneIn(text.done, readDone(request), language),
    body: html`${tabs(t(text.tabs.label), [
      { href: at(''), name: t(text.tabs.waiting), isCurrent: !filter.isGraded },
      { href: at('graded'), name: t(text.tabs.graded), isCurrent: filter.isGraded },
    ])}
${renderFilters(context, filter)}
${await renderQueue(context, filter)}
${teachingLink(language)}`,
  })
})
