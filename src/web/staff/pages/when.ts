import { dateFormat } from '#src/kit/intl.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import { toTag } from '#src/kit/locale.ts'
import type { StaffContext } from '../audience.ts'

const write = (
  at: Date,
  { language, viewer }: Pick<StaffContext, 'language' | 'viewer'>,
  options: Intl.DateTimeFormatOptions,
) => dateFormat(toTag(language), { ...options, timeZone: viewer.timeZone ?? 'UTC' }).format(at)

/** When something was, in few words: "today 09:12", "yesterday", or the day; with the year where it is another one. */
export const showWhen = (instant: string, now: string, context: Pick<StaffContext, 'language' | 'viewer'>): string => {
  const [at, zone] = [new Date(instant), context.viewer.timeZone ?? 'UTC']
  const [day, today] = [dayAt(at, zone), dayAt(new Date(now), zone)]
  const near = new Intl.RelativeTimeFormat(toTag(context.language), { numeric: 'auto' })
  if (day === today) return `${near.format(0, 'day')} ${write(at, context, { hour: '2-digit', minute: '2-digit' })}`
  if (day === daysAfter(today, -1)) return near.format(-1, 'day')
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return write(at, context, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) })
}

/** How many days lie between two instants, by the days of the viewer. */
export const countDays = (from: string, until: string, { viewer }: Pick<StaffContext, 'viewer'>): number => {
  const zone = viewer.timeZone ?? 'UTC'
  const [first, last] = [from, until].map(one => Date.parse(dayAt(new Date(one), zone)))
  return Math.round(((last ?? 0) - (first ?? 0)) / 86_400_000)
}
