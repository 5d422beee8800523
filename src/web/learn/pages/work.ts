import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { markdown } from '#src/web/markdown.ts'
import { hidden } from '#src/web/page/index.ts'
import { headingsFrom, inSchool } from '#src/web/site/index.ts'
import type { ShownAgain } from '../lesson-acts.ts'
import type { LearnContext } from '../parts.ts'
import { type AssignmentView, nameField, type OwnWork, type SubmissionEntry, type SubmissionView } from '../work.ts'
import { workText as text } from '../work-text.ts'
import { fileList } from './content.ts'

type WorkPart = {
  readonly context: LearnContext
  /** The address of the lesson. */
  readonly action: string
  readonly own: OwnWork
  /** Whether the person may hand in work, as far as their access is concerned. */
  readonly learns: boolean
  /** The instant of the page. */
  readonly now: string
  readonly again: ShownAgain | undefined
}

const renderRules = (assignment: AssignmentView, { t, time }: LearnContext): Html => {
  const { your_due_at: due, late, max_points: max, passing_points: passing } = assignment
  const end = due ?? null
  return html`<ul class="rules">
${end !== null && html`<li>${t(text.due, { time: time(end) })}. ${t(late === 'allowed' ? text.lateAllowed : text.lateRefused)}</li>\n`}<li>${t(text.points, { passing, max })}</li>
</ul>`
}

const formatOutcome = ({ status, grade }: SubmissionEntry, { t }: LearnContext): string => {
  if (status === 'submitted') return t(text.waiting)
  if (status === 'returned' || grade === null) return t(text.returned)
  const score = t(text.score, { points: grade.points, max: grade.max_points })
  return `${t(grade.accepted ? text.accepted : text.notAccepted)}: ${score}`
}

const formatWhen = (entry: SubmissionEntry, { t, time }: LearnContext): string => {
  const n = entry.attempt_number
  return `${t(n === 1 ? text.first : text.attempt, { n, time: time(entry.submitted_at) })}${entry.late ? `, ${t(text.late)}` : ''}`
}

const named = (files: SubmissionView['files']) => files.map(file => ({ file, name: file.name }))

const renderFeedback = (work: SubmissionView, context: LearnContext): Html | false => {
  const { feedback, feedback_files: files, grader } = work
  if ((feedback === null || feedback === '') && files.length === 0) return false
  const title = grader === null ? context.t(text.feedback) : context.t(text.feedbackBy, { name: grader.name })
  return html`<div class="feedback"><h3>${title}</h3>
${feedback !== null && html`<div class="prose typed" dir="auto">${markdown(4, feedback)}</div>`}
${files.length > 0 && fileList(named(files), context)}</div>`
}

const shownWork = (work: SubmissionView, context: LearnContext): Html => {
  const { text: words, link, files } = work
  return html`<p class="quiet">${formatWhen(work, context)}</p>
<p class="result-words" role="status"><strong>${formatOutcome(work, context)}</strong></p>
${renderFeedback(work, context)}
${words !== null && html`<p class="as-typed" dir="auto">${words}</p>`}
${link !== null && html`<p><a href="${link}" rel="noopener noreferrer nofollow">${link}</a></p>`}
${files.length > 0 && fileList(named(files), context)}`
}

type Form = {
  readonly part: WorkPart
  readonly assignment: AssignmentView
  readonly act: 'hand_in' | 'change'
  readonly label: string
}

// What was typed before, or what was handed in, so that it can be improved.
const typedBefore = ({ part: { again, own } }: Form, name: 'text' | 'link'): string =>
  again === undefined ? (own.latest?.[name] ?? '') : formField(again.form, name)

const keptFiles = ({ part: { again, own } }: Form): readonly { id: string; name: string; isKept: boolean }[] => {
  const before = (own.latest?.files ?? []).map(({ file_id: id, name }) => ({ id, name }))
  if (again === undefined) return before.map(file => ({ ...file, isKept: true }))
  const kept = new Set(again.form.filter(([name]) => name === 'file').map(([, id]) => id))
  const uploaded = [...kept]
    .filter(id => !before.some(file => file.id === id))
    .map(id => ({ id, name: formField(again.form, nameField(id)) || id }))
  return [...before, ...uploaded].map(file => ({ ...file, isKept: kept.has(file.id) }))
}

