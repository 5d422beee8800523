import type { Static } from 'typebox'
import type { AttachmentPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type FileInput, field, renderFileInput, renderLibraryButton } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { fileErrorIn } from '../../files/uploads/index.ts'
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

const renderButton = (act: string, label: string, about: string): Html =>
  html`<button class="plain" type="submit" name="act" value="${act}" aria-label="${label}: ${about}">${label}</button>`

type Input = FileInput & { readonly act: string; readonly button: string; readonly again: Again | undefined }

// The file is part of the form of the lesson, so nothing that was typed is lost by choosing one.
const renderInput = ({ language }: StaffContext, { act, button, again, ...input }: Input): Html =>
  html`<div class="field">${renderFileInput({ ...input, error: again?.act === act ? fileErrorIn(again.refusal, language) : undefined }, language)}
<div class="row"><button class="small" type="submit" name="act" value="${act}">${button}</button>${renderLibraryButton(input, language)}</div></div>
`

const renderCaptions = (context: StaffContext, lesson: LessonView, again: Again | undefined): Html => {
  const { t } = context
  const typed = again?.typed ?? []
  const remove = t(texts.words.remove)
  const listed = lesson.captions.map(
    ({ language: tag, label, file }) =>
      html`<li class="act"><span><bdi>${label}</bdi> (${tag}) ${fileLink(file, context)}</span>${renderButton(`remove_captions ${tag}`, remove, label)}</li>\n`,
  )
  const line = (name: 'language' | 'label', most: number): Html =>
    html`<div><div class="field">${field({ name, label: t(text[name]), value: formField(typed, name), attributes: html`type="text" maxlength="${most}"` })}</div></div>`
  const isOpen = listed.length > 0 || again?.act === 'add_captions'
  return html`<details class="more"${isOpen && html` open`}><summary>${t(text.captions)}</summary>
${listed.length > 0 && html`<ul class="list">\n${listed}</ul>`}
<div class="pair">${line('language', 35)}\n${line('label', 100)}</div>
${renderInput(context, {
  name: 'captions_file',
  purpose: 'course',
  isPlain: true,
  id: 'captions-file',
  label: t(text.choose),
  act: 'add_captions',
  button: t(text.addCaptions),
  accept: '.vtt,.srt,text/vtt,application/x-subrip',
  hint: t(text.captionsHint),
  again,
})}</details>`
}

/** The file that a lesson of a video, sound or download is about, with its captions; nothing for other lessons. */
export const renderFile = (context: StaffContext, lesson: LessonView, again: Again | undefined): Html | false => {
  const { t } = context
  const { type, file } = lesson
  if (type !== 'video' && type !== 'audio' && type !== 'download') return false
  return html`<section class="card" id="file"><h2>${t(text.fileOf[type])}</h2>
${
  file === null
    ? html`<p>${t(text.noFile)}</p>`
    : html`<div class="act">${fileLink(file, context)}${renderButton('remove_file', t(texts.words.remove), file.name)}</div>`
}
${renderInput(context, {
  name: 'file',
  purpose: 'course',
  keepOriginal: type === 'download',
  id: 'main-file',
  label: t(file === null ? text.choose : text.replace),
  act: 'set_file',
  button: t(texts.words.upload),
  accept: ACCEPT[type],
  again,
})}
${type !== 'download' && (file !== null || lesson.captions.length > 0) && renderCaptions(context, lesson, again)}</section>`
}

/** A file beside a lesson as pages get it. */
export type Attachment = Encoded<Static<typeof AttachmentPage>>['data'][number]

const renderAttachment = (one: Attachment, index: number, context: StaffContext, again: Again | undefined): Html => {
  const { t } = context
  const { id, name, file, revision } = one
  const up = t(coursesText.up)
  const typed = again === undefined ? name : formField(again.typed, `name_${id}`)
  return html`<li id="${id}"><div class="act">${file === null ? html`<bdi>${name}</bdi>` : fileLink({ ...file, name }, context)}<span class="tools">${index > 0 && html`<button class="sign" type="submit" name="act" value="raise_attachment ${id}" aria-label="${up}: ${name}">↑</button>`}${renderButton(`detach ${id} ${revision}`, t(texts.words.remove), name)}</span></div>
<details class="more"><summary aria-label="${t(texts.words.rename)}: ${name}">${t(texts.words.rename)}</summary>
${field({ name: `name_${id}`, id: `name-${id}`, label: t(text.fileName), value: typed, attributes: html`type="text" maxlength="200"` })}
${renderButton(`rename_attachment ${id} ${revision}`, t(texts.words.rename), name)}
${file !== null && html`<p class="quiet"><code>${t(text.reference, { id: file.file_id })}</code></p>`}</details></li>
`
}

/** The files beside a lesson, and the input that attaches more. */
export const renderAttachments = (
  context: StaffContext,
  attachments: readonly Attachment[],
  again: Again | undefined,
): Html => {
  const { t } = context
  return html`${
    attachments.length === 0
      ? html`<p class="quiet">${t(text.noFiles)}</p>`
      : html`<ul class="list">\n${attachments.map((one, index) => renderAttachment(one, index, context, again))}</ul>`
  }
${renderInput(context, {
  name: 'attachment_file',
  purpose: 'course',
  keepOriginal: true,
  id: 'attachment-file',
  label: t(text.choose),
  act: 'attach',
  button: t(text.attach),
  isMany: true,
  again,
})}`
}
