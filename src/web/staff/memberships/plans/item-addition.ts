import { PlanItem } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, formOf, framed, isShown, mainButton, page, redirect } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffSection } from '../../section.ts'
import { getPlan, paramsOf, planPath } from './shown.ts'
import { planRefusals, plansText } from './text.ts'

const text = texts.staff.plans.itemAddition

const ROUTE = '/staff/plans/:id/items/:type/:item/addition'

const callFor = (context: StaffContext) => {
  const { type = '', item = '' } = context.request.params
  return {
    operation: 'addPlanItem',
    params: { ...paramsOf(context), item_type: type, item_id: item },
    returns: PlanItem,
  } as const
}

// The dry run says who gains what.
const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request, token } = context
  const plan = await getPlan(context)
  const { result, effects } = await context.call({ ...callFor(context), dryRun: true })
  const access = effects.find(({ type }) => type === 'plan.item_added')?.effects?.access
  return framed({
    school: request.school,
    language,
    title: t(text.title, { name: result?.item.name ?? '', plan: plan.name }),
    body: html`<p>${t(access ?? text.nobody)}</p>
${formOf(request.path, token, mainButton(t(text.button)))}
<p class="quiet"><a href="${planPath(plan.id)}">${t(plansText.backToOne)}</a></p>`,
  })
}

const refusedPage = async (context: StaffContext, refusal: Parameters<typeof refusedIn>[0]): Promise<Reply> => {
  const { t, language, request } = context
  const plan = await getPlan(context)
  return framed({
    school: request.school,
    language,
    title: plan.name,
    ...refusedIn(refusal, language, planRefusals),
    body: html`<p class="quiet"><a href="${planPath(plan.id)}">${t(plansText.backToOne)}</a></p>`,
  })
}

const orRefused = async (context: StaffContext, work: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await work()
  } catch (error) {
    if (!isShown(error)) throw error
    return refusedPage(context, error)
  }
}

const submit = async (context: StaffContext): Promise<Reply> => {
  await context.call(callFor(context))
  return redirect(`${planPath(paramsOf(context).plan_id)}?done=open`)
}

/** GET and POST /staff/plans/:id/items/:type/:item/addition: putting something into a plan. */
export const planItemAddition: StaffSection = {
  // The search on the page of a plan leads to it.
  entries: [],
  pages: [
    page(`GET ${ROUTE}`, staff, context => orRefused(context, () => show(context))),
    form(`POST ${ROUTE}`, staff, context => orRefused(context, () => submit(context))),
  ],
}
