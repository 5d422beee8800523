import { PricePage } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, isShown, mainButton, noticeFor, page, redirect, select } from '#src/web/page/index.ts'
import { recentStaff, type StaffContext, staff } from '../../audience.ts'
import { buildPath, formatPrice, type PriceShown, planRefusals, readParams, readPlan } from './shown.ts'

const text = texts.staff.plans.move

const ROUTE = '/staff/plans/:id/prices/:price/moves'

type Again = { readonly typed: Pairs; readonly effects?: readonly Fact[]; readonly refusal?: Refusal }

const renderForm = (context: StaffContext, others: readonly PriceShown[], again: Again | undefined): Html => {
  const { t, form: readForm } = context
  const chosen = formField(again?.typed ?? [], 'to')
  if (again?.effects === undefined) {
    const choices = others.map(price => ({ value: price.id, label: formatPrice(price, context) }))
    return readForm(html`${hidden({ step: 'check' })}${select('to', t(text.to), chosen, choices)}
<div class="buttons"><button type="submit">${t(text.check)}</button></div>`)
  }
  const sentences = again.effects.flatMap(({ effects = {} }) => Object.values(effects).map(phrase => t(phrase)))
  return html`<p>${t(text.effects)}</p>
<ul>${sentences.map(sentence => html`<li>${sentence}</li>\n`)}</ul>
${readForm(html`${hidden({ to: chosen, step: 'do' })}${mainButton(t(text.move))}`)}`
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, call, language, params } = context
  const query: Pairs = [['limit', '100']]
  const [plan, { data }] = await Promise.all([
    readPlan(context),
    call({ operation: 'listPlanPrices', params: readParams(context), query, returns: PricePage }),
  ])
  const prices = data.filter(one => one.payment_type === 'subscription')
  const price = prices.find(({ id }) => id === params.price)
  if (price === undefined) throw new Refusal(notFound, 'There is no such price.')
  const others = prices.filter(one => one.id !== price.id && one.status === 'active')
  return context.frame({
    title: t(text.title),
    parents: [{ path: buildPath(context), name: plan.name }],
    ...noticeFor(again?.refusal, language, { said: { ...planRefusals, ...text.refusals } }),
    body: html`<p>${t(text.about, { price: formatPrice({ ...price, trial_days: null }, context) })}</p>
${others.length === 0 ? html`<p class="note">${t(text.none)}</p>` : renderForm(context, others, again)}`,
  })
}

const submit = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const call = {
    operation: 'movePlanPriceHolders',
    params: { ...readParams(context), price_id: context.params.price ?? '' },
    body: { to_price_id: formField(typed, 'to') },
  }
  try {
    if (formField(typed, 'step') === 'do') {
      await context.call(call)
      return redirect(`${buildPath(context)}?done=move`)
    }
    const { effects } = await context.call({ ...call, dryRun: true })
    return await show(context, { typed, effects })
  } catch (error) {
    if (!isShown(error)) throw error
    return show(context, { typed, refusal: error })
  }
}

/** GET and POST /staff/plans/:id/prices/:price/moves: moving those who pay a price to another one. */
export const planPriceMove = [
  page(`GET ${ROUTE}`, recentStaff, context => show(context)),
  form(`POST ${ROUTE}`, staff, submit),
]
