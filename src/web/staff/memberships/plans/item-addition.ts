import { PlanItem } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { formOf, framed, mainButton, redirect } from '#src/web/page/index.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffSection } from '../../section.ts'
import { isShown, perform, staffForm, staffPage, type Visit } from '../../visit.ts'
import { getPlan, paramsOf, planPath } from './shown.ts'
import { planRefusals, plansText } from './text.ts'

const text = texts.staff.plans.itemAddition

const ROUTE = '/staff/plans/:id/items/:type/:item/addition'

const callFor = (visit: Visit) => {
  const { type = '', item = '' } = visit.request.params
  return {
    operation: 'addPlanItem',
    params: { ...paramsOf(visit), item_type: type, item_id: item },
    returns: PlanItem,
  } as const
}

// The dry run says who gains what.
const show = async (visit: Visit): Promise<Reply> => {
  const { language, request, token } = visit
  const plan = await getPlan(visit)
  const { result, effects } = await visit.parts.performAs(visit.person, { ...callFor(visit), dryRun: true })
  const access = effects.find(({ type }) => type === 'plan.item_added')?.effects?.access
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language, { name: result?.item.name ?? '', plan: plan.name }),
    body: html`<p>${fill(access ?? text.nobody, language)}</p>
${formOf(request.path, token, mainButton(fill(text.button, language)))}
<p class="quiet"><a href="${planPath(plan.id)}">${fill(plansText.backToOne, language)}</a></p>`,
  })
}

const refusedPage = async (visit: Visit, refusal: Parameters<typeof refusedIn>[0]): Promise<Reply> => {
  const { language, request } = visit
  const plan = await getPlan(visit)
  return framed({
    school: request.school,
    language,
    title: plan.name,
    ...refusedIn(refusal, language, planRefusals),
    body: html`<p class="quiet"><a href="${planPath(plan.id)}">${fill(plansText.backToOne, language)}</a></p>`,
  })
}

const orRefused = async (visit: Visit, work: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await work()
  } catch (error) {
    if (!isShown(error)) throw error
    return refusedPage(visit, error)
  }
}

const submit = async (visit: Visit): Promise<Reply> => {
  await perform(visit, callFor(visit))
  return redirect(`${planPath(paramsOf(visit).plan_id)}?done=open`)
}

/** GET and POST /staff/plans/:id/items/:type/:item/addition: putting something into a plan. */
export const planItemAddition: StaffSection = {
  // The search on the page of a plan leads to it.
  entries: [],
  endpoints: parts => [
    staffPage(`GET ${ROUTE}`, parts, visit => orRefused(visit, () => show(visit))),
    staffForm(`POST ${ROUTE}`, parts, visit => orRefused(visit, () => submit(visit))),
  ],
}
