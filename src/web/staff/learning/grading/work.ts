import type { Static } from 'typebox'
import { Assignment, Submission, SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import { headingsFrom } from '#src/web/markdown.ts'
import {
  checkbox,
  doneIn,
  factList,
  field,
  fileForm,
  folded,
  hidden,
  inputs,
  noticeFor,
  page,
  readDone,
  renderDraft,
  renderFileInput,
  revisionIn,
  shownAgain,
  textArea,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { fileList } from '../../teaching/files.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type Names, namesFor, personName } from '../../teaching/names.ts'
import { workOutcome } from './entries.ts'
import { gradingRefusals, gradingText as text } from './text.ts'
import { courseIn, gradingPath, nextPath, pathAfter, type WorkEntry } from './waiting.ts'

const { work: workText } = texts.staff.grading

type Work = Encoded<Static<typeof Submission>>

const readWork = (context: TeacherContext): Promise<Work> => {
  const params = { submission_id: context.params.id ?? '' }
  return context.call({ operation: 'getSubmission', params, returns: Submission })
}

// The assignment of a lesson that was removed may be gone.
const findAssignment = async (context: TeacherContext, lessonId: string) => {
  try {
    const params = { lesson_id: lessonId }
    return await context.call({ operation: 'getAssignment', params, returns: Assignment })
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const listAll = async (context: TeacherContext, { student, lesson_id }: Work) => {
  const query: Pairs = [
    ['member_id', student.id],
    ['lesson_id', lesson_id],
    ['sort', '-created_at'],
    ['limit', '100'],
  ]
  return (await context.call({ operation: 'listSubmissions', query, returns: SubmissionPage })).data
}

// A file of the feedback, by its id.
type KeptFile = { readonly id: string; readonly name: string }

const nameField = (id: string): string => `name_of_${id}`

// The files that a form keeps, with their names as the page showed them.
const keptIn = (form: Pairs): KeptFile[] =>
  form.filter(([name]) => name === 'file').map(([, id]) => ({ id, name: formField(form, nameField(id)) || id }))

// The files of the feedback so far, each of which can be left out, and an input for more.
const feedbackFiles = (files: readonly KeptFile[], { t, language }: TeacherContext): Html => {
  const kept = ({ id, name }: KeptFile): Html =>
    html`${checkbox('file', name, { isChecked: true, id: `file-${id}`, value: id })}${hidden({ [nameField(id)]: name })}`
  return html`${
    files.length > 0 &&
    html`<fieldset class="below"><legend>${t(workText.feedbackFiles)}</legend>
${files.map(kept)}</fieldset>`
  }
${renderFileInput({ id: 'files', name: 'files', label: t(workText.addFiles), purpose: 'submission', isMany: true }, language)}`
}

type WorkView = {
  readonly context: TeacherContext
  readonly work: Work
  readonly assignment: Encoded<Static<typeof Assignment>> | undefined
  /** All that the student submitted for the lesson, the newest first. */
  readonly all: readonly WorkEntry[]
  readonly names: Names
  /** The address of what waits next. */
  readonly next: string | undefined
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly refusal: Refusal; readonly form: Pairs; readonly files: readonly KeptFile[] } | undefined
}

const formatGrade = ({ work, context: { t, language } }: WorkView): string | undefined => {
  if (work.status === 'submitted') return undefined
  const grade = workOutcome(work, language)
  return work.grader === null ? grade : t(text.gradedBy, { grade, name: work.grader.name })
}

const renderFacts = (view: WorkView): Html => {
  const { work, names, context } = view
  const { t, time } = context
  const late = work.late ? ` (${t(text.late)})` : ''
  return factList([
    [t(text.student), personName(work.student, context)],
    [t(texts.words.lesson), `${names.lesson(work.lesson_id)} · ${names.course(work.course_id)}`],
    [t(text.submitted), `${time(work.submitted_at)}${late}`],
    [t(texts.words.due), work.due_at === null ? undefined : time(work.due_at)],
    [t(text.grade), formatGrade(view)],
  ])
}

const renderContent = ({ work, context }: WorkView): Html => {
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

const instructions = ({ assignment, context: { t } }: WorkView): Html | false =>
  assignment !== undefined &&
  folded(t(workText.instructions), html`<div class="prose">${headingsFrom(2, assignment.instructions_html)}</div>`)

const isLatest = ({ work, all }: WorkView): boolean => all.every(one => one.attempt_number <= work.attempt_number)

const typed = ({ refused }: WorkView, name: string, before: string): string =>
  refused === undefined ? before : formField(refused.form, name)

const listFiles = ({ work, refused }: WorkView): readonly KeptFile[] =>
  refused?.files ?? work.feedback_files.map(({ file_id: id, name }) => ({ id, name }))

const buttons = ({ work, next, context: { t } }: WorkView): Html => {
  const [first, second] = next === undefined ? (['grade'] as const) : (['grade_next', 'grade'] as const)
  return html`<p class="quiet">${t(text.mail)}</p>
<div class="buttons row"><button class="main" type="submit" name="act" value="${first}">${t(first === 'grade' ? text.save : text.saveNext)}</button>
${second !== undefined && html`<button type="submit" name="act" value="${second}">${t(text.save)}</button>\n`}${work.status === 'submitted' && html`<button type="submit" name="act" value="return">${t(text.returnIt)}</button>`}</div>`
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
  label: t(texts.words.feedback),
  value: typed(view, 'feedback', work.feedback ?? ''),
  attributes: html`maxlength="20000" class="long"`,
  hint: t(text.feedbackHint),
})}
${feedbackFiles(listFiles(view), context)}
${buttons(view)}`
  const action = addressWith(request.path, { course_id: courseIn(context) })
  return html`<h2>${t(text.grade)}</h2>
<form method="post" action="${action}" enctype="multipart/form-data"${renderDraft({ draft: 'grade' })}>
${hidden({ token })}${inside}
</form>`
}

const renderFeedback = ({ work, context: { t, language } }: WorkView): Html | false =>
  work.status !== 'submitted' &&
  html`<h2>${t(texts.words.feedback)}</h2>
${work.feedback === null || work.feedback === '' ? html`<p class="quiet">${t(workText.noFeedback)}</p>` : html`<p class="lines" dir="auto">${work.feedback}</p>`}
${work.feedback_files.length > 0 && fileList(work.feedback_files, language)}`

// Work that was returned, or submitted again since, keeps its decision.
const decision = (view: WorkView): Html | false => {
  const { work, assignment, context } = view
  if (assignment !== undefined && isLatest(view) && work.status !== 'returned') return gradeForm(view, assignment)
  return html`${!isLatest(view) && html`<p class="note">${context.t(workText.again)}</p>`}${renderFeedback(view)}`
}

const others = ({ all, work, context }: WorkView): Html | false => {
  const rest = all.filter(({ id }) => id !== work.id)
  const { t, time, language } = context
  if (rest.length === 0) return false
  const line = (one: WorkEntry): Html => {
    const state = one.status === 'submitted' ? t(text.waiting) : workOutcome(one, language)
    const name = t(workText.submission, { n: one.attempt_number })
    return html`<li><a href="${gradingPath('works', one.id)}">${name}</a><span class="quiet">${time(one.submitted_at)} · ${state}</span></li>
`
  }
  return html`<h2>${t(workText.others)}</h2>
<ul class="list menu">
${rest.map(line)}</ul>`
}

// Work for an assignment with all that its grade depends on, and the form that grades or returns it.
const showWork = async (context: TeacherContext, refused?: WorkView['refused']): Promise<Reply> => {
  const { t, language, request } = context
  const work = await readWork(context)
  const [assignment, all, names, next] = await Promise.all([
    findAssignment(context, work.lesson_id),
    listAll(context, work),
    namesFor(context, [work]),
    nextPath(context, 'works', work.id),
  ])
  const view = { context, work, assignment, all, names, next, refused }
  const n = work.attempt_number
  return context.frame({
    isWide: true,
    title: t(n === 1 ? workText.title : workText.titleAgain, { name: personName(work.student, context), n }),
    notice: doneIn(text.done, readDone(request), language),
    ...noticeFor(refused?.refusal, language, { said: gradingRefusals }),
    body: html`${renderFacts(view)}
${instructions(view)}
${renderContent(view)}
${decision(view)}
${others(view)}
${next !== undefined && html`<p><a href="${next}" rel="next">${t(text.skip)}</a></p>`}`,
  })
}

const pointsIn = (form: Pairs): number => {
  const typed = formField(form, 'points').trim()
  const points = readWhole(typed, 5)
  if (points === undefined) refuseInvalid([{ pointer: '/points', code: 'integer', message: 'is not a whole number' }])
  return points ?? 0
}

const textIn = (form: Pairs): string => formField(form, 'feedback').replaceAll('\r\n', '\n').trim()

// A decision replaces the feedback and its files, so those that stay are sent again.
const buildCall = (form: Pairs, fileIds: readonly string[]): Pick<PageCall<undefined>, 'operation' | 'body'> => {
  const feedback = textIn(form)
  switch (formField(form, 'act')) {
    case 'return':
      return { operation: 'returnSubmission', body: { feedback, file_ids: fileIds } }
    case 'grade':
    case 'grade_next': {
      const body = { points: pointsIn(form), feedback: feedback === '' ? null : feedback, file_ids: fileIds }
      return { operation: 'gradeSubmission', body }
    }
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

/** GET and POST /staff/grading/works/:id: work for an assignment, its grade, or its return. */
export const workGrading = [
  page('GET /staff/grading/works/:id', teachers, context => showWork(context)),
  fileForm('POST /staff/grading/works/:id', teachers, (context, { form, files: sent }) => {
    const { call: perform, parts, person, params } = context
    const files = [...keptIn(form)]
    return shownAgain(
      async () => {
        // What was uploaded stays with the form, so that nothing has to be chosen again.
        for (const file of sent) files.push({ id: await storeFile(parts, person, file, 'submission'), name: file.name })
        const ids = files.map(({ id }) => id)
        const about = { params: { submission_id: params.id ?? '' }, revision: revisionIn(form) }
        await perform({ ...buildCall(form, ids), ...about })
        return pathAfter(context, 'works', formField(form, 'act'))
      },
      refusal => showWork(context, { refusal, form, files }),
    )
  }),
]
