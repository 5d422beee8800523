import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderFileForm } from '../../files/uploads/index.ts'
import { line } from '../../forms/fields.ts'
import { field } from '../../pages/fields.ts'
import { coursesText } from '../courses/text.ts'
import { lessonText as text } from './lesson-text.ts'
import { lessonPath } from './place.ts'
import { type LessonShown, stateOf } from './shown.ts'

const ACCEPT = { video: 'video/*', audio: 'audio/*', download: undefined } as const

type FileView = NonNullable<LessonShown['place']['lesson']['file']>

const fileLink = ({ name, url, byte_size }: FileView, { language }: StaffContext): Html =>
  html`<span><a href="${url}"><bdi>${name}</bdi></a> <span class="quiet">${formatBytes(byte_size, language)}</span></span>`

const removal = (
  context: StaffContext,
  { place }: LessonShown,
  fields: Readonly<Record<string, string>>,
  about: string,
): Html => {
  const label = context.t(coursesText.remove)
  const inside = html`${hidden({ ...fields, revision: place.lesson.revision })}<button class="plain" type="submit" aria-label="${label}: ${about}">${label}</button>`
  return formOf(lessonPath(place), context.token, inside)
}

const captionsPart = (context: StaffContext, view: LessonShown): Html => {
  const { t, language, token } = context
  const { place } = view
  const { lesson } = place
  const state = stateOf(context, view, ['add_captions'], [])
  const listed = lesson.captions.map(
    ({ language: tag, label, file }) =>
      html`<li class="act"><span><bdi>${label}</bdi> (${tag}) ${fileLink(file, context)}</span>${removal(context, view, { act: 'remove_captions', language: tag }, label)}</li>\n`,
  )
  const more = html`<div class="pair">${line(state, { name: 'language', label: t(text.language), attributes: html`type="text" maxlength="35" required` })}
${line(state, { name: 'label', label: t(text.label), attributes: html`type="text" maxlength="100" required` })}</div>`
  const form = renderFileForm({
    ...{ action: lessonPath(place), token, language, more },
    fields: { act: 'add_captions', revision: lesson.revision },
    id: 'captions-file',
    label: t(text.choose),
    button: t(text.addCaptions),
    accept: '.vtt,.srt,text/vtt,application/x-subrip',
    hint: t(text.captionsHint),
    error: state.errors.get('file'),
  })
  const isOpen = listed.length > 0 || state.typed.length > 0
  return html`<details${isOpen && html` open`}><summary>${t(text.captions)}</summary>
${listed.length > 0 && html`<ul class="list">\n${listed}</ul>`}
${form}</details>`
}

/** The file that a lesson of a video, sound or download is about, with its captions; nothing for other lessons. */
export const filePart = (context: StaffContext, view: LessonShown): Html | false => {
  const { t, language, token } = context
  const { lesson } = view.place
  const { type, file, revision } = lesson
  if (type !== 'video' && type !== 'audio' && type !== 'download') return false
  const accept = ACCEPT[type]
  return html`<section class="card" id="file"><h2>${t(text.fileOf[type])}</h2>
${
  file === null
    ? html`<p>${t(text.noFile)}</p>`
    : html`<div class="act">${fileLink(file, context)}${removal(context, view, { act: 'remove_file' }, file.name)}</div>`
}
${renderFileForm({
  ...{ action: lessonPath(view.place), token, language },
  fields: { act: 'set_file', revision },
  id: 'main-file',
  label: t(file === null ? text.choose : text.replace),
  button: t(text.upload),
  ...(accept === undefined ? {} : { accept }),
  hint: t(text.saveFirst),
})}
${type !== 'download' && (file !== null || lesson.captions.length > 0) && captionsPart(context, view)}</section>`
}

const attachmentItem = (
  one: LessonShown['attachments'][number],
  index: number,
  context: StaffContext,
  view: LessonShown,
): Html => {
  const { t, token } = context
  const path = lessonPath(view.place)
  const { id, name, file, revision } = one
  const up = t(coursesText.up)
  const remove = t(coursesText.remove)
  const about = { attachment: id, revision }
  const rename = html`${hidden({ act: 'rename_attachment', ...about })}${field({ name: 'name', id: `name-${id}`, label: t(text.fileName), value: name, attributes: html`type="text" maxlength="200" required` })}<button type="submit">${t(text.rename)}</button>`
  return html`<li id="${id}"><div class="act">${file === null ? html`<bdi>${name}</bdi>` : fileLink({ ...file, name }, context)}<span class="tools">${index > 0 && formOf(path, token, html`${hidden({ act: 'raise_attachment', attachment: id })}<button class="sign" type="submit" aria-label="${up}: ${name}">↑</button>`)}${formOf(path, token, html`${hidden({ act: 'detach', ...about })}<button class="plain" type="submit" aria-label="${remove}: ${name}">${remove}</button>`)}</span></div>
<details><summary aria-label="${t(text.rename)}: ${name}">${t(text.rename)}</summary>${formOf(path, token, rename)}
${file !== null && html`<p class="quiet"><code>${t(text.reference, { id: file.file_id })}</code></p>`}</details></li>
`
}

/** The files beside a lesson. */
export const filesPart = (context: StaffContext, view: LessonShown): Html => {
  const { t, language, token } = context
  const { place, attachments } = view
  const state = stateOf(context, view, ['attach'], [])
  return html`<section class="card" id="files"><h2>${t(text.files)}</h2>
${
  attachments.length === 0
    ? html`<p>${t(text.noFiles)}</p>`
    : html`<ul class="list">\n${attachments.map((one, index) => attachmentItem(one, index, context, view))}</ul>`
}
${renderFileForm({
  ...{ action: lessonPath(place), token, language },
  fields: { act: 'attach' },
  id: 'attachment-file',
  label: t(text.choose),
  button: t(text.attach),
  more: line(state, {
    name: 'name',
    id: 'attachment-name',
    label: t(text.fileName),
    hint: t(text.fileNameHint),
    attributes: html`type="text" maxlength="200"`,
  }),
})}</section>`
}
