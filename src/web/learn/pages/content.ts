import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { headingsFrom, inSchool, renderEmbed, renderRecording } from '#src/web/site/index.ts'
import type { AttachmentView, LessonView } from '../lesson-content.ts'
import type { LearnContext } from '../parts.ts'
import { learnText } from '../text.ts'

const { lesson: text } = learnText

type File = NonNullable<LessonView['file']>

const fileItem = ({ url, byte_size: size }: File, name: string, { t, language }: LearnContext): Html =>
  html`<li><a href="${url}" aria-label="${t(text.download, { name })}" download><bdi>${name}</bdi></a> <span class="quiet">${formatBytes(size, language)}</span></li>
`

/** Files to download, each with its size. */
export const fileList = (
  files: readonly { readonly file: File; readonly name: string }[],
  context: LearnContext,
): Html =>
  html`<ul class="rows files">
${files.map(({ file, name }) => fileItem(file, name, context))}</ul>`

const renderFiles = (
  { file, type }: LessonView,
  attachments: readonly AttachmentView[],
  context: LearnContext,
): Html | false => {
  const own = file === null || type === 'video' || type === 'audio' ? [] : [{ file, name: file.name }]
  const beside = attachments.flatMap(({ file, name }) => (file === null ? [] : [{ file, name }]))
  return (
    own.length + beside.length > 0 &&
    html`<section class="lesson-files" aria-labelledby="files">
<h2 id="files">${context.t(text.files)}</h2>
${fileList([...own, ...beside], context)}
</section>`
  )
}

const renderMeeting = (lesson: LessonView, { t, time }: LearnContext): Html | false => {
  const { starts_at: at, meeting_url: url } = lesson
  if (at === null && url === null) return false
  return html`<div class="box">
${at !== null && html`<p>${t(text.begins, { time: time(at) })}</p>`}
${url !== null && html`<p class="actions"><a class="button main" href="${url}" rel="noopener noreferrer">${t(text.join)}</a></p>`}
</div>`
}

const isEmpty = ({ body_html: body, file, embed, type, starts_at: at }: LessonView, attachments: number): boolean =>
  body === '' &&
  file === null &&
  embed === null &&
  at === null &&
  attachments === 0 &&
  type !== 'quiz' &&
  type !== 'assignment'

// A wide table scrolls, so the keyboard reaches it.
const readable = (sanitized: string): Html =>
  headingsFrom(2, sanitized.replace(/<table(?=[ >])/g, '<table tabindex="0"'))

type Content = { readonly lesson: LessonView; readonly attachments: readonly AttachmentView[] }

/** The content of a lesson: its recording or player, its text and its files; `second` is where the recording goes on. */
export const renderContent = ({ lesson, attachments }: Content, second: number, context: LearnContext): Html => {
  const { body_html: body } = lesson
  if (isEmpty(lesson, attachments.length)) return html`<p class="nothing">${context.t(text.empty)}</p>`
  return html`${renderEmbed(lesson)}
${renderRecording(lesson, second)}
${renderMeeting(lesson, context)}
${body !== '' && html`<div class="prose"${inSchool(context)}>${readable(body)}</div>`}
${renderFiles(lesson, attachments, context)}`
}
