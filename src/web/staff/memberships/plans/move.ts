import { PricePage } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, formOf, framed, hidden, isShown, mainButton, page, redirect, select } from '#src/web/page/index.ts'
import { recentStaff, type StaffContext, staff } from '../../audience.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffSection } from '../../section.ts'
import { getPlan, type PriceShown, paramsOf, planPath, priceOf } from './shown.ts'
import { planRefusals, plansText } from './text.ts'

const text = texts.staff.plans.move

const ROUTE = '/staff/plans/:id/prices/:price/moves'

type Again = { readonly form: Pairs; readonly effects?: readonly Fact[]; readonly refusal?: Refusal }

const priceIn = ({ request }: StaffContext, prices: readonly PriceShown[]): PriceShown => {
  const price = prices.find(({ id }) => id === request.params.price)
  if (price?.payment_type !== 'subscription') throw new Refusal(notFound, 'There is no such price.')
  return price
}

const callFor = (context: StaffContext, form: Pairs) => ({
  operation: 'movePlanPriceHolders',
  params: { ...paramsOf(context), price_id: context.request.params.price ?? '' },
  body: { to_price_id: formField(form, 'to') },
})

const sentencesOf = (effects: readonly Fact[], { t }: StaffContext): string[] =>
  effects.flatMap(({ effects: described = {} }) => Object.values(described).map(phrase => t(phrase)))

const moveForm = (context: StaffContext, others: readonly PriceShown[], again: Again | undefined): Html => {
  const { t, language, request, token } = context
  const choices = others.map(price => ({ value: price.id, label: priceOf(price, language) }))
  const chosen = formField(again?.form ?? [], 'to')
  if (again?.effects !== undefined) {
    const inside = html`${hidden({ to: chosen, step: 'do' })}${mainButton(t(text.move))}`
    return html`<p>${t(text.effects)}</p>
<ul>${sentencesOf(again.effects, context).map(sentence => html`<li>${sentence}</li>\n`)}</ul>
${formOf(request.path, token, inside)}`
  }
  const inside = html`${hidden({ step: 'check' })}${select('to', t(text.to), chosen, choices)}
<div class="buttons"><button type="submit">${t(text.check)}</button></div>`
  return formOf(request.path, token, inside)
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language, request } = context
  const query: Pairs = [['limit', '100']]
  const [plan, { data: prices }] = await Promise.all([
    getPlan(context),
    context.call({ operation: 'listPlanPrices', params: paramsOf(context), query, returns: PricePage }),
  ])
  const price = priceIn(context, prices)
  const others = prices.filter(
    one => one.id !== price.id && one.status === 'active' && one.payment_type === 'subscription',
  )
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    ...refusedIn(again?.refusal, language, { ...planRefusals, ...text.refusals }),
    body: html`<p>${t(text.about, { price: priceOf({ ...price, trial_days: null }, language) })}</p>
${others.length === 0 ? html`<p class="note">${t(text.none)}</p>` : moveForm(context, others, again)}
<p class="quiet"><a href="${planPath(plan.id)}">${t(plansText.backToOne)}</a></p>`,
  })
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  try {
    if (formField(form, 'step') === 'do') {
      await context.call(callFor(context, form))
      return redirect(`${planPath(paramsOf(context).plan_id)}?done=move`)
    }
    const { effects } = await context.call({ ...callFor(context, form), dryRun: true })
    return await show(context, { form, effects })
  } catch (error) {
    if (!isShown(error)) throw error
    return show(context, { form, refusal: error })
  }
}

/** GET and POST /staff/plans/:id/prices/:price/moves: moving those who pay a price to another one. */
export const planPriceMove: StaffSection = {
  // The page of a plan leads to it.
  entries: [],
  pages: [
    page(`GET ${ROUTE}`, staff, context => show(context)),
    // What moves money needs a recent sign-in.
    form(`POST ${ROUTE}`, recentStaff, submit),
  ],
}