const fileFields = (form: Form): Html => {
  const { part, assignment } = form
  const { t } = part.context
  const kept = keptFiles(form)
  const max = assignment.max_files
  return html`${
    kept.length > 0 &&
    html`<fieldset class="choices"><legend>${t(text.keep)}</legend>
${kept.map(({ id, name, isKept }) => html`<label class="choice"><input type="checkbox" name="file" value="${id}"${isKept && html` checked`}><bdi>${name}</bdi></label><input type="hidden" name="${nameField(id)}" value="${name}">\n`)}</fieldset>`
  }
<div><label for="files-${form.act}">${t(text.files, { n: max })}</label>
<input type="file" id="files-${form.act}" name="files"${max > 1 && html` multiple`} aria-describedby="files-hint">
<p class="quiet" id="files-hint">${t(text.filesHint)}</p></div>`
}

const workForm = (form: Form): Html => {
  const { part, assignment, act, label } = form
  const { context, action, own } = part
  const { t } = context
  const takes = (kind: AssignmentView['kinds'][number]) => assignment.kinds.includes(kind)
  return html`<form method="post" action="${action}"${takes('files') && html` enctype="multipart/form-data"`}>
<input type="hidden" name="token" value="${context.token}">
<input type="hidden" name="act" value="${act}">
${act === 'change' && own.latest !== undefined && html`<input type="hidden" name="submission" value="${own.latest.id}">\n`}${
  takes('text') &&
  html`<div><label for="text-${act}">${t(text.text)}</label>
<textarea id="text-${act}" name="text" rows="8" maxlength="50000">\n${typedBefore(form, 'text')}</textarea></div>`
}
${takes('link') && html`<div><label for="link-${act}">${t(text.link)}</label>\n<input type="url" id="link-${act}" name="link" maxlength="2000" value="${typedBefore(form, 'link')}"></div>`}
${takes('files') && fileFields(form)}
<div class="actions"><button type="submit" class="main">${label}</button></div>
</form>`
}

const isOver = ({ your_due_at: due, late }: AssignmentView, now: string): boolean =>
  late === 'refused' && typeof due === 'string' && Date.parse(due) < Date.parse(now)

const waitingForms = (part: WorkPart, assignment: AssignmentView, work: SubmissionView): Html => {
  const { context, action, again } = part
  const { t } = context
  const label = t(text.saveChange)
  return html`<details${again !== undefined && html` open`}><summary>${t(text.change)}</summary>
${workForm({ part, assignment, act: 'change', label })}
</details>
${context.form(html`${hidden({ act: 'withdraw', submission: work.id })}<button type="submit">${t(text.withdraw)}</button>`, action)}`
}

const newForm = (part: WorkPart, assignment: AssignmentView): Html | false => {
  const { context, own } = part
  const { t } = context
  const { latest } = own
  const max = assignment.max_resubmissions
  if (latest?.grade?.accepted === true) return false
  if (latest !== undefined && max !== null && latest.attempt_number > max)
    return html`<p class="quiet">${t(text.noneLeft)}</p>`
  if (latest === undefined && isOver(assignment, part.now)) return html`<p class="notice refused">${t(text.over)}</p>`
  const label = t(latest === undefined ? text.handIn : text.again)
  return html`<section aria-labelledby="hand-in"><h2 id="hand-in">${label}</h2>
${workForm({ part, assignment, act: 'hand_in', label })}
</section>`
}

const renderForms = (part: WorkPart, assignment: AssignmentView): Html | false => {
  const { latest } = part.own
  if (!part.learns) return false
  return latest?.status === 'submitted' ? waitingForms(part, assignment, latest) : newForm(part, assignment)
}

const renderEarlier = ({ own, context }: WorkPart): Html | false =>
  own.earlier.length > 0 &&
  html`<section aria-labelledby="earlier"><h2 class="part" id="earlier">${context.t(text.earlier)}</h2>
<ul class="rows">
${own.earlier.map(one => html`<li><span>${formatWhen(one, context)}</span> <span class="quiet">${formatOutcome(one, context)}</span></li>\n`)}</ul>
</section>`

/** An assignment: what to do, what was handed in and what came of it, and the form. */
export const workPart = (part: WorkPart): Html => {
  const { context, own } = part
  const { assignment, latest } = own
  const { t } = context
  if (assignment === undefined) return html`<p class="nothing">${t(text.missing)}</p>`
  return html`<section aria-labelledby="instructions">
<h2 id="instructions">${t(text.instructions)}</h2>
<div class="prose"${inSchool(context)}>${headingsFrom(3, assignment.instructions_html)}</div>
${renderRules(assignment, context)}
</section>
${
  latest !== undefined &&
  html`<section class="box" aria-labelledby="work">
<h2 id="work">${t(text.yourWork)}</h2>
${shownWork(latest, context)}
</section>`
}
${renderForms(part, assignment)}
${renderEarlier(part)}`
}
