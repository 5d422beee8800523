import { Lesson, Outline } from '#src/areas/courses/index.ts'
import { RegistrationPage } from '#src/areas/events/index.ts'
import { clockNow } from '#src/areas/learning/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formatWeekdayTime } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { passwordOffer } from '../links.ts'
import type { OrderContext } from './own.ts'

const { order: text } = texts.account

// Each lesson is read by itself.
const MOST_LESSONS = 5
const MOST_DATES = 6
const DAY_MS = 86_400_000

type NextDate = { readonly at: string; readonly zone: string; readonly name: string; readonly path: string }

const listTicketDates = async ({ call, order }: OrderContext): Promise<NextDate[]> => {
  if (!order.lines.some(({ item }) => item.type !== 'course' && item.type !== 'digital_product')) return []
  const query = [['limit', '100']] as const
  const { data } = await call({ operation: 'listAccountRegistrations', query, returns: RegistrationPage })
  return data
    .filter(({ order_id: id, status }) => id === order.id && status === 'confirmed')
    .map(({ id, event_name: name, starts_at: starts }) => ({
      at: starts.utc,
      zone: starts.time_zone,
      name,
      path: `/account/registrations/${id}`,
    }))
}

// A lesson that is not open yet says no date.
const readLesson = async ({ call }: OrderContext, id: string) => {
  try {
    return await call({ operation: 'getLesson', params: { lesson_id: id }, returns: Lesson })
  } catch (error) {
    if (error instanceof Refusal && error.problem.status < 500) return undefined
    throw error
  }
}

const listLiveDates = async (context: OrderContext, courseId: string, slug: string): Promise<NextDate[]> => {
  const params = { course_id: courseId }
  const { sections } = await context.call({ operation: 'getOutline', params, returns: Outline })
  const live = sections.flatMap(({ lessons }) => lessons.filter(({ type }) => type === 'live')).slice(0, MOST_LESSONS)
  const lessons = await Promise.all(live.map(({ id }) => readLesson(context, id)))
  return lessons.flatMap(lesson => {
    if (lesson?.starts_at == null) return []
    const { id, name, starts_at: at, time_zone: zone } = lesson
    return [{ at, zone: zone ?? context.timeZone, name, path: `/learn/${slug}/${id}` }]
  })
}

/** The next dates of what a paid order gave, the first ones first, and whether it was paid within a day. */
export const readNext = async (context: OrderContext, courses: ReadonlyMap<string, string>) => {
  const { request, school, order } = context
  if (order.paid_at === null) return { dates: [], isNew: false }
  const now = (await request.database.statements(school.id, clockNow)).getTime()
  const [tickets, ...live] = await Promise.all([
    listTicketDates(context),
    ...[...courses].map(([id, slug]) => listLiveDates(context, id, slug)),
  ])
  const dates = [...tickets, ...live.flat()]
    .filter(({ at }) => Date.parse(at) > now)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .slice(0, MOST_DATES)
  return { dates, isNew: now - Date.parse(order.paid_at) < DAY_MS }
}

/** What follows a purchase: the next dates, what comes by mail, and how to sign in the next time. */
export const nextPart = (
  { dates, isNew }: Awaited<ReturnType<typeof readNext>>,
  { hasPassword }: { readonly hasPassword: boolean },
  { t, language, viewer, order }: OrderContext,
): Html => {
  const isSmall = !hasPassword && viewer.role === 'member'
  const link = html` <a href="/account/reset">${t(texts.words.setPassword)}</a>`
  return html`${
    dates.length > 0 &&
    html`<h2>${t(text.nextDates)}</h2>
<ul class="list">
${dates.map(({ at, zone, name, path }) => html`<li><a href="${path}"><bdi>${name}</bdi></a><br><time class="quiet" datetime="${at}">${formatWeekdayTime(at, zone, language)}</time></li>\n`)}</ul>`
  }
${isNew && html`<p>${t(order.total > 0 ? text.byMail : text.byMailFree, { email: viewer.email })}</p>`}
${isSmall && html`<p class="quiet">${t(text.codeNextTime)}${link}</p>`}
${!hasPassword && viewer.role !== 'member' && passwordOffer(viewer, language)}`
}
