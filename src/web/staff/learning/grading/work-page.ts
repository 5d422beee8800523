import type { Static } from 'typebox'
import type { Assignment, Submission } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { headingsFrom } from '#src/web/markdown.ts'
import { doneIn, framed, hidden, timeOf } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { field, folded, inputs, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { fileList } from '../../teaching/files.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type Names, personName } from '../../teaching/names.ts'
import { facts } from '../../teaching/parts.ts'
import { workOutcome } from './entries.ts'
import { feedbackFiles, type KeptFile } from './feedback-files.ts'
import { gradingRefusals, gradingText as text } from './text.ts'
import { gradingPath, type WorkEntry } from './waiting.ts'
import { workText } from './work-text.ts'

/** What the page shows. */
export type WorkView = {
  readonly context: TeacherContext
  readonly work: Encoded<Static<typeof Submission>>
  readonly assignment: Encoded<Static<typeof Assignment>> | undefined
  /** All that the student submitted for the lesson, the newest first. */
  readonly all: readonly WorkEntry[]
  readonly names: Names
  /** The address of what waits next. */
  readonly next: string | undefined
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly refusal: Refusal; readonly form: Pairs; readonly files: readonly KeptFile[] } | undefined
}

const gradeOf = ({ work, context: { language } }: WorkView): string | undefined => {
  if (work.status === 'submitted') return undefined
  const grade = workOutcome(work, language)
  return work.grader === null ? grade : fill(text.gradedBy, language, { grade, name: work.grader.name })
}

const factsOf = (view: WorkView): Html => {
  const { work, names, context } = view
  const { t, language, viewer } = context
  const time = (instant: string) => timeOf(new Date(instant), language, viewer)
  const late = work.late ? ` (${t(text.late)})` : ''
  return facts([
    [t(text.student), personName(work.student, context)],
    [t(text.lesson), `${names.lesson(work.lesson_id)} · ${names.course(work.course_id)}`],
    [t(text.submitted), `${time(work.submitted_at)}${late}`],
    [t(text.due), work.due_at === null ? undefined : time(work.due_at)],
    [t(text.grade), gradeOf(view)],
  ])
}

const contentOf = ({ work, context }: WorkView): Html => {
  const { text: words, link, files } = work
  const { t, language } = context
  const isEmpty = words === null && link === null && files.length === 0
  return html`<section class="card work" aria-labelledby="work">
<h2 id="work">${t(workText.work)}</h2>
${words !== null && html`<p class="lines" dir="auto">${words}</p>`}
${link !== null && html`<p><a href="${link}" rel="noopener noreferrer nofollow">${link}</a></p>`}
${files.length > 0 && fileList(files, language)}
${isEmpty && html`<p class="quiet">${t(workText.erased)}</p>`}
</section>`
}

const instructions = ({ assignment, context: { language } }: WorkView): Html | false =>
  assignment !== undefined &&
  folded(
    fill(workText.instructions, language),
    html`<div class="prose">${headingsFrom(2, assignment.instructions_html)}</div>`,
  )

const isLatest = ({ work, all }: WorkView): boolean => all.every(one => one.attempt_number <= work.attempt_number)

const typed = ({ refused }: WorkView, name: string, before: string): string =>
  refused === undefined ? before : formField(refused.form, name)

const filesOf = ({ work, refused }: WorkView): readonly KeptFile[] =>
  refused?.files ?? work.feedback_files.map(({ file_id: id, name }) => ({ id, name }))

const buttons = ({ work, next, context: { language } }: WorkView): Html => {
  const [first, second] = next === undefined ? (['grade'] as const) : (['grade_next', 'grade'] as const)
  return html`<p class="quiet">${fill(text.mail, language)}</p>
<div class="buttons row"><button class="main" type="submit" name="act" value="${first}">${fill(first === 'grade' ? text.save : text.saveNext, language)}</button>
${second !== undefined && html`<button type="submit" name="act" value="${second}">${fill(text.save, language)}</button>\n`}${work.status === 'submitted' && html`<button type="submit" name="act" value="return">${fill(text.returnIt, language)}</button>`}</div>`
}

const gradeForm = (view: WorkView, assignment: NonNullable<WorkView['assignment']>): Html => {
  const { work, context } = view
  const { t, request, token } = context
  const { max_points: max, passing_points: passing } = assignment
  const inside = html`${hidden({ revision: work.revision })}
${field({
  name: 'points',
  label: t(text.pointsField, { max }),
  value: typed(view, 'points', String(work.grade?.points ?? '')),
  attributes: inputs.number,
  hint: t(text.pointsHint, { passing }),
})}
${textArea({
  name: 'feedback',
  label: t(text.feedback),
  value: typed(view, 'feedback', work.feedback ?? ''),
  attributes: html`maxlength="20000" class="long"`,
  hint: t(text.feedbackHint),
})}
${feedbackFiles(filesOf(view), context)}
${buttons(view)}`
  const action = addressWith(request.path, { course_id: context.query.get('course_id') ?? '' })
  return html`<h2>${t(text.grade)}</h2>
<form method="post" action="${action}" enctype="multipart/form-data">
${hidden({ token })}${inside}
</form>`
}

const feedbackOf = ({ work, context: { language } }: WorkView): Html | false =>
  work.status !== 'submitted' &&
  html`<h2>${fill(text.feedback, language)}</h2>
${work.feedback === null || work.feedback === '' ? html`<p class="quiet">${fill(workText.noFeedback, language)}</p>` : html`<p class="lines" dir="auto">${work.feedback}</p>`}
${work.feedback_files.length > 0 && fileList(work.feedback_files, language)}`

// Work that was returned, or submitted again since, keeps its decision.
const decision = (view: WorkView): Html | false => {
  const { work, assignment, context } = view
  if (assignment !== undefined && isLatest(view) && work.status !== 'returned') return gradeForm(view, assignment)
  return html`${!isLatest(view) && html`<p class="note">${context.t(workText.again)}</p>`}${feedbackOf(view)}`
}

const others = ({ all, work, context }: WorkView): Html | false => {
  const rest = all.filter(({ id }) => id !== work.id)
  const { t, language, viewer } = context
  if (rest.length === 0) return false
  const line = (one: WorkEntry): Html => {
    const state = one.status === 'submitted' ? t(text.waiting) : workOutcome(one, language)
    const name = t(workText.submission, { n: one.attempt_number })
    return html`<li><a href="${gradingPath('works', one.id)}">${name}</a><span class="quiet">${timeOf(new Date(one.submitted_at), language, viewer)} · ${state}</span></li>
`
  }
  return html`<h2>${t(workText.others)}</h2>
<ul class="list menu">
${rest.map(line)}</ul>`
}

/** Work for an assignment with all that its grade depends on, and the form that grades or returns it. */
export const workPage = (view: WorkView): Reply => {
  const { context, work, next, done, refused } = view
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, { ...gradingRefusals, ...fileRefusals })
  const n = work.attempt_number
  return framed({
    school: request.school,
    language,
    isWide: true,
    title: t(n === 1 ? workText.title : workText.titleAgain, {
      name: personName(work.student, context),
      n,
    }),
    ...notice,
    body: html`${factsOf(view)}
${instructions(view)}
${contentOf(view)}
${decision(view)}
${others(view)}
${next !== undefined && html`<p><a href="${next}" rel="next">${t(text.skip)}</a></p>`}
<p class="quiet"><a href="${addressWith('/staff/grading', { course_id: context.query.get('course_id') ?? '' })}">${t(text.back)}</a></p>`,
  })
}
