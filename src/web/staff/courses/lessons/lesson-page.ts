import { describeNotes } from '#src/contract/body.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden, timeOf } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { area, box, choose, type FormState, line } from '../../forms/fields.ts'
import { folded, inputs } from '../../pages/fields.ts'
import { badge, coursePage } from '../courses/frame.ts'
import { courseRefusals, coursesText } from '../courses/text.ts'
import { filePart, filesPart } from './files-part.ts'
import { formOfLesson } from './lesson-form.ts'
import { lessonText as text } from './lesson-text.ts'
import { aboveLesson, lessonPath, type Place } from './place.ts'
import { releasePart } from './release-part.ts'
import { type LessonShown, stateOf } from './shown.ts'

const typeFields = (state: FormState, { t }: StaffContext, { lesson }: Place): Html | false => {
  if (lesson.type === 'embed')
    return line(state, {
      name: 'embed_url',
      label: t(text.embed),
      hint: t(text.embedHint),
      attributes: html`type="text" inputmode="url" maxlength="2000"`,
    })
  if (lesson.type !== 'live') return false
  const url = html`type="text" inputmode="url" maxlength="2000"`
  return html`<div class="pair">${line(state, { name: 'starts_at_local', label: t(text.starts), attributes: html`type="datetime-local"` })}
${line(state, { name: 'time_zone', label: t(text.zone) })}</div>
${line(state, { name: 'meeting_url', label: t(text.meeting), attributes: url })}`
}

const settings = (state: FormState, { t }: StaffContext): Html => {
  const statuses = (['draft', 'published'] as const).map(value => ({ value, label: t(text[value]) }))
  const modes = Object.entries(coursesText.commentModes).map(([value, phrase]) => ({
    value,
    label: t(phrase),
  }))
  return html`<fieldset><legend>${t(text.settings)}</legend>
${choose(state, { name: 'status', label: t(text.status) }, statuses)}
<div class="pair">${line(state, { name: 'minutes', label: t(text.minutes), attributes: inputs.number })}
${line(state, { name: 'seconds', label: t(text.seconds), attributes: inputs.number })}</div>
${box(state, { name: 'preview', label: t(text.isPreview), hint: t(text.isPreviewHint) })}
${box(state, { name: 'required_for_completion', label: t(text.isRequired), hint: t(text.isRequiredHint) })}
${choose(state, { name: 'comments', label: t(coursesText.comments) }, modes)}
</fieldset>`
}

// The text was sanitized by the operation that returned it.
const previewPart = ({ t }: StaffContext, { again }: LessonShown): Html | false => {
  const shown = again?.preview
  if (shown === undefined) return false
  return html`<section class="card preview" id="preview"><h2>${t(text.previewTitle)}</h2>
<div class="prose">${shown === '' ? html`<p class="quiet">${t(text.previewEmpty)}</p>` : { html: shown }}</div></section>`
}

const mainForm = (context: StaffContext, view: LessonShown): Html => {
  const { t, language, token } = context
  const { place, drip, again } = view
  const { lesson } = place
  const state = stateOf(context, view, ['save', 'preview'], formOfLesson(lesson, drip.time_zone))
  const typed = state.typed === again?.form ? formField(again.form, 'revision') : ''
  const isStale = again?.refusal?.problem.code === 'precondition_failed'
  const isHtml = lesson.body_format === 'html'
  const inside = html`${hidden({ revision: typed === '' || isStale ? lesson.revision : typed })}
${line(state, { name: 'name', label: t(text.name), attributes: html`type="text" maxlength="200" required` })}
${typeFields(state, context, place)}
${area(state, { name: 'body', label: t(isHtml ? text.bodyHtml : text.body), hint: t(text.bodyHint), rows: 14, attributes: html`class="code" maxlength="200000"` })}
${describeNotes('lesson', [lesson], language).map(note => html`<p class="notice">${note}</p>\n`)}${previewPart(context, view)}
${settings(state, context)}
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${t(coursesText.save)}</button>
<button type="submit" name="act" value="preview">${t(text.preview)}</button></div>`
  return formOf(lessonPath(place), token, inside)
}

