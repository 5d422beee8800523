import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  createList,
  doneIn,
  form,
  hidden,
  page,
  readDone,
  redirect,
  refusalFor,
  renderName,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import { everyOne } from '../../publishing/pages/every-one.ts'
import { formatPrice, type PlanShown } from './shown.ts'

const { common, list: said } = texts.staff.plans
const { heads } = texts.staff.lists

const PATH = '/staff/plans'

const list = createList({
  path: PATH,
  operation: 'listMembershipPlans',
  returns: MembershipPlanPage,
  sort: 'position',
  filters: { q: 'search', status: common.statuses },
  texts: said,
})

type Act = keyof typeof said.acts

const renderMoving = (
  { id, name }: PlanShown,
  acts: readonly Act[],
  { t, form: readForm }: StaffContext,
): Html | false => {
  const buttons = acts.map(act => {
    const label = t(said.acts[act])
    return html`<button class="small" type="submit" name="act" value="${act}" aria-label="${label}: ${name}">${act === 'first' ? label : act === 'up' ? '↑' : '↓'}</button>`
  })
  return acts.length > 0 && readForm(html`${hidden({ plan: id })}<span class="buttons">${buttons}</span>`)
}

const buildColumns = (context: StaffContext, actsFor: (plan: PlanShown) => readonly Act[]): Column<PlanShown>[] => {
  const { t, language } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'name',
      cell: ({ id, name, item_count: n }) => renderName(`${PATH}/${id}`, name, t(common.items, { n })),
    },
    { name: texts.words.status, cell: ({ status }) => statusPill(t(common.statuses[status]), status) },
    {
      name: heads.holders,
      kind: 'num',
      isNamed: true,
      cell: ({ holder_count: n = 0 }) => formatNumber(n, language),
    },
    {
      name: texts.words.price,
      kind: 'num c-lead',
      cell: ({ primary_price: price }) => (price === null ? t(texts.words.noPrice) : formatPrice(price, context)),
    },
    { name: heads.place, sort: 'position', cell: plan => renderMoving(plan, actsFor(plan), context) },
  ]
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request } = context
  const shown = await list.read(context)
  const { given, cursor, by, page } = shown
  const plans = page.data
  // Of a search, or in another order, it is not seen between which others a plan moves.
  const isInOrder = given.length === 0 && by === 'position'
  const actsFor = (plan: PlanShown): readonly Act[] => {
    const isFirst = cursor === '' && plan === plans[0]
    const isLast = page.next_cursor === undefined && plan === plans.at(-1)
    if (!isInOrder) return []
    return [
      ...(isFirst ? [] : ['up' as const]),
      ...(isLast ? [] : ['down' as const]),
      ...(isFirst ? [] : ['first' as const]),
    ]
  }
  return context.frame({
    title: t(common.title),
    notice: doneIn(said.done, readDone(request), language),
    ...showList(context, list, shown, {
      columns: buildColumns(context, actsFor),
      rows: plans,
      action: html`<a class="button main" href="${PATH}/new">${t(common.add)}</a>`,
    }),
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
