import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, formOf, framed, hidden, page, redirect, refusalFor } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { getPlan, paramsOf, planPath } from './shown.ts'
import { plansText } from './text.ts'

const text = texts.staff.plans.item

const ROUTE = '/staff/plans/:id/items/:type/:item'

const callFor = (context: StaffContext, keeps: boolean) => {
  const { type = '', item = '' } = context.request.params
  return {
    operation: 'removePlanItem',
    params: { ...paramsOf(context), item_type: type, item_id: item },
    query: [['keep_for_holders', String(keeps)]],
  } as const satisfies PageCall<undefined>
}

// The dry run says who would lose what.
const effectOf = async (context: StaffContext, keeps: boolean): Promise<string> => {
  const { effects } = await context.call({ ...callFor(context, keeps), dryRun: true })
  const access = effects.find(({ type }) => type === 'plan.item_removed')?.effects?.access
  return context.t(access ?? text.nobody)
}

const choice = (context: StaffContext, act: 'close' | 'keep', effect: string): Html => {
  const { t, request, token } = context
  const [title, button] =
    act === 'close' ? ([text.forAll, text.forAllButton] as const) : ([text.kept, text.keptButton] as const)
  return html`<section class="card"><h2>${t(title)}</h2>
<p>${effect}</p>
${formOf(request.path, token, html`${hidden({ act })}<div class="buttons"><button type="submit">${t(button)}</button></div>`)}
</section>`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request } = context
  const plan = await getPlan(context)
  const item = plan.items.find(({ id }) => id === request.params.item)
  const [closed, kept] = await Promise.all([effectOf(context, false), effectOf(context, true)])
  return framed({
    school: request.school,
    language,
    title: t(text.title, { name: item?.name ?? request.params.item ?? '' }),
    body: html`${choice(context, 'close', closed)}
${choice(context, 'keep', kept)}
<p class="quiet"><a href="${planPath(plan.id)}">${t(plansText.backToOne)}</a></p>`,
  })
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act !== 'close' && act !== 'keep') throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(context.call(callFor(context, act === 'keep')))
  if (refusal !== undefined) throw refusal
  return redirect(`${planPath(paramsOf(context).plan_id)}?done=${act}`)
}

/** GET and POST /staff/plans/:id/items/:type/:item: taking something out of a plan. */
export const planItem: StaffSection = {
  // The page of a plan leads to it.
  entries: [],
  pages: [page(`GET ${ROUTE}`, staff, show), form(`POST ${ROUTE}`, staff, submit)],
}
