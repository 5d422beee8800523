import type { Static } from 'typebox'
import type { AttachmentPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildState, field, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { fileErrorIn, renderFileForm } from '../../files/uploads/index.ts'
import { coursesText } from '../courses/text.ts'
import type { LessonView } from './place.ts'

const { lesson: text } = texts.staff.lessons

/** What a form led to where it is shown again; `preview` is the text as learners would see it. */
export type Again = {
  readonly act: string
  readonly typed: Pairs
  readonly refusal?: Refusal
  readonly preview?: string
}

const ACCEPT = { video: 'video/*', audio: 'audio/*', download: undefined } as const

type FileView = NonNullable<LessonView['file']>

const fileLink = ({ name, url, byte_size }: FileView, { language }: StaffContext): Html =>
  html`<span><a href="${url}"><bdi>${name}</bdi></a> <span class="quiet">${formatBytes(byte_size, language)}</span></span>`

const renderRemoval = (
  { t, form }: StaffContext,
  revision: number,
  fields: Readonly<Record<string, string>>,
  about: string,
): Html => {
  const label = t(texts.words.remove)
  return form(
    html`${hidden({ ...fields, revision })}<button class="plain" type="submit" aria-label="${label}: ${about}">${label}</button>`,
  )
}

const renderCaptions = (context: StaffContext, lesson: LessonView, again: Again | undefined): Html => {
  const { t, language, token, request } = context
  const { typed, refusal } = buildState(context, again, 'add_captions')
  const listed = lesson.captions.map(
    ({ language: tag, label, file }) =>
      html`<li class="act"><span><bdi>${label}</bdi> (${tag}) ${fileLink(file, context)}</span>${renderRemoval(context, lesson.revision, { act: 'remove_captions', language: tag }, label)}</li>\n`,
  )
  const line = (name: 'language' | 'label', most: number): Html => {
    const attributes = html`type="text" maxlength="${most}" required`
    return html`<div>${field({ name, label: t(text[name]), value: formField(typed, name), attributes })}</div>`
  }
  const form = renderFileForm({
    action: request.path,
    token,
    language,
    more: html`<div class="pair">${line('language', 35)}\n${line('label', 100)}</div>`,
    fields: { act: 'add_captions', revision: lesson.revision },
    id: 'captions-file',
    label: t(text.choose),
    button: t(text.addCaptions),
    accept: '.vtt,.srt,text/vtt,application/x-subrip',
    hint: t(text.captionsHint),
    error: fileErrorIn(refusal, language),
  })
  return html`<details${(listed.length > 0 || typed.length > 0) && html` open`}><summary>${t(text.captions)}</summary>
${listed.length > 0 && html`<ul class="list">\n${listed}</ul>`}
${form}</details>`
}

/** The file that a lesson of a video, sound or download is about, with its captions; nothing for other lessons. */
export const renderFile = (context: StaffContext, lesson: LessonView, again: Again | undefined): Html | false => {
  const { t, language, token, request } = context
  const { type, file, revision } = lesson
  if (type !== 'video' && type !== 'audio' && type !== 'download') return false
  const accept = ACCEPT[type]
  return html`<section class="card" id="file"><h2>${t(text.fileOf[type])}</h2>
${
  file === null
    ? html`<p>${t(text.noFile)}</p>`
    : html`<div class="act">${fileLink(file, context)}${renderRemoval(context, revision, { act: 'remove_file' }, file.name)}</div>`
}
${renderFileForm({
  action: request.path,
  token,
  language,
  fields: { act: 'set_file', revision },
  id: 'main-file',
  label: t(file === null ? text.choose : text.replace),
  button: t(texts.words.upload),
  ...(accept === undefined ? {} : { accept }),
  hint: t(text.saveFirst),
})}
${type !== 'download' && (file !== null || lesson.captions.length > 0) && renderCaptions(context, lesson, again)}</section>`
}

/** A file beside a lesson as pages get it. */
export type Attachment = Encoded<Static<typeof AttachmentPage>>['data'][number]

const renderAttachment = ({ id, name, file, revision }: Attachment, index: number, context: StaffContext): Html => {
  const { t, form } = context
  const up = t(coursesText.up)
  const remove = t(texts.words.remove)
  const about = { attachment: id, revision }
  const rename = html`${hidden({ act: 'rename_attachment', ...about })}${field({ name: 'name', id: `name-${id}`, label: t(text.fileName), value: name, attributes: html`type="text" maxlength="200" required` })}<button type="submit">${t(texts.words.rename)}</button>`
  return html`<li id="${id}"><div class="act">${file === null ? html`<bdi>${name}</bdi>` : fileLink({ ...file, name }, context)}<span class="tools">${index > 0 && form(html`${hidden({ act: 'raise_attachment', attachment: id })}<button class="sign" type="submit" aria-label="${up}: ${name}">↑</button>`)}${form(html`${hidden({ act: 'detach', ...about })}<button class="plain" type="submit" aria-label="${remove}: ${name}">${remove}</button>`)}</span></div>
<details><summary aria-label="${t(texts.words.rename)}: ${name}">${t(texts.words.rename)}</summary>${form(rename)}
${file !== null && html`<p class="quiet"><code>${t(text.reference, { id: file.file_id })}</code></p>`}</details></li>
`
}

/** The files beside a lesson. */
export const renderAttachments = (
  context: StaffContext,
  attachments: readonly Attachment[],
  again: Again | undefined,
): Html => {
  const { t, language, token, request } = context
  const { typed } = buildState(context, again, 'attach')
  return html`<section class="card" id="files"><h2>${t(text.files)}</h2>
${
  attachments.length === 0
    ? html`<p>${t(text.noFiles)}</p>`
    : html`<ul class="list">\n${attachments.map((one, index) => renderAttachment(one, index, context))}</ul>`
}
${renderFileForm({
  action: request.path,
  token,
  language,
  fields: { act: 'attach' },
  id: 'attachment-file',
  label: t(text.choose),
  button: t(text.attach),
  more: field({
    name: 'name',
    id: 'attachment-name',
    label: t(text.fileName),
    hint: t(text.fileNameHint),
    value: formField(typed, 'name'),
    attributes: html`type="text" maxlength="200"`,
  }),
})}</section>`
}
