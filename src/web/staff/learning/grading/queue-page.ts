import type { Static } from 'typebox'
import type { AttemptPage, SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, framed } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { addressWith, courseSelect, turning } from '../../teaching/lists.ts'
import type { Names } from '../../teaching/names.ts'
import { tabs, teachingLink } from '../../teaching/parts.ts'
import { teachingText } from '../../teaching/text.ts'
import { attemptLine, workLine } from './entries.ts'
import { gradingText as text } from './text.ts'
import { type GradingFilter, gradingPath, queryOf } from './waiting.ts'

type QueueView = {
  readonly context: TeacherContext
  readonly filter: GradingFilter
  readonly works: Encoded<Static<typeof SubmissionPage>>
  readonly attempts: Encoded<Static<typeof AttemptPage>>
  readonly names: Names
  readonly done: string
}

const PATH = '/staff/grading'

const parametersOf = ({ filter, context }: QueueView): Readonly<Record<string, string>> => ({
  show: filter.isGraded ? 'graded' : '',
  course_id: filter.courseId,
  works: context.query.get('works') ?? '',
  attempts: context.query.get('attempts') ?? '',
})

const linesOf = ({ context, names, filter }: QueueView) => ({ context, names, courseId: filter.courseId })

const filters = (view: QueueView): Html | false => {
  const { context, filter } = view
  if (context.courses.length < 2 && filter.courseId === '') return false
  return html`<form method="get" action="${PATH}">
${filter.isGraded && html`<input type="hidden" name="show" value="graded">\n`}${courseSelect(context, filter.courseId)}
<div class="buttons row"><button type="submit">${context.t(teachingText.show)}</button></div>
</form>`
}

const worksPart = (view: QueueView): Html | false => {
  const { context, works } = view
  if (works.data.length === 0) return false
  return html`<h2>${context.t(text.works, { n: works.total ?? works.data.length })}</h2>
<ul class="list menu">
${works.data.map(work => workLine(work, linesOf(view)))}</ul>
${turning(context, PATH, { parameters: parametersOf(view), next: works.next_cursor, cursor: 'works' })}
${context.isStaff && downloadLinks('listSubmissions', schoolOf(context), queryOf(view.filter))}`
}

const attemptsPart = (view: QueueView): Html | false => {
  const { context, attempts } = view
  if (attempts.data.length === 0) return false
  return html`<h2>${context.t(text.attempts, { n: attempts.total ?? attempts.data.length })}</h2>
<ul class="list menu">
${attempts.data.map(attempt => attemptLine(attempt, linesOf(view)))}</ul>
${turning(context, PATH, { parameters: parametersOf(view), next: attempts.next_cursor, cursor: 'attempts' })}
${context.isStaff && downloadLinks('listQuizAttempts', schoolOf(context), queryOf(view.filter))}`
}

const firstPath = ({ works, attempts, filter }: QueueView): string | undefined => {
  const [work, attempt] = [works.data[0], attempts.data[0]]
  if (work !== undefined) return gradingPath('works', work.id, filter.courseId)
  return attempt && gradingPath('attempts', attempt.id, filter.courseId)
}

const queue = (view: QueueView): Html => {
  const { context, filter } = view
  const first = firstPath(view)
  const { t } = context
  if (first === undefined) return html`<p>${t(filter.isGraded ? text.noneGraded : text.nothing)}</p>`
  return html`${!filter.isGraded && html`<p><a class="button main" href="${first}">${t(text.start)}</a></p>`}
${worksPart(view)}
${attemptsPart(view)}`
}

/** What waits to be graded, with what has waited longest first, or what was graded. */
export const queuePage = (view: QueueView): Reply => {
  const { context, filter, done } = view
  const { t, language, request } = context
  const at = (show: string): string => addressWith(PATH, { show, course_id: filter.courseId })
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    notice: doneIn(text.done, done, language),
    body: html`${tabs(t(text.tabs.label), [
      { href: at(''), name: t(text.tabs.waiting), isCurrent: !filter.isGraded },
      { href: at('graded'), name: t(text.tabs.graded), isCurrent: filter.isGraded },
    ])}
${filters(view)}
${queue(view)}
${teachingLink(language)}`,
  })
}
