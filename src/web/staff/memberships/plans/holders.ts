import { PlanHolderPage } from '#src/areas/memberships/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { listRow, page, showEnd } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { studentsText } from '../../learning/students/index.ts'
import { turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { planLink, readParams, readPlan } from './shown.ts'

const text = texts.staff.plans.holders

const reasons: Readonly<Record<string, Phrase>> = studentsText.sources

/** GET /staff/plans/:id/holders, and the same as CSV. */
export const planHolders = [
  page('GET /staff/plans/:id/holders', staff, async context => {
    const { t, day, language, viewer, request, query } = context
    const cursor = query.get('cursor') ?? ''
    const [plan, holders] = await Promise.all([
      readPlan(context),
      context.call({
        operation: 'listPlanHolders',
        params: readParams(context),
        query: cursor === '' ? [] : [['cursor', cursor]],
        returns: PlanHolderPage,
      }),
    ])
    const rows = holders.data.map(({ member, since, until, source }) =>
      listRow(`/staff/people/${member.id}`, personName(member, context), [
        ...(reasons[source] === undefined ? [] : [t(reasons[source])]),
        t(text.since, { day: day(since) }),
        ...(until === null ? [] : [t(texts.words.until, { day: showEnd(until, language, viewer) })]),
      ]),
    )
    return context.frame({
      title: t(text.title, { name: plan.name }),
      body: html`${rows.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${turning(context, request.path, { parameters: { cursor }, next: holders.next_cursor })}
${rows.length > 0 && csvLinks(`${request.path}/csv`, context)}
${planLink(context)}`,
    })
  }),
  page('GET /staff/plans/:id/holders/csv', staff, context =>
    exportList(context, { operation: 'listPlanHolders', params: readParams(context) }),
  ),
]
