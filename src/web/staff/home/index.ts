import { MemberPage } from '#src/areas/people/index.ts'
import { Guide } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, form, isReply, page, readDone, redirect } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../audience.ts'
import { missingNote } from '../files/appearance/page.ts'
import { groupsFor, isFor } from '../navigation.ts'
import { admitted } from '../page-request.ts'
import { staffText } from '../pages/text.ts'
import { peopleList } from '../people/members/list.ts'
import { renderSearch } from '../search/index.ts'
import type { NavigationGroup, StaffEntry } from '../section.ts'
import { type Figures, readFigures, readWaits, readWarnings, type Waits } from './figures.ts'
import { renderGuide, stepsIn } from './guide.ts'

const { home: text } = staffText

const TEACHING = '/staff/teaching'

// What has no page in this console is shown without a link.
const hasPage = (entries: readonly StaffEntry[], path: string): boolean =>
  entries.some(entry => entry.path === path.split('?')[0])

type Entries = readonly StaffEntry[]

const renderFigures = (figures: Figures, { t, language }: StaffContext, entries: Entries) => html`<ul class="counts">
${figures.map(({ kind, count, path }) => {
  const inside = html`<strong>${formatNumber(count, language)}</strong> ${t(text.figures[kind])}`
  return html`<li>${hasPage(entries, path) ? html`<a href="${path}">${inside}</a>` : html`<span class="figure">${inside}</span>`}</li>\n`
})}</ul>`

const renderWaits = (waits: Waits, { t, language }: StaffContext, entries: Entries): Html => {
  const items = waits.map(({ kind, count, path, isLeast = false }) => {
    const name = t(text.waiting[kind])
    const number = `${formatNumber(count, language)}${isLeast ? '+' : ''}`
    return html`<li class="act">${hasPage(entries, path) ? html`<a href="${path}">${name}</a>` : html`<span>${name}</span>`}<strong>${number}</strong></li>
`
  })
  return html`<h2>${t(text.waits)}</h2>
${items.length === 0 ? html`<p class="quiet">${t(text.nothingWaits)}</p>` : html`<ul class="list">\n${items}</ul>`}`
}

// The first group has no name: its only page is the search, which this page has itself.
const renderGroup = ({ name, entries }: NavigationGroup, { t }: StaffContext, count: number): Html | undefined =>
  name &&
  html`<section>
<h3>${t(name)}</h3>
<ul class="list menu">
${entries.map(entry => html`<li><a href="${entry.path}">${t(entry.name, { count })}</a><span class="quiet">${t(entry.about)}</span></li>\n`)}</ul>
</section>
`

// The guide, what waits, figures, a search, and links to the other pages.
const showHome = async (context: StaffContext, all: Entries): Promise<Reply> => {
  const { t, call, language, school, session, request, parts } = context
  const { id, role } = session.member
  if (role === 'lecturer') return redirect(TEACHING)
  const entries = all.filter(entry => isFor(role, entry))
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
${renderSearch(context, '')}
${renderFigures(figures, context, entries)}
${renderWaits(waits, context, entries)}
${invited.length > 0 && invitations}
<h2>${t(text.pages)}</h2>
<div class="page-groups">
${groupsFor(role, all).map(group => renderGroup(group, context, waiting.length))}</div>`,
  })
}

/** GET /staff, with a line for each of these entries, and POST /staff/guide. */
export const homePages = (entries: Entries) => {
  // Lecturers have a first page of their own, where the console has one.
  const least = entries.some(({ path }) => path === TEACHING) ? 'lecturer' : 'admin'
  const audience: typeof staff = {
    ...staff,
    admit: async ({ request, session }) => {
      const seen = admitted(request, session, least)
      return isReply(seen) ? seen : { isStaff: true }
    },
  }
  return [
    page('GET /staff', audience, context => showHome(context, entries)),
    form('POST /staff/guide', staff, async ({ call }, typed) => {
      const steps = stepsIn(typed)
      if (steps.length === 0) throw new Refusal(formRefused, 'The form has no step.')
      await call({ operation: 'skipGuideSteps', body: { steps } })
      return redirect('/staff?done=skipped')
    }),
  ]
}
