import { AttachmentPage, ChangedLesson, LessonDrip, LessonVersionPage } from '#src/areas/courses/index.ts'
import { describeNotes } from '#src/contract/body.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { preconditionFailed } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type FieldSet,
  type FormState,
  type FormWithFiles,
  fileForm,
  findChanged,
  hidden,
  hiddenFor,
  isShown,
  page,
  renderConflict,
  renderDraft,
  shownAgain,
  TAKE_THEIRS,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { intoTextPart, isIntoText, putIntoText } from '../../texts/index.ts'
import { renderStudio } from '../courses/frame.ts'
import { renderOpener, renderOutline } from '../courses/outline-list.ts'
import type { OutlineShown } from '../courses/outline-view.ts'
import { renderCourseBar } from '../courses/publish-bar.ts'
import { readStudio } from '../courses/studio.ts'
import { coursesText } from '../courses/text.ts'
import { assignmentFields, assignmentPairs, renderInstructions } from './assignment.ts'
import { type Again, renderFile } from './files-part.ts'
import { readAct, readActName, type Said } from './lesson-acts.ts'
import { chooseRows, dripFields, lessonFields, lessonPairs } from './lesson-fields.ts'
import { type LessonDetails, renderSide } from './lesson-side.ts'
import { type OpenLesson, readOpenLesson } from './open-lesson.ts'
import { lessonPath } from './place.ts'
import { quizFields, quizPairs, renderQuestions } from './quiz.ts'

const { studio } = texts.staff.lessons

/** The id of the form of a lesson, to which the buttons of the bar belong. */
const FORM = 'lesson'

type Shown = { readonly open: OpenLesson; readonly details: LessonDetails; readonly again: Again | undefined }

const listStored = (context: StaffContext, { open, details }: Shown): Pairs => {
  const { lesson, quiz, assignment } = open
  return [
    ...lessonPairs(context, lesson, details.drip.time_zone),
    ...dripFields.pairs(details.drip, context),
    ...(lesson.type === 'quiz' ? quizPairs(context, quiz) : []),
    ...(lesson.type === 'assignment' ? assignmentPairs(context, assignment) : []),
  ]
}

// What is refused of a file or a question is not said at the fields of the lesson.
const ofFields = ['save', 'publish', 'preview']

const buildFormState = (context: StaffContext, shown: Shown): FormState => {
  const { open, details, again } = shown
  const { language, timeZone } = context
  const values = { format: open.lesson.body_format === 'html' ? 'HTML' : 'Markdown', zone: details.drip.time_zone }
  const refusal = again !== undefined && ofFields.includes(again.act) ? again.refusal : undefined
  const typed = again === undefined || again.act === TAKE_THEIRS ? listStored(context, shown) : again.typed
  return { language, timeZone, values, typed, refusal }
}

// The text was sanitized by the operation that returned it.
const renderPreview = ({ t }: StaffContext, again: Again | undefined): Html | false => {
  const shown = again?.preview
  if (shown === undefined) return false
  return html`<section class="card preview" id="text-preview"><h2>${t(texts.words.previewNotSaved)}</h2>
<div class="prose">${shown === '' ? html`<p class="quiet">${t(texts.words.noText)}</p>` : { html: shown }}</div></section>`
}

const listFieldSets = ({ lesson }: OpenLesson) => [
  lessonFields,
  dripFields,
  ...(lesson.type === 'quiz' ? [quizFields] : []),
  ...(lesson.type === 'assignment' ? [assignmentFields] : []),
]

const readDifferences =
  (shown: Shown): FieldSet<object>['differences'] =>
  (...given) =>
    listFieldSets(shown.open).flatMap(fields => fields.differences(...given))

const conflictPart = (context: StaffContext, shown: Shown): Html | false =>
  renderConflict(
    context,
    shown.again && {
      ...shown.again,
      stored: listStored(context, shown),
      fields: {
        names: listFieldSets(shown.open).flatMap(({ names }) => names as readonly string[]),
        differences: readDifferences(shown),
      },
      within: FORM,
    },
  )

// A file that was attached leaves the text as it is.
const isUnsaved = (context: StaffContext, shown: Shown): boolean => {
  const { again } = shown
  if (again === undefined || again.act === TAKE_THEIRS) return false
  const { language } = context
  return readDifferences(shown)({ language, typed: again.typed }, listStored(context, shown)).length > 0
}