const ownPage = ({ t }: StaffContext, { place }: LessonShown): Html | false => {
  const { type } = place.lesson
  if (type !== 'quiz' && type !== 'assignment') return false
  const [about, label] = type === 'quiz' ? [text.toQuizAbout, text.toQuiz] : [text.toWorkAbout, text.toWork]
  return html`<p class="card"><a class="button main" href="${lessonPath(place)}/${type}">${t(label)}</a><br><span class="quiet">${t(about)}</span></p>`
}

const placePart = (context: StaffContext, { place, outline }: LessonShown): Html => {
  const { t, token } = context
  const { lesson } = place
  const sections = outline.sections.map(({ id, name }) => ({ value: id, label: name }))
  const state = { typed: [['section', lesson.section_id]] as const, errors: new Map() }
  const move = html`${hidden({ act: 'move', revision: lesson.revision })}${choose(state, { name: 'section', label: t(text.section) }, sections)}<button type="submit">${t(text.move)}</button>`
  const remove = html`${hidden({ act: 'remove', revision: lesson.revision })}<p class="quiet">${t(text.removeAbout)}</p><button type="submit">${t(text.remove)}</button>`
  return folded(
    t(text.place),
    html`${formOf(lessonPath(place), token, move)}\n${formOf(lessonPath(place), token, remove)}`,
  )
}

const versionsPart = (context: StaffContext, { place, versions }: LessonShown): Html | false => {
  const { t, language, token, viewer } = context
  if (versions.length < 2) return false
  const items = versions.map(({ id, number: n, is_current, author, created_at }) => {
    const name = t(text.version, { n, at: timeOf(new Date(created_at), language, viewer) })
    const by = author === null ? '' : t(text.by, { name: author.name })
    const label = t(text.restore)
    const inside = html`${hidden({ act: 'restore', version: id, revision: place.lesson.revision })}<button type="submit" class="plain" aria-label="${label}: ${name}">${label}</button>`
    return html`<li class="act"><span>${name} <span class="quiet"><bdi>${by}</bdi></span></span>${is_current ? badge(t(text.current), 'published') : formOf(lessonPath(place), token, inside)}</li>\n`
  })
  return folded(t(text.versions), html`<ul class="list">\n${items}</ul>`)
}

const neighbours = ({ t }: StaffContext, { place, outline }: LessonShown): Html => {
  const lessons = outline.sections.flatMap(section => section.lessons)
  const at = lessons.findIndex(({ id }) => id === place.lesson.id)
  const link = (label: string, lesson: (typeof lessons)[number] | undefined): Html | false =>
    lesson !== undefined &&
    html`<a href="${lessonPath({ ...place, lesson: { ...place.lesson, id: lesson.id } })}">${label}: <bdi>${lesson.name}</bdi></a>`
  return html`<p class="neighbours">${link(t(text.previous), at > 0 ? lessons[at - 1] : undefined)} ${link(t(text.next), at < 0 ? undefined : lessons[at + 1])}</p>`
}

const FIELDS = [
  'name',
  'body',
  'embed_url',
  'starts_at_local',
  'time_zone',
  'meeting_url',
  'minutes',
  'seconds',
  'value',
  'date',
  'local_time',
]

/** The editor of a lesson. */
export const lessonPage = (context: StaffContext, view: LessonShown): Promise<Reply> => {
  const { t, language } = context
  const { place, again } = view
  const { course, lesson } = place
  const refusal = again?.refusal
  const errors = errorsIn(refusal, language, text.errors)
  return coursePage(context, {
    title: lesson.name,
    above: aboveLesson(context, place),
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: FIELDS, refusals: courseRefusals }),
    body: html`<p class="course-head">${badge(t(coursesText.lessonStatuses[lesson.status]), lesson.status)}
<span class="quiet">${t(coursesText.types[lesson.type])}</span>
<a href="/learn/${course.slug}/${lesson.id}">${t(coursesText.asStudent)}</a></p>
${ownPage(context, view)}
${filePart(context, view)}
${mainForm(context, view)}
${filesPart(context, view)}
${releasePart(context, view)}
${placePart(context, view)}
${versionsPart(context, view)}
${neighbours(context, view)}`,
  })
}
