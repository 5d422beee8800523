import { type Html, html } from '#src/kit/html.ts'
import type { LessonView } from '../reads.ts'

const tracks = ({ captions }: LessonView): Html[] =>
  captions.map(
    ({ language, label, file }, index) =>
      html`<track kind="captions" src="${file.url}" srclang="${language}" label="${label}"${index === 0 && html` default`}>`,
  )

/** The player of the video or sound of a lesson, from a second on; false for other lessons and without a file. */
export const renderRecording = (lesson: LessonView, second = 0): Html | false => {
  const { file, type } = lesson
  if (file === null) return false
  // https://www.w3.org/TR/media-frags/#naming-time
  const address = second === 0 ? file.url : `${file.url}#t=${second}`
  if (type === 'video') return html`<video controls preload="metadata" src="${address}">${tracks(lesson)}</video>`
  return type === 'audio' && html`<audio controls preload="metadata" src="${address}">${tracks(lesson)}</audio>`
}

/** The player of one of the embed providers; false without one. */
export const renderEmbed = ({ embed, name }: LessonView): Html | false =>
  embed !== null &&
  html`<div class="player"><iframe src="${embed.url}" title="${name}" allow="fullscreen" allowfullscreen loading="lazy" referrerpolicy="strict-origin-when-cross-origin"></iframe></div>`
