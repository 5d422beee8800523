import { MemberPage } from '#src/areas/people/index.ts'
import { Guide } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, form, page, readDone, redirect } from '#src/web/page/index.ts'
import { lecturers, type StaffContext, staff } from '../audience.ts'
import { listEntries } from '../console/entries.ts'
import { missingNote } from '../files/appearance/page.ts'
import { staffText } from '../pages/text.ts'
import { peopleList } from '../people/members/list.ts'
import { type Figures, readFigures, readWaits, readWarnings, type Waits } from './figures.ts'
import { renderGuide, stepsIn } from './guide.ts'

const { home: text } = staffText

const TEACHING = '/staff/teaching'

const renderFigures = (figures: Figures, { t, language }: StaffContext) => html`<ul class="counts">
${figures.map(({ kind, count, path }) => {
  const inside = html`<strong>${formatNumber(count, language)}</strong> ${t(text.figures[kind])}`
  return html`<li><a href="${path}">${inside}</a></li>\n`
})}</ul>`

const renderWaits = (waits: Waits, { t, language }: StaffContext): Html => {
  const items = waits.map(({ kind, count, path, isLeast = false }) => {
    const name = t(text.waiting[kind])
    const number = `${formatNumber(count, language)}${isLeast ? '+' : ''}`
    return html`<li class="act"><a href="${path}">${name}</a><strong>${number}</strong></li>
`
  })
  return html`<h2>${t(text.waits)}</h2>
${items.length === 0 ? html`<p class="quiet">${t(text.nothingWaits)}</p>` : html`<ul class="list">\n${items}</ul>`}`
}

// The guide, what waits, figures, and who is invited.
const showHome = async (context: StaffContext): Promise<Reply> => {
  const { t, call, language, school, session, request, parts } = context
  const { id, role } = session.member
  if (role === 'lecturer') return redirect(TEACHING)
  const entries = listEntries(role)
  const waiting = await parts.confirmations.listPending(school, id)
  // One after the other: all of them at once need more connections than there are, and on a busy machine the last ones get none.
  const figures = await readFigures(context)
  const waits = await readWaits(context, waiting.length)
  const [warnings, { data: invited }, { steps }] = await Promise.all([
    readWarnings(context),
    call({
      operation: 'listMembers',
      query: [
        ['status', 'invited'],
        ['limit', '5'],
      ],
      returns: MemberPage,
    }),
    call({ operation: 'getGuide', returns: Guide }),
  ])
  const invitations = html`<h2>${t(text.invited)}</h2>
${peopleList(invited, language)}
<p><a href="/staff/invitations">${t(text.allInvited)}</a></p>`
  return context.frame({
    title: t(text.title, { school: school.name }),
    notice: doneIn({ skipped: text.guide.finished }, readDone(request), language),
    body: html`${missingNote(warnings, language)}${renderGuide(context, steps, entries)}
${renderFigures(figures, context)}
${renderWaits(waits, context)}
${invited.length > 0 && invitations}`,
  })
}

/** GET /staff and POST /staff/guide. */
export const homePages = [
  page('GET /staff', lecturers, showHome),
  form('POST /staff/guide', staff, async ({ call }, typed) => {
    const steps = stepsIn(typed)
    if (steps.length === 0) throw new Refusal(formRefused, 'The form has no step.')
    await call({ operation: 'skipGuideSteps', body: { steps } })
    return redirect('/staff?done=skipped')
  }),
]
