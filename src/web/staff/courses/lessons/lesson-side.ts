import type { Static } from 'typebox'
import type { LessonVersionPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formatDuration } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { FormState } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { badge } from '../courses/frame.ts'
import { coursesText } from '../courses/text.ts'
import { assignmentFields } from './assignment.ts'
import { describeDrip } from './drip.ts'
import { type Again, type Attachment, renderAttachments } from './files-part.ts'
import { readActName } from './lesson-acts.ts'
import { type DripView, dripFields, lessonFields } from './lesson-fields.ts'
import type { OpenLesson } from './open-lesson.ts'
import { quizFields } from './quiz.ts'

const { lesson: text, studio } = texts.staff.lessons

/** What is known of a lesson that is open, beside its text. */
export type LessonDetails = {
  readonly drip: DripView
  readonly versions: Encoded<Static<typeof LessonVersionPage>>['data']
  readonly attachments: readonly Attachment[]
}

/** One part of the settings, with its present value in a few words. */
type Fold = { readonly title: string; readonly value: string; readonly body: Html; readonly isOpen?: boolean }

// A part with a mistake is open, so that it is found.
const renderFold = ({ title, value, body, isOpen = false }: Fold, index: number): Html =>
  html`<details class="fold"${(index < 2 || isOpen || body.html.includes('class="field-error"')) && html` open`}><summary><span>${title}</span><span class="value">${value}</span></summary>
<div class="stack">${body}</div></details>
`

const listWork = (context: StaffContext, { lesson, quiz, assignment }: OpenLesson, state: FormState): Fold[] => {
  const { t } = context
  if (lesson.type === 'quiz') {
    const pass = quiz?.passing_percentage ?? null
    const body = quizFields.rows(state, [...quizFields.names])
    return [{ title: t(texts.words.quiz), value: pass === null ? '' : t(studio.pass, { n: pass }), body }]
  }
  if (lesson.type !== 'assignment') return []
  const body = html`${assignmentFields.rows(state, ['kinds', 'max_files', 'max_resubmissions', 'max_points', 'passing_points', 'required'])}`
  const due = html`<p class="hint">${t(texts.staff.lessons.assignment.dueAbout)}</p>
${assignmentFields.rows(state, ['due_at_local', 'due_at_time_zone', 'due_days_after_enrollment', 'late'])}`
  const points = assignment?.max_points
  return [
    {
      title: t(texts.words.assignment),
      value: points === undefined ? '' : t(texts.staff.lessons.quiz.points, { n: points }),
      body,
    },
    { title: t(texts.words.due), value: assignment?.due_at?.local.replace('T', ' ') ?? '', body: due },
  ]
}

const renderVersions = ({ t, time }: StaffContext, versions: LessonDetails['versions']): Html => {
  const label = t(texts.words.restore)
  const items = versions.map(({ id, number: n, is_current, author, created_at }) => {
    const name = t(text.version, { n, at: time(created_at) })
    const by = author === null ? '' : t(text.by, { name: author.name })
    const restore = html`<button type="submit" class="plain" name="act" value="restore ${id}" aria-label="${label}: ${name}">${label}</button>`
    return html`<li class="act"><span>${name} <span class="quiet"><bdi>${by}</bdi></span></span>${is_current ? badge(t(text.current), 'published') : restore}</li>\n`
  })
  return html`<ul class="list">\n${items}</ul>`
}

const FILE_ACTS = ['attach', 'rename_attachment', 'raise_attachment', 'detach']

const listFolds = (
  context: StaffContext,
  open: OpenLesson,
  { drip, versions, attachments }: LessonDetails,
  { state, again }: { readonly state: FormState; readonly again: Again | undefined },
): Fold[] => {
  const { t, language } = context
  const { preview, required_for_completion: isRequired, duration_seconds: seconds, comments } = open.lesson
  const count = (n: number): string => (n === 0 ? '' : String(n))
  const completion = [
    t(isRequired ? studio.required : texts.words.optional),
    ...(seconds === null ? [] : [formatDuration(seconds, language)]),
  ]
  return [
    {
      title: t(studio.seen),
      value: [describeDrip(drip, context), ...(preview ? [t(texts.staff.courses.outline.preview)] : [])].join(' · '),
      body: html`${lessonFields.rows(state, ['preview'])}<div class="drip">${dripFields.rows(state, ['mode', 'value', 'date', 'local_time'])}</div>`,
    },
    ...listWork(context, open, state),
    {
      title: t(studio.completion),
      value: completion.join(' · '),
      body: lessonFields.rows(state, ['required_for_completion', ['minutes', 'seconds']]),
    },
    {
      title: t(text.files),
      value: count(attachments.length),
      body: renderAttachments(context, attachments, again),
      // What was just done is seen.
      isOpen: again !== undefined && FILE_ACTS.includes(readActName(again.typed)[0]),
    },
    {
      title: t(texts.words.comments),
      value: t(coursesText.comments.choices[comments]),
      body: lessonFields.rows(state, ['comments']),
    },
    ...(versions.length < 2
      ? []
      : [{ title: t(texts.words.versions), value: count(versions.length), body: renderVersions(context, versions) }]),
  ]
}

/** The settings of a lesson beside its text, each with its present value. */
export const renderSide = (
  context: StaffContext,
  open: OpenLesson,
  details: LessonDetails,
  shown: { readonly state: FormState; readonly again: Again | undefined },
): Html => {
  const { t } = context
  const { status } = open.lesson
  return html`<aside aria-label="${t(texts.words.settings)}">
<div class="row apart"><h2>${t(studio.thisLesson)}</h2>${badge(t(coursesText.lessonStatuses[status]), status)}</div>
${listFolds(context, open, details, shown).map(renderFold)}</aside>
`
}
