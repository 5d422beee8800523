import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { createList, doneIn, form, hidden, page, readDone, redirect, refusalFor } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import { everyOne } from '../../publishing/pages/every-one.ts'
import { turning } from '../../teaching/lists.ts'
import { formatPrice, type PlanShown } from './shown.ts'

const { common, list: said } = texts.staff.plans

const PATH = '/staff/plans'

const list = createList({
  path: PATH,
  operation: 'listMembershipPlans',
  returns: MembershipPlanPage,
  filters: { q: 'search', status: common.statuses },
  texts: said,
})

type Act = keyof typeof said.acts

const renderPlan = (plan: PlanShown, acts: readonly Act[], context: StaffContext): Html => {
  const { t, form: readForm } = context
  const { id, name, status, primary_price: price, item_count: n, holder_count: holders = 0 } = plan
  const facts = [
    t(common.statuses[status]),
    price === null ? t(texts.words.noPrice) : formatPrice(price, context),
    t(common.items, { n }),
    ...(holders > 0 ? [t(common.holders, { n: holders })] : []),
  ]
  const buttons = acts.map(act => {
    const label = t(said.acts[act])
    return html`<button class="small" type="submit" name="act" value="${act}" aria-label="${label}: ${name}">${act === 'first' ? label : act === 'up' ? '↑' : '↓'}</button>`
  })
  const moving = readForm(html`${hidden({ plan: id })}<span class="buttons">${buttons}</span>`)
  return html`<li class="act"><span><a href="${PATH}/${id}"><bdi>${name}</bdi></a><br><span class="quiet">${facts.join(' · ')}</span></span>${acts.length > 0 && moving}</li>
`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request } = context
  const shown = await list.read(context)
  const { given, cursor } = shown
  const { data: plans, next_cursor: next } = shown.page
  const isSearch = given.length > 0
  // Of a search it is not seen between which others a plan moves.
  const actsAt = (index: number): readonly Act[] => {
    const isFirst = cursor === '' && index === 0
    const isLast = next === undefined && index === plans.length - 1
    return isSearch
      ? []
      : [
          ...(isFirst ? [] : ['up' as const]),
          ...(isLast ? [] : ['down' as const]),
          ...(isFirst ? [] : ['first' as const]),
        ]
  }
  return context.frame({
    title: t(common.title),
    notice: doneIn(said.done, readDone(request), language),
    body: html`<p><a class="button main" href="${PATH}/new">${t(common.add)}</a></p>
${list.filterForm(context, shown)}
<h2>${t(isSearch ? said.found : said.all)}</h2>
${plans.length === 0 ? html`<p>${t(isSearch ? said.none : said.empty)}</p>` : html`<ul class="list">\n${plans.map((plan, index) => renderPlan(plan, actsAt(index), context))}</ul>`}
${turning(context, PATH, { parameters: { ...Object.fromEntries(given), cursor }, next })}
${plans.length > 0 && downloadLinks('listMembershipPlans', context, given)}
${staffLink(language)}`,
  })
}

// What moves by one place keeps all before it in front, as the operation names them.
const orderAfter = async ({ call }: StaffContext, id: string, act: Act): Promise<string[]> => {
  if (act === 'first') return [id]
  const plans = await everyOne(query => call({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage }))
  const all = plans.map(plan => plan.id)
  const from = all.indexOf(id)
  if (from < 0) return [id]
  const to = Math.min(all.length - 1, Math.max(0, from + (act === 'up' ? -1 : 1)))
  return all
    .toSpliced(from, 1)
    .toSpliced(to, 0, id)
    .slice(0, Math.max(from, to) + 1)
}

// A plan that somebody deleted meanwhile is refused, and the list shows what there is.
const move = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const act = (['up', 'down', 'first'] as const).find(name => name === formField(typed, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const body = { plan_ids: await orderAfter(context, formField(typed, 'plan'), act) }
  const refusal = await refusalFor(context.call({ operation: 'reorderMembershipPlans', body }))
  return redirect(refusal === undefined ? `${PATH}?done=order` : PATH)
}

/** GET and POST /staff/plans. */
export const planList = [page(`GET ${PATH}`, staff, show), form(`POST ${PATH}`, staff, move)]