const renderWork = (context: StaffContext, { open }: Shown, state: FormState): Html | false => {
  const { lesson, quiz, assignment } = open
  const isStale = state.refusal?.problem === preconditionFailed
  const revision = (!isStale && formField(state.typed, 'work_revision')) || ((quiz ?? assignment)?.revision ?? 0)
  if (lesson.type === 'quiz') return html`${hidden({ work_revision: revision })}${renderQuestions(context, open, quiz)}`
  if (lesson.type !== 'assignment') return false
  return html`${hidden({ work_revision: revision })}${assignmentFields.rows(state, ['instructions'])}
${renderInstructions(context, assignment)}`
}

// The files that the text can name.
const listNamed = ({ attachments }: LessonDetails) =>
  attachments.flatMap(({ name, file }) => (file === null ? [] : [{ ...file, name }]))

const renderMiddle = (context: StaffContext, shown: Shown, state: FormState): Html => {
  const { t, language, token } = context
  const { open, details, again } = shown
  const { lesson, course } = open
  return html`<div class="work">${renderOpener(context)}
${hidden({ token })}${hiddenFor(state)}${hiddenFor(state, lesson.revision)}<button class="unseen" type="submit" name="act" value="save" tabindex="-1" aria-hidden="true"></button>
<h1 class="unseen">${t(studio.heading, { lesson: lesson.name, course: course.name })}</h1>
${conflictPart(context, shown)}<div class="title">${lessonFields.rows(state, ['name'])}</div>
${renderFile(context, lesson, again)}
${lessonFields.rows(state, [...chooseRows(lesson), 'body'])}
${describeNotes('lesson', [lesson], language).map(note => html`<p class="notice">${note}</p>\n`)}${lesson.body_format !== 'html' && intoTextPart(context, listNamed(details))}${renderPreview(context, again)}
${renderWork(context, shown, state)}</div>
`
}

const describeState = ({ t, day }: StaffContext, { open, details }: Shown): Html => {
  const { lesson } = open
  const current = details.versions.find(one => one.is_current)
  if (lesson.status === 'draft') return html`<span><b>${t(texts.words.draft)}.</b> ${t(studio.draft)}</span>`
  const since = current === undefined ? t(studio.live) : t(studio.liveSince, { day: day(current.created_at) })
  return html`<span><b>${t(texts.words.published)}.</b> ${since}</span>`
}

const renderBar = (context: StaffContext, shown: Shown, course: Html): Html => {
  const { t } = context
  const { lesson, course: of } = shown.open
  const isDraft = lesson.status === 'draft'
  const button = (act: string, label: string, style = html`small`): Html =>
    html`<button class="${style}" form="${FORM}" type="submit" name="act" value="${act}">${label}</button>`
  return html`<div class="save" data-bar="${FORM}"><span class="state" role="status">${describeState(context, shown)}</span><span class="row"><a class="button bare small wide-only" href="/learn/${of.slug}/${lesson.id}">${t(coursesText.asStudent)}</a>
${button('preview', t(texts.words.previewText))}
${isDraft ? html`${button('save', t(studio.saveDraft))}\n${button('publish', t(studio.publish), html`small main`)}` : button('save', t(studio.publishChanges), html`small main`)}
${course}</span></div>`
}

const readDetails = async ({ call }: StaffContext, lessonId: string): Promise<LessonDetails> => {
  const params = { lesson_id: lessonId }
  const [attachments, drip, versions] = await Promise.all([
    call({ operation: 'listLessonAttachments', params, query: [['limit', '50']], returns: AttachmentPage }),
    call({ operation: 'getLessonDrip', params, returns: LessonDrip }),
    call({ operation: 'listLessonVersions', params, query: [['limit', '10']], returns: LessonVersionPage }),
  ])
  return { attachments: attachments.data, drip, versions: versions.data }
}

type Given = {
  readonly again?: Again
  /** What was refused in the outline. */
  readonly refused?: OutlineShown['refused']
  /** What was done just now, on a page that shows what was typed. */
  readonly said?: Said
}

const say = ({ t }: StaffContext, said: Said, hasUnsaved: boolean): string =>
  [t(coursesText.done[said]), ...(hasUnsaved ? [t(texts.page.form.unsaved)] : [])].join(' ')

