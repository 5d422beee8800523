import { Today } from '#src/areas/console/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formatWeekdayDay } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { localAt } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, form, page, readDone, redirect } from '#src/web/page/index.ts'
import { lecturers, type StaffContext, staff } from '../audience.ts'
import { renderFigures } from './figures.ts'
import { readSteps, renderAllSteps, renderGuide, stepsIn } from './guide.ts'
import { renderOrders, renderStudents } from './newest.ts'
import { renderPeriods, renderSales } from './sales.ts'
import { renderWaiting } from './waiting.ts'

const text = texts.staff.home

const greet = (now: string, { viewer }: StaffContext): Phrase => {
  const hour = Number(localAt(new Date(now), viewer.timeZone ?? 'UTC').slice(11, 13))
  if (hour >= 5 && hour < 12) return text.greetings.morning
  return hour >= 12 && hour < 18 ? text.greetings.afternoon : text.greetings.evening
}

// What waits, sales with the next step of the guide, figures, and what is new; those who teach see what is of their courses.
const showHome = async (context: StaffContext): Promise<Reply> => {
  const { t, call, language, school, session, request, parts, isStaff, viewer } = context
  const confirmations = isStaff ? await parts.confirmations.listPending(school, session.member.id) : []
  const [known, steps] = await Promise.all([
    call({ operation: 'getToday', returns: Today }),
    isStaff ? readSteps(context) : [],
  ])
  const { as_of: now } = known
  const guide = isStaff && renderGuide(context, steps)
  const sales = renderSales(known, context)
  // While nothing was sold and nothing waits, the guide is what one comes for.
  const isNew = known.orders.length === 0 && known.waiting.length === 0
  return context.frame({
    title: t(greet(now, context), { name: session.member.name.split(' ')[0] ?? '' }),
    lead: formatWeekdayDay(now, viewer.timeZone ?? 'UTC', language),
    actions: isStaff ? renderPeriods(context) : undefined,
    isWide: true,
    hasCards: true,
    notice: doneIn({ skipped: text.guide.putOff }, readDone(request), language),
    body: html`<div class="stack">
${isNew && guide}${renderWaiting(known, confirmations.length, context)}${guide === false || isNew ? sales : html`<div class="split">\n${sales}${guide}</div>\n`}${renderFigures(known, context)}<div class="split half">
${isStaff && renderOrders(known, context)}${renderStudents(known, context)}</div>
</div>`,
  })
}

/** GET /staff, and GET and POST /staff/guide. */
export const homePages = [
  page('GET /staff', lecturers, showHome),
  page('GET /staff/guide', staff, async context =>
    context.frame({
      title: context.t(text.guide.title),
      lead: context.t(text.guide.about),
      hasCards: true,
      body: renderAllSteps(context, await readSteps(context)),
    }),
  ),
  form('POST /staff/guide', staff, async ({ call }, typed) => {
    const steps = stepsIn(typed)
    if (steps.length === 0) throw new Refusal(formRefused, 'The form has no step.')
    await call({ operation: 'skipGuideSteps', body: { steps } })
    return redirect('/staff?done=skipped')
  }),
]
