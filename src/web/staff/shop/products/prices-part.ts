import type { Static } from 'typebox'
import type { PricePage } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, actForms, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { card } from '../../console/frame.ts'
import { productActs } from './product-acts.ts'
import { formatPrice, type ProductShown } from './shown.ts'

const { acts, product: text } = texts.staff.products

type Price = Encoded<Static<typeof PricePage>>['data'][number]

const formatName = (price: Price, context: StaffContext): string => {
  const { number_of_payments: n, access } = price
  const days = access?.days ?? null
  return [
    formatPrice(price, context),
    ...(n === null ? [] : [context.t(text.payments, { n })]),
    ...(days === null ? [] : [context.t(texts.words.daysOfAccess, { n: days })]),
  ].join(' · ')
}

const renderPrice = (price: Price, { revision }: ProductShown, context: StaffContext): Html => {
  const { t, form } = context
  const name = formatName(price, context)
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
${button('retire', { price: price.id })}</details></li>
`
}

/** The prices at which a product is sold. */
export const renderPrices = (
  product: ProductShown,
  prices: readonly Price[],
  context: StaffContext & { readonly currency: string },
  refused: Again | undefined,
): Html => {
  const { t } = context
  const price = { ...productActs.price, offered: () => true }
  const rows = prices.map(one => renderPrice(one, product, context))
  return html`${card(
    t(texts.words.prices),
    rows.length === 0 ? html`<p>${t(text.noPrices)}</p>` : html`<ul class="list">\n${rows}</ul>`,
  )}${actForms(context, { acts: { price }, item: product, texts: acts, refused })}`
}
