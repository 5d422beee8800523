import type { Static } from 'typebox'
import { PlanHolderPage } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { dayOf, endOf, framed, page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { csvLinks, exportList, schoolOf } from '../../csv.ts'
import { studentsText } from '../../learning/students/index.ts'
import type { StaffSection } from '../../section.ts'
import { turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { getPlan, paramsOf, planPath } from './shown.ts'
import { plansText } from './text.ts'

const text = texts.staff.plans.holders

const reasons: Readonly<Record<string, Phrase>> = studentsText.sources

type Holder = Encoded<Static<typeof PlanHolderPage>>['data'][number]

const item = ({ member, since, until, source }: Holder, context: StaffContext): Html => {
  const { t, language, viewer } = context
  const day = (instant: string): string => dayOf(new Date(instant), language, viewer)
  const reason = reasons[source]
  const facts = [
    ...(reason === undefined ? [] : [t(reason)]),
    t(text.since, { day: day(since) }),
    ...(until === null ? [] : [t(text.until, { day: endOf(until, language, viewer) })]),
  ]
  return html`<li><a href="/staff/people/${member.id}"><bdi>${personName(member, context)}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request, query } = context
  const cursor = query.get('cursor') ?? ''
  const params = paramsOf(context)
  const [plan, holders] = await Promise.all([
    getPlan(context),
    context.call({
      operation: 'listPlanHolders',
      params,
      query: cursor === '' ? [] : [['cursor', cursor]],
      returns: PlanHolderPage,
    }),
  ])
  const path = `${planPath(plan.id)}/holders`
  return framed({
    school: request.school,
    language,
    title: t(text.title, { name: plan.name }),
    body: html`${holders.data.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list menu">\n${holders.data.map(one => item(one, context))}</ul>`}
${turning(context, path, { parameters: { cursor }, next: holders.next_cursor })}
${holders.data.length > 0 && csvLinks(`${path}/csv`, schoolOf(context))}
<p class="quiet"><a href="${planPath(plan.id)}">${t(plansText.backToOne)}</a></p>`,
  })
}

const exportCsv = (context: StaffContext): Promise<Reply> =>
  exportList(context, { operation: 'listPlanHolders', params: paramsOf(context) })

/** GET /staff/plans/:id/holders, and the same as CSV. */
export const planHolders: StaffSection = {
  // The page of a plan leads to it.
  entries: [],
  pages: [
    page('GET /staff/plans/:id/holders', staff, show),
    page('GET /staff/plans/:id/holders/csv', staff, exportCsv),
  ],
}
