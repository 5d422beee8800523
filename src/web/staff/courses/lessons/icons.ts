import type { lessonTypes } from '#src/areas/courses/index.ts'
import type { Html } from '#src/kit/html.ts'
import { icon } from '#src/web/icon.ts'

/** The small pictures of the types of lessons. */
export const lessonIcons: Readonly<Record<(typeof lessonTypes)[number], Html>> = {
  video: icon('M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM10 9v6l5-3z'),
  audio: icon('M4 14v-2a8 8 0 0 1 16 0v2M4 14h3v6H5a1 1 0 0 1-1-1zM20 14h-3v6h2a1 1 0 0 0 1-1z'),
  text: icon('M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6'),
  download: icon('M12 4v11M7 11l5 5 5-5M5 20h14'),
  embed: icon('M9 8l-5 4 5 4M15 8l5 4-5 4'),
  quiz: icon('M13 6h8M13 12h8M13 18h8M3 6l2 2 4-4M3 16l2 2 4-4'),
  assignment: icon('M6 3h8l4 4v14H6zM14 3v4h4M12 18v-6M9 14l3-3 3 3'),
  live: icon('M3 7h12v10H3zM15 11l6-3v8l-6-3'),
}

/** The handle by which something is moved. */
export const grip = icon('M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01')
