import { Submission } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { appendQuotation } from '#src/kit/quotation.ts'
import { texts } from '#src/texts/index.ts'
import { markdown as renderMarkdown } from '#src/web/markdown.ts'
import {
  buildState,
  checkbox,
  fieldsFor,
  fileForm,
  hidden,
  hiddenFor,
  markdown,
  noticeFor,
  page,
  renderConflict,
  renderFileInput,
  revisionIn,
  shownAgain,
  TAKE_THEIRS,
  whole,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { fileList } from '../../teaching/files.ts'
import { addressWith } from '../../teaching/lists.ts'
import { namesFor, personName } from '../../teaching/names.ts'
import { plainEditor, previewButton } from '../../texts/index.ts'
import { decideButtons, enterButton, FORM, linkNeighbours, renderKeyList, sayDone } from './parts.ts'
import { gradingRefusals, gradingText as text } from './text.ts'
import { courseIn, findNeighbours, pathAfter } from './waiting.ts'
import {
  type Again,
  type KeptFile,
  readAround,
  readWork,
  renderContent,
  renderFacts,
  renderInstructions,
  renderOthers,
  type WorkView,
} from './work-view.ts'

const { work: workText, fields } = texts.staff.grading

const gradeFields = fieldsFor<{ readonly points: number | null; readonly feedback: string }>()(fields, {
  points: whole(),
  feedback: markdown({ most: 20_000, rows: 10, editor: plainEditor('feedback') }),
})

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

const listStored = ({ work, context }: WorkView): Pairs =>
  gradeFields.pairs({ points: work.grade?.points ?? null, feedback: work.feedback ?? '' }, context)

const listFiles = ({ work, again }: WorkView): readonly KeptFile[] =>
  again === undefined || again.act === TAKE_THEIRS
    ? work.feedback_files.map(({ file_id: id, name }) => ({ id, name }))
    : again.files

const renderGrade = (view: WorkView): Html => {
  const { work, context, neighbours, assignment, again } = view
  const { t } = context
  const values = { max: assignment?.max_points ?? 0, passing: assignment?.passing_points ?? 0 }
  const shown = again?.act === TAKE_THEIRS ? undefined : again
  const state = buildState({ ...context, values }, shown, shown?.act ?? '', listStored(view))
  return html`<section class="card" aria-labelledby="grading"><h2 id="grading">${t(text.grade)}</h2>
${hiddenFor(state, work.revision)}${gradeFields.rows(state, gradeFields.names)}
${feedbackFiles(listFiles(view), context)}
<p class="quiet">${t(text.mail)}</p>
<div class="buttons row">${decideButtons(context, neighbours, work.status === 'submitted')}</div>
<p class="quiet draft-state">&nbsp;</p>
${previewButton(t, 'feedback')}</section>
`
}

const renderFeedback = ({ work, context: { t, language } }: WorkView): Html | false =>
  work.status !== 'submitted' &&
  html`<section class="card"><h2>${t(texts.words.feedback)}</h2>
${work.feedback === null || work.feedback === '' ? html`<p class="quiet">${t(workText.noFeedback)}</p>` : html`<div class="prose typed" dir="auto">${renderMarkdown(3, work.feedback)}</div>`}
${work.feedback_files.length > 0 && fileList(work.feedback_files, language)}</section>
`

// What the other one wrote beside what was typed; where nothing can be decided any more, what was typed, to be copied.
const renderBoth = (view: WorkView, mayGrade: boolean): Html | false => {
  const { context, again } = view
  if (again === undefined || again.act === '') return false
  const act = mayGrade ? again.act : TAKE_THEIRS
  const compared = { ...again, act, keep: again.act, stored: listStored(view), fields: gradeFields, within: FORM }
  return renderConflict(context, compared)
}

const renderBody = (view: WorkView): Html => {
  const { work, assignment, context, all, again } = view
  const isLatest = all.every(one => one.attempt_number <= work.attempt_number)
  // Work that was returned, or submitted again since, keeps its decision.
  const mayGrade = assignment !== undefined && isLatest && work.status !== 'returned'
  const decision = mayGrade
    ? renderGrade(view)
    : html`${!isLatest && html`<p class="note">${context.t(workText.again)}</p>\n`}${renderFeedback(view)}`
  const columns = html`<div class="split grading">
<div class="stack">${renderContent(view, mayGrade)}${renderInstructions(view)}${renderOthers(view)}</div>
<div class="stack beside">${decision}${renderFacts(view)}</div>
</div>`
  const action = addressWith(context.request.path, { course_id: courseIn(context) })
  const terms = {
    id: FORM,
    hasFiles: true,
    draft: 'grade',
    isUnsaved: again !== undefined && again.act !== TAKE_THEIRS,
  }
  return html`${renderBoth(view, mayGrade)}${mayGrade ? context.form(html`${enterButton}${columns}`, action, terms) : columns}
${renderKeyList(context)}`
}

// Work for an assignment with all that its grade depends on, and the form that grades or returns it.
const showWork = async (context: TeacherContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const work = await readWork(context)
  const [around, names, neighbours] = await Promise.all([
    readAround(context, work),
    namesFor(context, [work]),
    findNeighbours(context, { kind: 'works', ...work }),
  ])
  const view: WorkView = { context, work, names, neighbours, ...around, again }
  const n = work.attempt_number
  return frameWithImages(context, {
    hasCards: true,
    title: t(n === 1 ? workText.title : workText.titleAgain, { name: personName(work.student, context), n }),
    actions: linkNeighbours(context, neighbours),
    notice: again === undefined ? sayDone(context, neighbours, work.status === 'submitted') : undefined,
    ...noticeFor(again?.refusal, language, { sets: [gradeFields], said: gradingRefusals }),
    scripts: ['grading'],
    body: renderBody(view),
  })
}

// A decision replaces the feedback and its files, so those that stay are sent again.
const buildCall = (
  context: TeacherContext,
  act: string,
  typed: Pairs,
  fileIds: readonly string[],
): Pick<PageCall<undefined>, 'operation' | 'body'> => {
  const { points, feedback = '' } = gradeFields.body(typed, context, act === 'return' ? ['feedback'] : undefined)
  const words = feedback.trimEnd()
  if (act === 'return') return { operation: 'returnSubmission', body: { feedback: words, file_ids: fileIds } }
  if (act !== 'save' && act !== 'save_next') throw new Refusal(formRefused, 'The form has no valid action.')
  return { operation: 'gradeSubmission', body: { points, feedback: words === '' ? null : words, file_ids: fileIds } }
}

const quote = async (context: TeacherContext, typed: Pairs): Promise<Pairs> => {
  const { text: words } = await readWork(context)
  const feedback = appendQuotation(formField(typed, 'feedback').replaceAll('\r\n', '\n'), words ?? '')
  return [...typed.filter(([name]) => name !== 'feedback'), ['feedback', feedback]]
}

/** GET and POST /staff/grading/works/:id: work for an assignment, its grade, or its return. */
export const workGrading = [
  page('GET /staff/grading/works/:id', teachers, context => showWork(context)),
  fileForm('POST /staff/grading/works/:id', teachers, (context, { form: typed, files: sent }) => {
    const { call, parts, person, params } = context
    const act = formField(typed, 'act')
    const files = keptIn(typed)
    return shownAgain(
      async () => {
        // What was uploaded stays with the form, so that nothing has to be chosen again.
        for (const file of sent) files.push({ id: await storeFile(parts, person, file, 'submission'), name: file.name })
        if (formField(typed, 'put') !== '')
          return showWork(context, { act: '', typed: await quote(context, typed), files })
        if (act === TAKE_THEIRS) return showWork(context, { act, typed, files })
        const ids = files.map(({ id }) => id)
        const about = { params: { submission_id: params.id ?? '' }, revision: revisionIn(typed) }
        const decided = await call({ ...buildCall(context, act, typed, ids), ...about, returns: Submission })
        return pathAfter(context, { kind: 'works', ...decided }, act)
      },
      refusal => showWork(context, { act, typed, files, refusal }),
    )
  }),
]
