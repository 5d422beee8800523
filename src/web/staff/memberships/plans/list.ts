import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  doneIn,
  doneOf,
  form,
  formOf,
  framed,
  hidden,
  page,
  redirect,
  refusalFor,
  select,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { field, inputs } from '../../pages/fields.ts'
import { staffLink } from '../../pages/link.ts'
import { everyOne } from '../../publishing/pages/every-one.ts'
import type { StaffSection } from '../../section.ts'
import { turning } from '../../teaching/lists.ts'
import { teachingText } from '../../teaching/text.ts'
import { type PlanShown, planPath, priceOf } from './shown.ts'
import { plansText } from './text.ts'

const text = texts.staff.plans.list

const PATH = '/staff/plans'

const factsOf = (plan: PlanShown, { t, language }: StaffContext): string => {
  const { status, primary_price: price, item_count: n, holder_count: holders = 0 } = plan
  return [
    t(plansText.statuses[status]),
    price === null ? t(plansText.noPrice) : priceOf(price, language),
    t(plansText.items, { n }),
    ...(holders > 0 ? [t(plansText.holders, { n: holders })] : []),
  ].join(' · ')
}

type Act = keyof typeof text.acts

const moving = ({ id, name }: PlanShown, { t, token }: StaffContext, acts: readonly Act[]): Html => {
  const buttons = acts.map(act => {
    const label = t(text.acts[act])
    return html`<button class="small" type="submit" name="act" value="${act}" aria-label="${label}: ${name}">${act === 'first' ? label : act === 'up' ? '↑' : '↓'}</button>`
  })
  return formOf(PATH, token, html`${hidden({ plan: id })}<span class="buttons">${buttons}</span>`)
}

const item = (plan: PlanShown, context: StaffContext, acts: readonly Act[]): Html =>
  html`<li class="act"><span><a href="${planPath(plan.id)}"><bdi>${plan.name}</bdi></a><br><span class="quiet">${factsOf(plan, context)}</span></span>${acts.length > 0 && moving(plan, context, acts)}</li>
`

// Of a search it is not seen between which others a plan moves.
const actsAt = (isFirst: boolean, isLast: boolean): Act[] => [
  ...(isFirst ? [] : (['up'] as const)),
  ...(isLast ? [] : (['down'] as const)),
  ...(isFirst ? [] : (['first'] as const)),
]

const search = ({ t }: StaffContext, q: string, status: string): Html => {
  const statuses = Object.entries(plansText.statuses).map(([value, name]) => ({ value, label: t(name) }))
  return html`<form method="get" action="${PATH}">
${field({ name: 'q', label: t(text.search), value: q, attributes: inputs.search })}
${select('status', t(text.status), status, [{ value: '', label: t(text.any) }, ...statuses])}
<div class="buttons row"><button type="submit">${t(teachingText.find)}</button></div>
</form>`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request, query } = context
  const part = (name: string): string => (query.get(name) ?? '').trim()
  const parameters = { q: part('q'), status: part('status'), cursor: part('cursor') }
  const { data: plans, next_cursor: next } = await context.call({
    operation: 'listMembershipPlans',
    query: Object.entries(parameters).filter(([, value]) => value !== ''),
    returns: MembershipPlanPage,
  })
  const isSearch = parameters.q !== '' || parameters.status !== ''
  const actsOf = (index: number): readonly Act[] =>
    isSearch ? [] : actsAt(parameters.cursor === '' && index === 0, next === undefined && index === plans.length - 1)
  return framed({
    school: request.school,
    language,
    title: t(plansText.title),
    notice: doneIn(text.done, doneOf(request), language),
    body: html`<p><a class="button main" href="${PATH}/new">${t(plansText.add)}</a></p>
${search(context, parameters.q, parameters.status)}
<h2>${t(isSearch ? text.found : text.all)}</h2>
${plans.length === 0 ? html`<p>${t(isSearch ? text.none : text.empty)}</p>` : html`<ul class="list">\n${plans.map((plan, index) => item(plan, context, actsOf(index)))}</ul>`}
${turning(context, PATH, { parameters, next })}
${plans.length > 0 && downloadLinks('listMembershipPlans', schoolOf(context), Object.entries(parameters))}
${staffLink(language)}`,
  })
}

const orderedAll = async (context: StaffContext): Promise<string[]> => {
  const plans = await everyOne(query =>
    context.call({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage }),
  )
  return plans.map(({ id }) => id)
}

// What moves by one place keeps all before it in front, as the operation names them.
const orderAfter = async (context: StaffContext, id: string, act: Act): Promise<string[]> => {
  if (act === 'first') return [id]
  const all = await orderedAll(context)
  const from = all.indexOf(id)
  if (from < 0) return [id]
  const to = Math.min(all.length - 1, Math.max(0, from + (act === 'up' ? -1 : 1)))
  return all
    .toSpliced(from, 1)
    .toSpliced(to, 0, id)
    .slice(0, Math.max(from, to) + 1)
}

// A plan that somebody deleted meanwhile is refused, and the list shows what there is.
const move = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const act = (['up', 'down', 'first'] as const).find(name => name === formField(form, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const body = { plan_ids: await orderAfter(context, formField(form, 'plan'), act) }
  const refusal = await refusalFor(context.call({ operation: 'reorderMembershipPlans', body }))
  return redirect(refusal === undefined ? `${PATH}?done=order` : PATH)
}

/** GET and POST /staff/plans. */
export const planList: StaffSection = {
  entries: [{ path: PATH, name: plansText.title, about: plansText.about }],
  pages: [page(`GET ${PATH}`, staff, show), form(`POST ${PATH}`, staff, move)],
}