/** The editor of a course with a lesson open. */
export const showLesson = async (context: StaffContext, { again, refused, said }: Given = {}): Promise<Reply> => {
  const open = await readOpenLesson(context)
  const { course, lesson } = open
  const [{ view, shown: ofCourse }, details] = await Promise.all([
    readStudio(context, course, { open: lesson.id, refused }),
    readDetails(context, lesson.id),
  ])
  const shown = { open, details, again }
  const state = buildFormState(context, shown)
  const hasUnsaved = isUnsaved(context, shown)
  const draft = renderDraft({ draft: 'lesson', isUnsaved: hasUnsaved, changed: findChanged(lesson, details.versions) })
  return renderStudio(context, course, {
    title: lesson.name,
    refusal: again?.refusal ?? refused?.refusal,
    sets: [lessonFields, dripFields, quizFields, assignmentFields],
    ...(said === undefined ? {} : { notice: { kind: 'done', text: say(context, said, hasUnsaved) } }),
    body: html`<div class="studio">
${renderOutline(context, view)}<form id="${FORM}" method="post" action="${lessonPath(open)}" enctype="multipart/form-data" data-work data-about="${lesson.id}"${draft}>
${renderMiddle(context, shown, state)}${renderSide(context, open, details, { state, again })}</form>
</div>
${renderBar(context, shown, renderCourseBar(context, ofCourse))}`,
  })
}

// The text is shown by a dry run of the operation that would store it.
const showPreview = async (context: StaffContext, { lesson }: OpenLesson, typed: Pairs): Promise<Reply> => {
  const params = { lesson_id: lesson.id }
  const body = lessonFields.body(typed, context, ['body'])
  const act = 'preview'
  try {
    const call = { operation: 'updateLesson', params, body, dryRun: true, returns: ChangedLesson } as const
    const { result } = await context.call(call)
    return showLesson(context, { again: { act, typed, preview: result?.body_html ?? '' } })
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.problem.status !== 422) throw refusal
    return showLesson(context, { again: { act, typed, refusal } })
  }
}

const putIntoLesson = async (context: StaffContext, { lesson }: OpenLesson, sent: FormWithFiles): Promise<Reply> => {
  const act = 'preview'
  try {
    const known = listNamed(await readDetails(context, lesson.id))
    return await showLesson(context, { again: { act, typed: await putIntoText(context, sent, known, 'course') } })
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return showLesson(context, { again: { act, typed: sent.form, refusal } })
  }
}

// What was just changed on an up-to-date page has a new revision, by which the rest of it is saved.
const renew = (typed: Pairs, before: OpenLesson, after: OpenLesson): Pairs => {
  const stored = (open: OpenLesson) => (open.quiz ?? open.assignment)?.revision ?? 0
  const rest = typed.filter(([name]) => !['revision', 'work_revision', 'form_key'].includes(name))
  const next = (name: string, was: number, is: number): readonly [string, string] => {
    const shown = formField(typed, name)
    return [name, shown === String(was) ? String(is) : shown]
  }
  const ofLesson = next('revision', before.lesson.revision, after.lesson.revision)
  return [...rest, ofLesson, next('work_revision', stored(before), stored(after))]
}

const PATH = '/staff/courses/:course/lessons/:lesson'

/** GET and POST /staff/courses/:course/lessons/:lesson: a lesson in the editor of its course, with its text and its settings in one form. */
export const lessonEditor = [
  page(`GET ${PATH}`, courseTeachers, context => showLesson(context)),
  fileForm(`POST ${PATH}`, courseTeachers, async (context, sent) => {
    const { form: typed } = sent
    const open = await readOpenLesson(context)
    const [name, ...target] = readActName(typed)
    if (name === 'preview') return showPreview(context, open, typed)
    if (isIntoText(typed)) return putIntoLesson(context, open, sent)
    if (name === TAKE_THEIRS) return showLesson(context, { again: { act: name, typed } })
    const act = readAct(typed)
    return shownAgain(
      async () => {
        const done = await act(context, open, sent, target)
        if (typeof done === 'string') return done
        const after = await readOpenLesson(context)
        return showLesson(context, { again: { act: '', typed: renew(typed, open, after) }, said: done.said })
      },
      async refusal => {
        const again = { act: name, typed: renew(typed, open, await readOpenLesson(context)), refusal }
        return showLesson(context, { again })
      },
    )
  }),
]
