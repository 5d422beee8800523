import type { Static } from 'typebox'
import { AttachmentPage, ChangedLesson, LessonDrip, LessonVersionPage } from '#src/areas/courses/index.ts'
import { describeNotes } from '#src/contract/body.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  buildState,
  type FormWithFiles,
  fileForm,
  folded,
  hidden,
  hiddenFor,
  isShown,
  page,
  select,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { intoTextPart, isIntoText, putIntoText } from '../../texts/index.ts'
import { getOutline, type OutlineView } from '../courses/course.ts'
import { badge, renderCoursePage } from '../courses/frame.ts'
import { coursesText } from '../courses/text.ts'
import { type Again, type Attachment, renderAttachments, renderFile } from './files-part.ts'
import { readAct } from './lesson-acts.ts'
import { chooseRows, type DripView, dripFields, lessonFields, lessonPairs } from './lesson-fields.ts'
import { aboveLesson, lessonPath, type Place, readPlace } from './place.ts'

const { lesson: text } = texts.staff.lessons

type LessonShown = {
  readonly place: Place
  readonly outline: OutlineView
  readonly drip: DripView
  readonly attachments: readonly Attachment[]
  readonly versions: Encoded<Static<typeof LessonVersionPage>>['data']
  readonly again: Again | undefined
}

// The text was sanitized by the operation that returned it.
const previewPart = ({ t }: StaffContext, { again }: LessonShown): Html | false => {
  const shown = again?.preview
  if (shown === undefined) return false
  return html`<section class="card preview" id="preview"><h2>${t(texts.words.previewNotSaved)}</h2>
<div class="prose">${shown === '' ? html`<p class="quiet">${t(texts.words.noText)}</p>` : { html: shown }}</div></section>`
}

const namedFiles = ({ attachments }: Pick<LessonShown, 'attachments'>) =>
  attachments.flatMap(({ name, file }) => (file === null ? [] : [{ ...file, name }]))

const mainForm = (context: StaffContext, view: LessonShown): Html => {
  const { t, language, form } = context
  const { lesson } = view.place
  const values = { format: lesson.body_format === 'html' ? 'HTML' : 'Markdown' }
  const act = view.again?.act === 'preview' ? 'preview' : 'save'
  const stored = lessonPairs(context, lesson, view.drip.time_zone)
  const state = buildState({ ...context, values }, view.again, act, stored)
  const inside = html`${hiddenFor(state, lesson.revision)}
${lessonFields.rows(state, ['name', ...chooseRows(lesson), 'body'])}
${describeNotes('lesson', [lesson], language).map(note => html`<p class="notice">${note}</p>\n`)}${previewPart(context, view)}
<fieldset><legend>${t(texts.words.settings)}</legend>
${lessonFields.rows(state, ['status', ['minutes', 'seconds'], 'preview', 'required_for_completion', 'comments'])}</fieldset>
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${t(texts.words.save)}</button>
<button type="submit" name="act" value="preview">${t(texts.words.previewText)}</button></div>
${lesson.body_format !== 'html' && intoTextPart(context, namedFiles(view))}`
  return form(inside, undefined, { draft: 'lesson' })
}

const releasePart = (context: StaffContext, { drip, again }: LessonShown): Html => {
  const { t, form } = context
  const reader = { ...context, values: { zone: drip.time_zone } }
  const state = buildState(reader, again, 'drip', dripFields.pairs(drip, context))
  const inside = html`${hidden({ act: 'drip', revision: drip.revision })}${dripFields.rows(state, ['mode', ['value', 'date', 'local_time']])}
<button type="submit">${t(texts.words.save)}</button>`
  return html`<details class="card" id="release"${(drip.mode !== 'immediate' || again?.act === 'drip') && html` open`}><summary>${t(text.release)}</summary>
${form(inside)}</details>`
}

const ownPage = ({ t }: StaffContext, { place }: LessonShown): Html | false => {
  const { type } = place.lesson
  if (type !== 'quiz' && type !== 'assignment') return false
  const [about, label] = type === 'quiz' ? [text.toQuizAbout, text.toQuiz] : [text.toWorkAbout, text.toWork]
  return html`<p class="card"><a class="button main" href="${lessonPath(place)}/${type}">${t(label)}</a><br><span class="quiet">${t(about)}</span></p>`
}

const placePart = (context: StaffContext, { place, outline }: LessonShown): Html => {
  const { t, form } = context
  const { lesson } = place
  const sections = outline.sections.map(({ id, name }) => ({ value: id, label: name }))
  const move = html`${hidden({ act: 'move', revision: lesson.revision })}${select('section', t(text.section), lesson.section_id, sections)}<button type="submit">${t(text.move)}</button>`
  const remove = html`${hidden({ act: 'remove', revision: lesson.revision })}<p class="quiet">${t(text.removeAbout)}</p><button type="submit">${t(text.remove)}</button>`
  return folded(t(text.place), html`${form(move)}\n${form(remove)}`)
}

