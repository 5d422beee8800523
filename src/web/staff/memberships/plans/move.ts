import { PricePage } from '#src/areas/school/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Fact } from '#src/contract/fact.ts'
import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { formOf, framed, mainButton, redirect, select } from '#src/web/page/index.ts'
import { staffFormOf } from '../../page-request.ts'
import { hidden } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { answer, isShown, perform, staffPage, type Visit, visitOf } from '../../visit.ts'
import { getPlan, type PriceShown, paramsOf, planPath, priceOf } from './shown.ts'
import { planRefusals, plansText } from './text.ts'

const text = texts.staff.plans.move

const ROUTE = '/staff/plans/:id/prices/:price/moves'

type Again = { readonly form: Pairs; readonly effects?: readonly Fact[]; readonly refusal?: Refusal }

const priceIn = ({ request }: Visit, prices: readonly PriceShown[]): PriceShown => {
  const price = prices.find(({ id }) => id === request.params.price)
  if (price?.payment_type !== 'subscription') throw new Refusal(notFound, 'There is no such price.')
  return price
}

const callFor = (visit: Visit, form: Pairs) => ({
  operation: 'movePlanPriceHolders',
  params: { ...paramsOf(visit), price_id: visit.request.params.price ?? '' },
  body: { to_price_id: formField(form, 'to') },
})

const sentencesOf = (effects: readonly Fact[], { language }: Visit): string[] =>
  effects.flatMap(({ effects: described = {} }) => Object.values(described).map(phrase => fill(phrase, language)))

const moveForm = (visit: Visit, others: readonly PriceShown[], again: Again | undefined): Html => {
  const { language, request, token } = visit
  const choices = others.map(price => ({ value: price.id, label: priceOf(price, language) }))
  const chosen = formField(again?.form ?? [], 'to')
  if (again?.effects !== undefined) {
    const inside = html`${hidden({ to: chosen, step: 'do' })}${mainButton(fill(text.move, language))}`
    return html`<p>${fill(text.effects, language)}</p>
<ul>${sentencesOf(again.effects, visit).map(sentence => html`<li>${sentence}</li>\n`)}</ul>
${formOf(request.path, token, inside)}`
  }
  const inside = html`${hidden({ step: 'check' })}${select('to', fill(text.to, language), chosen, choices)}
<div class="buttons"><button type="submit">${fill(text.check, language)}</button></div>`
  return formOf(request.path, token, inside)
}

const show = async (visit: Visit, again?: Again): Promise<Reply> => {
  const { language, request } = visit
  const query: Pairs = [['limit', '100']]
  const [plan, { data: prices }] = await Promise.all([
    getPlan(visit),
    perform(visit, { operation: 'listPlanPrices', params: paramsOf(visit), query, returns: PricePage }),
  ])
  const price = priceIn(visit, prices)
  const others = prices.filter(
    one => one.id !== price.id && one.status === 'active' && one.payment_type === 'subscription',
  )
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    ...refusedIn(again?.refusal, language, { ...planRefusals, ...text.refusals }),
    body: html`<p>${fill(text.about, language, { price: priceOf({ ...price, trial_days: null }, language) })}</p>
${others.length === 0 ? html`<p class="note">${fill(text.none, language)}</p>` : moveForm(visit, others, again)}
<p class="quiet"><a href="${planPath(plan.id)}">${fill(plansText.backToOne, language)}</a></p>`,
  })
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  try {
    if (formField(form, 'step') === 'do') {
      await perform(visit, callFor(visit, form))
      return redirect(`${planPath(paramsOf(visit).plan_id)}?done=move`)
    }
    const { effects } = await visit.parts.performAs(visit.person, { ...callFor(visit, form), dryRun: true })
    return await show(visit, { form, effects })
  } catch (error) {
    if (!isShown(error)) throw error
    return show(visit, { form, refusal: error })
  }
}

// What moves money needs a recent sign-in.
const post = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const visit = visitOf(request, parts, posted.session)
  return answer(visit, () => submit(visit, posted.form))
}

/** GET and POST /staff/plans/:id/prices/:price/moves: moving those who pay a price to another one. */
export const planPriceMove: StaffSection = {
  // The page of a plan leads to it.
  entries: [],
  endpoints: parts => [
    staffPage(`GET ${ROUTE}`, parts, visit => show(visit)),
    endpoint({ route: `POST ${ROUTE}`, handle: request => post(request, parts) }),
  ],
}
