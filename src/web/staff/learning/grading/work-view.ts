import type { Static } from 'typebox'
import { Assignment, EnrollmentPage, Submission, SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isPicture } from '#src/kit/media-types.ts'
import { texts } from '#src/texts/index.ts'
import { headingsFrom } from '#src/web/markdown.ts'
import { factList, folded, orNothing } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { fileList } from '../../teaching/files.ts'
import type { Names } from '../../teaching/names.ts'
import { workOutcome } from './entries.ts'
import { linkPerson, quoteButton } from './parts.ts'
import { gradingText as text } from './text.ts'
import { gradingPath, type Neighbours, type WorkEntry } from './waiting.ts'

const { work: workText } = texts.staff.grading

// Work for an assignment, with its grade.
type Work = Encoded<Static<typeof Submission>>

/** A file of the feedback, by its id. */
export type KeptFile = { readonly id: string; readonly name: string }

/** What was typed just now, with the files of the feedback, and what was refused. */
export type Again = {
  readonly act: string
  readonly typed: Pairs
  readonly files: readonly KeptFile[]
  readonly refusal?: Refusal
}

/** What the page of work shows. */
export type WorkView = {
  readonly context: TeacherContext
  readonly work: Work
  /** Undefined where the lesson was removed. */
  readonly assignment: Encoded<Static<typeof Assignment>> | undefined
  /** All that the student submitted for the lesson, the newest first. */
  readonly all: readonly WorkEntry[]
  readonly names: Names
  readonly neighbours: Neighbours
  /** The enrollment of the student, where exceptions for them are made. */
  readonly enrollmentId: string | undefined
  readonly again: Again | undefined
}

/** Reads the work that the address names. */
export const readWork = ({ call, params }: TeacherContext): Promise<Work> =>
  call({ operation: 'getSubmission', params: { submission_id: params.id ?? '' }, returns: Submission })

/** Reads the assignment, all that the student submitted for it, and their enrollment. */
export const readAround = async ({ call }: TeacherContext, { student, lesson_id, course_id }: Work) => {
  const ofStudent = ['member_id', student.id] as const
  const [assignment, all, enrollments] = await Promise.all([
    orNothing(call({ operation: 'getAssignment', params: { lesson_id }, returns: Assignment })),
    call({
      operation: 'listSubmissions',
      query: [ofStudent, ['lesson_id', lesson_id], ['sort', '-created_at'], ['limit', '100']],
      returns: SubmissionPage,
    }),
    call({
      operation: 'listEnrollments',
      query: [ofStudent, ['course_id', course_id], ['limit', '1']],
      returns: EnrollmentPage,
    }),
  ])
  return { assignment, all: all.data, enrollmentId: enrollments.data[0]?.id }
}

const formatGrade = ({ work, context: { t, language } }: WorkView): string | undefined => {
  if (work.status === 'submitted') return undefined
  const grade = workOutcome(work, language)
  return work.grader === null ? grade : t(text.gradedBy, { grade, name: work.grader.name })
}

/** Whose work it is, when it was submitted and due, and what came of it. */
export const renderFacts = (view: WorkView): Html => {
  const { work, names, context, enrollmentId } = view
  const { t, time } = context
  const late = work.late ? ` (${t(text.late)})` : ''
  return html`<section class="card" aria-label="${t(text.student)}">
${factList([
  [t(text.student), linkPerson(work.student, context)],
  [t(texts.words.lesson), `${names.lesson(work.lesson_id)} · ${names.course(work.course_id)}`],
  [t(text.submitted), `${time(work.submitted_at)}${late}`],
  [t(texts.words.due), work.due_at === null ? undefined : time(work.due_at)],
  [t(text.grade), formatGrade(view)],
])}
${enrollmentId !== undefined && html`<p><a href="/staff/students/${enrollmentId}/lessons/${work.lesson_id}">${t(text.exceptions)}</a></p>\n`}</section>
`
}

type File = Work['files'][number]

const renderPicture = ({ url, name, byte_size: bytes }: File, { language }: TeacherContext): Html =>
  html`<li><a href="${url}"><img src="${url}${url.includes('?') ? '&' : '?'}width=1280" alt="${name}" loading="lazy" width="640" height="480"></a><small class="sub"><bdi>${name}</bdi> · ${formatBytes(bytes, language)}</small></li>
`

const renderFiles = (files: readonly File[], context: TeacherContext): Html => {
  const pictures = files.filter(one => isPicture(one.content_type))
  const others = files.filter(one => !isPicture(one.content_type))
  return html`${pictures.length > 0 && html`<ul class="shown">\n${pictures.map(one => renderPicture(one, context))}</ul>\n`}${others.length > 0 && fileList(others, context.language)}`
}

/** What the student submitted: text, link and files, with pictures shown beside each other. */
export const renderContent = ({ work, context }: WorkView, mayQuote: boolean): Html => {
  const { text: words, link, files } = work
  const { t } = context
  const isEmpty = words === null && link === null && files.length === 0
  return html`<section class="card" aria-labelledby="work">
<header class="quoting"><h2 id="work">${t(workText.work)}</h2>${mayQuote && words !== null && quoteButton({ from: 'given', into: 'feedback', label: t(text.quote) })}</header>
${words !== null && html`<p class="lines" dir="auto" id="given">${words}</p>`}
${link !== null && html`<p><a href="${link}" rel="noopener noreferrer nofollow">${link}</a></p>`}
${files.length > 0 && renderFiles(files, context)}
${isEmpty && html`<p class="quiet">${t(workText.erased)}</p>`}
</section>
`
}

/** What the students were asked. */
export const renderInstructions = ({ assignment, context: { t } }: WorkView): Html | false =>
  assignment !== undefined &&
  folded(t(workText.instructions), html`<div class="prose">${headingsFrom(2, assignment.instructions_html)}</div>`)

/** The other submissions of the student for the lesson. */
export const renderOthers = ({ all, work, context }: WorkView): Html | false => {
  const rest = all.filter(({ id }) => id !== work.id)
  const { t, time, language } = context
  if (rest.length === 0) return false
  const line = (one: WorkEntry): Html => {
    const state = one.status === 'submitted' ? t(text.waiting) : workOutcome(one, language)
    const name = t(workText.submission, { n: one.attempt_number })
    return html`<li><a href="${gradingPath('works', one.id)}">${name}</a><span class="quiet">${time(one.submitted_at)} · ${state}</span></li>
`
  }
  return html`<section class="card"><h2>${t(workText.others)}</h2>
<ul class="list menu">
${rest.map(line)}</ul></section>
`
}
