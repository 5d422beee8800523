import type { Static } from 'typebox'
import type { CouponQuote, quoteReasons } from '#src/areas/coupons/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { amountIn, framed, mainButton, orderTable } from '#src/web/account/index.ts'
import type { Found } from '../items.ts'
import { field, hidden, inputs } from '../pages/fields.ts'
import { pricesList } from '../pages/prices-list.ts'
import { refusedIn } from '../pages/refused.ts'
import { couponRefusals, couponsText } from './text.ts'

type Quote = Encoded<Static<typeof CouponQuote>>

/** What the page shows. */
export type PreviewView = {
  readonly school: School
  readonly language: Language
  readonly code: string
  readonly find: string
  readonly prices: readonly string[]
  readonly found: readonly Found[] | undefined
  /** What the code does; undefined without a code or prices, or when it cannot be tried. */
  readonly quote: Quote | undefined
  readonly refusal: Refusal | undefined
}

const say = (en: string, pt: string): Phrase => ({ en, pt })

const reasons: Readonly<Record<(typeof quoteReasons)[number], Phrase>> = {
  unknown_code: say(
    'There is no such code, or its coupon is archived.',
    'Não há tal código, ou o seu cupão está arquivado.',
  ),
  off: say('The coupon is switched off.', 'O cupão está desligado.'),
  not_yet: say('The coupon has not begun yet.', 'O cupão ainda não começou.'),
  over: say('The coupon is over.', 'O cupão terminou.'),
  used_up: say('The coupon is used up.', 'O cupão está esgotado.'),
  not_for_you: say('The coupon is for certain members only.', 'O cupão é só para certos membros.'),
  used_by_you: say('The member has used it as often as allowed.', 'O membro já o usou as vezes permitidas.'),
  not_first_purchase: say('It is for the first purchase only.', 'É só para a primeira compra.'),
  not_stackable: say('It cannot be combined.', 'Não pode ser combinado.'),
  currency: say('It is in another currency.', 'É noutra moeda.'),
  wrong_items: say('It does not apply to any of these items.', 'Não vale para nenhum destes artigos.'),
  wrong_payment_type: say('It does not apply to prices of this kind.', 'Não vale para preços deste tipo.'),
  below_minimum: say('The purchase is below its minimum.', 'A compra está abaixo do mínimo.'),
}

const text = {
  intro: say(
    'See what a code does to a purchase, for somebody who is not signed in. Nothing is used.',
    'Veja o que um código faz a uma compra, para quem não tem sessão. Nada é gasto.',
  ),
  code: say('Code', 'Código'),
  try: say('Try', 'Experimentar'),
  find: say('Add an item: search courses and products', 'Acrescentar um artigo: procurar cursos e produtos'),
  noPrices: say(
    'Add at least one item to see what the code does.',
    'Acrescente pelo menos um artigo para ver o que o código faz.',
  ),
  refused: say('The code is refused: {reason}', 'O código é recusado: {reason}'),
  off: say('{amount} off', 'menos {amount}'),
  subtotal: say('Without the code', 'Sem o código'),
  discount: say('Code {code}', 'Código {code}'),
  total: say('Total', 'Total'),
  trial: say('It adds {n} days of trial.', 'Acrescenta {n} dias de experiência.'),
  unavailable: say(
    'Some of the items cannot be bought now, and are left out.',
    'Alguns dos artigos não podem ser comprados agora e não contam.',
  ),
  clear: say('Begin again', 'Começar de novo'),
} as const

const PATH = '/staff/coupons/preview'

const withPrices = (code: string, prices: readonly string[]): string =>
  `${PATH}?${new URLSearchParams([['code', code], ...prices.map((id): [string, string] => ['price', id])])}`

const table = (quote: Quote, { language, code }: PreviewView): Html => {
  const { currency, subtotal, discount_total: discount, total } = quote
  const money = (amount: number) => amountIn(amount, currency, language)
  const lines = quote.lines.map(({ name, amount, discount_amount: off }) => ({
    name,
    details: off === 0 ? [] : [fill(text.off, language, { amount: money(off) })],
    amount: money(amount),
  }))
  const sums = [
    { label: fill(text.subtotal, language), amount: money(subtotal) },
    { label: fill(text.discount, language, { code }), amount: money(-discount) },
  ]
  return orderTable({ language, lines, sums, total: { label: fill(text.total, language), amount: money(total) } })
}

const quotePart = (quote: Quote, view: PreviewView): Html => {
  const { language } = view
  const { reason, trial_days: n, unavailable, lines } = quote
  return html`${reason !== null && html`<p class="note">${fill(text.refused, language, { reason: fill(reasons[reason], language) })}</p>`}
${n !== null && html`<p>${fill(text.trial, language, { n })}</p>`}
${unavailable.length > 0 && html`<p class="note">${fill(text.unavailable, language)}</p>`}
${lines.length > 0 && table(quote, view)}
<p><a href="${PATH}">${fill(text.clear, language)}</a></p>`
}

/** The page on which staff see what a code does to prices. */
export const previewPage = (view: PreviewView): Reply => {
  const { language, code, prices, quote, found, find, refusal } = view
  const keptPrices = prices.flatMap(price => hidden({ price }))
  return framed({
    school: view.school,
    language,
    title: fill(couponsText.preview, language),
    ...refusedIn(refusal, language, couponRefusals),
    body: html`<p>${fill(text.intro, language)}</p>
<form method="get" action="${PATH}">
${keptPrices}${field({ name: 'code', label: fill(text.code, language), value: code, attributes: html`type="text" maxlength="64" autocomplete="off"` })}
${mainButton(fill(text.try, language))}
</form>
${code !== '' && prices.length === 0 && html`<p>${fill(text.noPrices, language)}</p>`}
${quote !== undefined && quotePart(quote, view)}
<form method="get" action="${PATH}">
${hidden({ code })}${keptPrices}${field({ name: 'find', label: fill(text.find, language), value: find, attributes: inputs.search })}
<div class="buttons"><button type="submit">${fill(couponsText.find, language)}</button></div>
</form>
${found !== undefined && pricesList(found, language, price => withPrices(code, [...prices, price]))}
<p class="quiet"><a href="/staff/coupons">${fill(couponsText.back, language)}</a></p>`,
  })
}
