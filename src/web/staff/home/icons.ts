import type { WaitingKind } from '#src/areas/console/index.ts'
import type { Html } from '#src/kit/html.ts'
import { icon } from '#src/web/icon.ts'

const money = icon('M4 20h16M6 17v-7M10 17v-7M14 17v-7M18 17v-7M12 3l8 4v1H4V7z')
const work = icon('M6 3h8l4 4v14H6zM14 3v4h4M9 14l2 2 4-4')
const alert = icon('M12 4l9 16H3zM12 10v4M12 17h.01')
const words = icon('M4 5h16v11H9l-5 4z')
const star = icon('M12 3l2.8 5.7 6.2.9-4.5 4.4 1 6.2-5.5-2.9-5.5 2.9 1-6.2L3 9.6l6.2-.9z')

/** The pictures of what waits. */
export const waitingIcons: Readonly<Record<WaitingKind | 'confirmations', Html>> = {
  confirmations: icon('M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3'),
  transfers: money,
  disputes: alert,
  not_given: alert,
  failed_refunds: alert,
  credits: money,
  past_due: alert,
  works: work,
  answers: work,
  requests: icon('M4 8V6h16v2a3 3 0 0 0 0 6v4H4v-4a3 3 0 0 0 0-6zM13 6v12'),
  reviews: star,
  comments: words,
  questions: words,
  reports: words,
  failed_mails: icon('M3 5h18v14H3zM3 7l9 6 9-6'),
}

/** Leads on. */
export const onward = icon('M9 6l6 6-6 6')

/** Done, still to do, and put off. */
export const stepIcons = {
  done: icon('M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM8 12l3 3 5-6'),
  open: icon('M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18z'),
  put_off: icon('M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 7v5l3 2'),
} as const
