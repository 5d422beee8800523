import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { folded, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { card } from '../../console/frame.ts'
import { buildPath, formatPrice, type PlanShown, type PriceShown } from './shown.ts'

const { acts, plan: text } = texts.staff.plans

const renderMove = (price: PriceShown, context: StaffContext): Html | false => {
  const label = context.t(text.move)
  return (
    price.payment_type === 'subscription' &&
    html`<p class="quiet"><a href="${buildPath(context)}/prices/${price.id}/moves" aria-label="${label}: ${formatPrice(price, context)}">${label}</a></p>`
  )
}

const renderPrice = (price: PriceShown, { revision }: PlanShown, context: StaffContext): Html => {
  const { t, form } = context
  const name = formatPrice(price, context)
  const button = (act: 'primary' | 'retire', about: Readonly<Record<string, string | number>>): Html => {
    const label = t(acts[act].button)
    return form(
      html`${hidden({ act, ...about })}<button class="small" type="submit" aria-label="${label}: ${name}">${label}</button>`,
    )
  }
  const primary = price.is_primary && html`<br><span class="quiet">${t(texts.words.shownFirst)}</span>`
  const retire = t(acts.retire.button)
  // What cannot be undone takes two steps.
  return html`<li><div class="act"><span>${name}${primary}</span>${!price.is_primary && button('primary', { price_id: price.id, revision })}</div>
<details><summary aria-label="${retire}: ${name}">${retire}</summary>
<p class="quiet">${t(acts.retire.about)}</p>
${button('retire', { price: price.id })}</details>${renderMove(price, context)}</li>
`
}

/** The prices at which a plan is sold, those whose sale has ended, and between them the form of another one. */
export const renderPrices = (
  plan: PlanShown,
  prices: readonly PriceShown[],
  adding: Html,
  context: StaffContext,
): Html => {
  const { t } = context
  const active = prices.filter(({ status }) => status === 'active')
  const ended = prices
    .filter(({ status }) => status !== 'active')
    .map(price => html`<li>${formatPrice(price, context)}${renderMove(price, context)}</li>\n`)
  const rows = active.map(price => renderPrice(price, plan, context))
  return html`${card(
    t(texts.words.prices),
    rows.length === 0 ? html`<p>${t(text.noPrices)}</p>` : html`<ul class="list">\n${rows}</ul>`,
  )}${adding}
${ended.length > 0 && folded(t(text.ended), html`<ul class="list">\n${ended}</ul>`)}`
}
