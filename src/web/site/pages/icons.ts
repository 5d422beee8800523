import { type Html, html } from '#src/kit/html.ts'
import { icon } from '#src/web/icon.ts'
import type { LessonView } from '../reads.ts'

const video = icon('M4 5h16v14H4zM10 9l5 3-5 3z')

/** The small pictures of the header. */
export const icons = {
  search: icon('M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM16 16l4.5 4.5'),
  person: icon('M12 12a4 4 0 1 1 0-8 4 4 0 0 1 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0'),
  lock: icon('M6 11h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1zM8 11V7a4 4 0 0 1 8 0v4'),
  done: icon('M12 22a10 10 0 1 1 0-20 10 10 0 0 1 0 20zM16 9l-5.5 5.5L8 12'),
  play: icon('M6 4.5v15L19 12z'),
  award: icon('M12 14a6 6 0 1 1 0-12 6 6 0 0 1 0 12zM8.5 13 7 22l5-3 5 3-1.5-9'),
} as const

const STAR = 'M12 2.2l2.9 6 6.6.9-4.8 4.6 1.2 6.6-5.9-3.2-5.9 3.2 1.2-6.6-4.8-4.6 6.6-.9z'

/** Five stars, of which so many are filled; `label` says it to those who do not see them. */
export const renderStars = (filled: number, label: string): Html =>
  html`<span class="stars" role="img" aria-label="${label}">${[1, 2, 3, 4, 5].map(
    n =>
      html`<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"${n > Math.round(filled) && html` class="empty"`}><path d="${STAR}"/></svg>`,
  )}</span>`

/** A small picture for each type of lesson. */
export const lessonIcons: Readonly<Record<LessonView['type'], Html>> = {
  video,
  embed: video,
  audio: icon('M5 15v-2a7 7 0 0 1 14 0v2M5 15h3v5H5zM16 15h3v5h-3z'),
  text: icon('M6 4h12v16H6zM9 8h6M9 12h6M9 16h3'),
  download: icon('M12 4v11M8 11l4 4 4-4M5 20h14'),
  quiz: icon('M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M12 16.5v.1'),
  assignment: icon('M5 19l1-4L16 5l3 3L9 18zM14 7l3 3'),
  live: icon('M5 6h14v14H5zM5 10h14M9 3v4M15 3v4'),
}
