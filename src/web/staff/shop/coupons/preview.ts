import type { Static } from 'typebox'
import { CouponQuote, type quoteReasons } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { orderTable } from '#src/web/account/index.ts'
import { field, hidden, inputs, mainButton, noticeFor, type PageContext, page } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { findItems } from '../../items.ts'
import { pricesList } from '../../pages/prices-list.ts'
import { staffText } from '../../pages/text.ts'

const { common, couponRefusals, previewPage } = texts.staff.coupons
const { text } = previewPage
const reasons: Readonly<Record<(typeof quoteReasons)[number], Phrase>> = previewPage.reasons

const PATH = '/staff/coupons/preview'

type Quote = Encoded<Static<typeof CouponQuote>>
type Tried = { readonly quote?: Quote; readonly refusal?: Refusal }

const tryCode = async ({ call }: PageContext, code: string, prices: readonly string[]): Promise<Tried> => {
  if (code === '' || prices.length === 0) return {}
  const query = [
    ['code', code],
    ['price_id[in]', prices.join(',')],
  ] as const
  try {
    return { quote: await call({ operation: 'getCouponQuote', query, returns: CouponQuote }) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    return { refusal: error }
  }
}

const table = (quote: Quote, code: string, { t, money, language }: PageContext): Html => {
  const { currency, subtotal, discount_total: discount, total } = quote
  const formatAmount = (amount: number) => money(amount, currency)
  const lines = quote.lines.map(({ name, amount, discount_amount: off }) => ({
    name,
    details: off === 0 ? [] : [t(text.off, { amount: formatAmount(off) })],
    amount: formatAmount(amount),
  }))
  const sums = [
    { label: t(text.subtotal), amount: formatAmount(subtotal) },
    { label: t(text.discount, { code }), amount: formatAmount(-discount) },
  ]
  return orderTable({ language, lines, sums, total: { label: t(texts.words.total), amount: formatAmount(total) } })
}

const quotePart = (quote: Quote, code: string, context: PageContext): Html => {
  const { t } = context
  const { reason, trial_days: n, unavailable, lines } = quote
  return html`${reason !== null && html`<p class="note">${t(text.refused, { reason: t(reasons[reason]) })}</p>`}
${n !== null && html`<p>${t(text.trial, { n })}</p>`}
${unavailable.length > 0 && html`<p class="note">${t(text.unavailable)}</p>`}
${lines.length > 0 && table(quote, code, context)}
<p><a href="${PATH}">${t(text.clear)}</a></p>`
}

const withPrices = (code: string, prices: readonly string[]): string =>
  `${PATH}?${new URLSearchParams([['code', code], ...prices.map((id): [string, string] => ['price', id])])}`

/** GET /staff/coupons/preview: what a code does to some prices, without using it. */
export const couponPreview = [
  page(`GET ${PATH}`, staff, async context => {
    const { t, language, parts, person, query } = context
    const [code, find] = [(query.get('code') ?? '').trim(), (query.get('find') ?? '').trim()]
    const prices = [...new Set(query.getAll('price').filter(id => id !== ''))]
    const [{ quote, refusal }, found] = await Promise.all([
      tryCode(context, code, prices),
      find === '' ? undefined : findItems(parts.performAs, person, find),
    ])
    const keptPrices = prices.flatMap(price => hidden({ price }))
    return context.frame({
      title: t(common.preview),
      ...noticeFor(refusal, language, { said: { ...staffText.refusals, ...couponRefusals } }),
      body: html`<p>${t(text.intro)}</p>
<form method="get" action="${PATH}">
${keptPrices}${field({ name: 'code', label: t(texts.words.code), value: code, attributes: html`type="text" maxlength="64" autocomplete="off"` })}
${mainButton(t(text.try))}
</form>
${code !== '' && prices.length === 0 && html`<p>${t(text.noPrices)}</p>`}
${quote !== undefined && quotePart(quote, code, context)}
<form method="get" action="${PATH}">
${hidden({ code })}${keptPrices}${field({ name: 'find', label: t(text.find), value: find, attributes: inputs.search })}
<div class="buttons"><button type="submit">${t(texts.words.find)}</button></div>
</form>
${found !== undefined && pricesList(found, language, price => withPrices(code, [...prices, price]))}`,
    })
  }),
]