const versionsPart = (context: StaffContext, { place, versions }: LessonShown): Html | false => {
  const { t, time, form } = context
  if (versions.length < 2) return false
  const items = versions.map(({ id, number: n, is_current, author, created_at }) => {
    const name = t(text.version, { n, at: time(created_at) })
    const by = author === null ? '' : t(text.by, { name: author.name })
    const label = t(texts.words.restore)
    const inside = html`${hidden({ act: 'restore', version: id, revision: place.lesson.revision })}<button type="submit" class="plain" aria-label="${label}: ${name}">${label}</button>`
    return html`<li class="act"><span>${name} <span class="quiet"><bdi>${by}</bdi></span></span>${is_current ? badge(t(text.current), 'published') : form(inside)}</li>\n`
  })
  return folded(t(texts.words.earlierVersions), html`<ul class="list">\n${items}</ul>`)
}

const neighbours = ({ t }: StaffContext, { place, outline }: LessonShown): Html => {
  const lessons = outline.sections.flatMap(section => section.lessons)
  const at = lessons.findIndex(({ id }) => id === place.lesson.id)
  const link = (label: string, lesson: (typeof lessons)[number] | undefined): Html | false =>
    lesson !== undefined &&
    html`<a href="${lessonPath({ ...place, lesson: { ...place.lesson, id: lesson.id } })}">${label}: <bdi>${lesson.name}</bdi></a>`
  return html`<p class="neighbours">${link(t(texts.words.previousLesson), at > 0 ? lessons[at - 1] : undefined)} ${link(t(texts.words.nextLesson), at < 0 ? undefined : lessons[at + 1])}</p>`
}

const showLesson = async (context: StaffContext, again?: Again, known?: Place): Promise<Reply> => {
  const { t, call } = context
  const place = known ?? (await readPlace(context))
  const { course, lesson } = place
  const params = { lesson_id: lesson.id }
  const [outline, attachments, drip, versions] = await Promise.all([
    getOutline(context, course.id),
    call({ operation: 'listLessonAttachments', params, query: [['limit', '50']], returns: AttachmentPage }),
    call({ operation: 'getLessonDrip', params, returns: LessonDrip }),
    call({ operation: 'listLessonVersions', params, query: [['limit', '10']], returns: LessonVersionPage }),
  ])
  const view = { place, outline, drip, again, attachments: attachments.data, versions: versions.data }
  return renderCoursePage(context, {
    title: lesson.name,
    above: aboveLesson(context, place),
    refusal: again?.refusal,
    sets: [lessonFields, dripFields],
    body: html`<p class="course-head">${badge(t(coursesText.lessonStatuses[lesson.status]), lesson.status)}
<span class="quiet">${t(coursesText.types[lesson.type])}</span>
<a href="/learn/${course.slug}/${lesson.id}">${t(coursesText.asStudent)}</a></p>
${ownPage(context, view)}
${renderFile(context, lesson, again)}
${mainForm(context, view)}
${renderAttachments(context, view.attachments, again)}
${releasePart(context, view)}
${placePart(context, view)}
${versionsPart(context, view)}
${neighbours(context, view)}`,
  })
}

// The text is shown by a dry run of the operation that would store it.
const showPreview = async (context: StaffContext, place: Place, typed: Pairs): Promise<Reply> => {
  const params = { lesson_id: place.lesson.id }
  const body = lessonFields.body(typed, context, ['body'])
  const act = 'preview'
  try {
    const call = { operation: 'updateLesson', params, body, dryRun: true, returns: ChangedLesson } as const
    const { result } = await context.call(call)
    return showLesson(context, { act, typed, preview: result?.body_html ?? '' }, place)
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.problem.status !== 422) throw refusal
    return showLesson(context, { act, typed, refusal }, place)
  }
}

const putIntoLesson = async (context: StaffContext, place: Place, sent: FormWithFiles): Promise<Reply> => {
  const params = { lesson_id: place.lesson.id }
  const query: Pairs = [['limit', '50']]
  const { data } = await context.call({ operation: 'listLessonAttachments', params, query, returns: AttachmentPage })
  try {
    const typed = await putIntoText(context, sent, namedFiles({ attachments: data }), 'course')
    return await showLesson(context, { act: 'preview', typed }, place)
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return showLesson(context, { act: 'preview', typed: sent.form, refusal }, place)
  }
}

const PATH = '/staff/courses/:course/lessons/:lesson'

/** GET and POST /staff/courses/:course/lessons/:lesson: a lesson with its text, files, release and earlier versions. */
export const lessonEditor = [
  page(`GET ${PATH}`, courseTeachers, context => showLesson(context)),
  fileForm(`POST ${PATH}`, courseTeachers, async (context, sent) => {
    const { form: typed } = sent
    const place = await readPlace(context)
    const name = formField(typed, 'act')
    if (name === 'preview') return showPreview(context, place, typed)
    if (isIntoText(typed)) return putIntoLesson(context, place, sent)
    const act = readAct(typed)
    return shownAgain(
      () => act(context, place, sent),
      refusal => showLesson(context, { act: name, typed, refusal }),
    )
  }),
]
