import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { countryChoices } from '#src/web/account/index.ts'
import { hidden, input, kinds, mainButton, type Notice, select } from '#src/web/page/index.ts'
import { fieldsHtml } from '#src/web/questions/index.ts'
import { type AddressError, buildAddress, type Cart, pairsOfCart } from './address.ts'
import { isOrdered, renderNotes } from './notes.ts'
import type { CheckoutContext } from './parts.ts'
import type { Questions } from './questions.ts'
import { buyable, type Quoted, type QuoteView } from './quote.ts'
import { isOrderable, orderLabel, renderSummary } from './summary.ts'

const { common: text } = texts.checkout

/** What a buyer has typed. */
export type Typed = {
  readonly email: string
  readonly name: string
  readonly country: string
  readonly company: string
  readonly taxId: string
  readonly acceptsTerms: boolean
  readonly waives: boolean
}

/** What the first page of the checkout shows. */
type Shown = {
  /** The id of the checkout that the form begins. */
  readonly id: string
  readonly cart: Cart
  readonly quoted: Quoted
  readonly typed: Typed
  readonly questions: Questions
  readonly notice?: Notice | undefined
}

const cartFields = (cart: Cart): readonly Html[] =>
  pairsOfCart(cart).flatMap(([name, value]) => hidden({ [name]: value }))

const codeForm = ({ quoted }: Shown, cart: Cart, { t }: CheckoutContext): Html | false =>
  quoted.quote.subtotal !== 0 &&
  cart.codes.length < 3 &&
  html`<form method="get" action="/checkout">
${cartFields({ items: cart.items, codes: cart.codes })}<label for="code">${t(text.codeLabel)}</label>
<div class="field-row"><input id="code" name="code" type="text" maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false">
<button type="submit">${t(text.apply)}</button></div>
</form>`

// The price with its date and its amount, without the quantity, which the form asks for.
const itemFields = ({ items }: Cart, priceId: string): readonly Html[] => {
  const { quantity: _quantity, ...item } = items.find(one => one.price_id === priceId) ?? { price_id: priceId }
  return cartFields({ items: [item], codes: [] })
}

const quantityForm = (
  { price_id, name, quantity, most_per_order: most }: QuoteView['lines'][number],
  cart: Cart,
  { t }: CheckoutContext,
): Html | false =>
  most > 1 &&
  html`<form method="get" action="/checkout">
${cartFields({ ...cart, items: cart.items.filter(item => item.price_id !== price_id) })}${itemFields(cart, price_id)}<label for="${price_id}">${t(text.quantity, { name })}</label>
<div class="field-row"><input id="${price_id}" name="quantity" type="number" min="1" max="${most}" value="${quantity}">
<button type="submit">${t(text.update)}</button></div>
</form>\n`

const removals = ({ quoted: { quote } }: Shown, cart: Cart, { t }: CheckoutContext): Html | false => {
  const items = quote.lines.length < 2 ? [] : quote.lines
  const links = [
    ...items.map(({ price_id: id, name }) => ({
      href: buildAddress({ ...cart, items: cart.items.filter(({ price_id }) => price_id !== id) }),
      label: t(text.removeItem, { name }),
    })),
    ...cart.codes.map(code => ({
      href: buildAddress({ ...cart, codes: cart.codes.filter(one => one !== code) }),
      label: t(text.removeCode, { code }),
    })),
  ]
  return (
    links.length > 0 &&
    html`<ul class="quiet removals">
${links.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>\n`)}</ul>`
  )
}

const optionalInput = (name: string, label: string, value: string, attributes: Html): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" value="${value}" ${attributes}>`

const billingFields = ({ typed, quoted: { quote } }: Shown, { t, language }: CheckoutContext): Html | false =>
  quote.billing !== 'none' &&
  html`${select('country', t(texts.words.country), typed.country, countryChoices(language, t(text.chooseCountry)))}
${optionalInput('company', t(text.company), typed.company, html`autocomplete="organization" maxlength="120"`)}
${optionalInput('tax_id', t(text.taxId), typed.taxId, html`autocomplete="off" maxlength="30"`)}`

const box = (name: string, label: Html | string, isTicked: boolean, isRequired: boolean): Html =>
  html`<div class="scope"><input type="checkbox" id="${name}" name="${name}" value="yes"${isTicked && html` checked`}${isRequired && html` required`}><label for="${name}">${label}</label></div>`

// In another tab, so that what was typed stays.
const termsLabel = ({ quoted: { termsPath } }: Shown, { t }: CheckoutContext): Html | string => {
  if (termsPath === undefined) return t(text.terms)
  const [before, after] = t(text.termsLink, { link: '|' }).split('|')
  return html`${before}<a href="${termsPath}" target="_blank" rel="noopener">${t(text.termsName)}</a>${after}`
}

const agreements = (shown: Shown, context: CheckoutContext): Html => {
  const { typed, quoted } = shown
  const { terms_page_id: terms, waiver } = quoted.quote
  return html`${terms !== null && box('accept_terms', termsLabel(shown, context), typed.acceptsTerms, true)}${
    waiver !== null && box('waive_withdrawal', waiver.text, typed.waives, waiver.required)
  }`
}

const personFields = ({ typed }: Shown, address: string, { t, session, school }: CheckoutContext): Html => {
  if (session !== undefined) {
    const { name, email } = session.member
    return html`<p>${t(text.signedIn, { name, email })}</p>`
  }
  const email = { name: 'email', label: t(texts.words.email), attributes: kinds.email, value: typed.email }
  const name = { name: 'name', label: t(texts.words.yourName), attributes: kinds.name, value: typed.name }
  return html`${school.signupMode !== 'open' && html`<p>${t(text.membersOnly)}</p>`}
<p class="quiet">${t(text.haveAccount)} <a href="/account/sign-in?${new URLSearchParams({ return_to: address }).toString()}">${t(texts.words.signIn)}</a></p>
${input({ ...email, hint: t(text.emailHint) })}
${input(name)}`
}

const questionParts = (
  { questions: { asked, typed, errors } }: Shown,
  { language }: CheckoutContext,
): readonly Html[] =>
  asked.map(
    ({ name, fields }) => html`<fieldset><legend><bdi>${name}</bdi></legend>
${fieldsHtml({ fields, language, typed, errors })}</fieldset>
`,
  )

const details = (shown: Shown, cart: Cart, context: CheckoutContext): Html => {
  const { t, form, session } = context
  const { quote } = shown.quoted
  const address = buildAddress(cart)
  const label = session === undefined ? t(texts.words.continue) : orderLabel(quote, context)
  const inside = html`${hidden({ id: shown.id, quote: quote.quote, total: quote.total, currency: quote.currency })}${personFields(shown, address, context)}
${billingFields(shown, context)}
${questionParts(shown, context)}
${agreements(shown, context)}
${mainButton(label)}
${quote.total > 0 && html`<p class="quiet">${t(text.orderHint)}</p>`}`
  return html`<h2>${t(text.details)}</h2>
${form(inside, address)}`
}

/** The page on which a buyer sees what they buy, and says who they are. */
export const showLook = (shown: Shown, context: CheckoutContext): Reply => {
  const { t, frame } = context
  const { cart, quoted, notice } = shown
  const kept = buyable(cart, quoted)
  const { quote } = quoted
  return frame({
    title: t(text.title),
    notice,
    body: html`${renderNotes(quoted, context)}
${renderSummary(quote, context)}
${quote.can_sell && quote.lines.map(line => quantityForm(line, kept, context))}
${removals(shown, kept, context)}
${quote.lines.length > 0 && quote.can_sell && !isOrdered(quote) && codeForm(shown, kept, context)}
${isOrderable(quote) ? details(shown, kept, context) : html`<p><a href="/courses">${t(texts.words.seeAllCourses)}</a></p>`}`,
  })
}

/** The page for an address that names nothing to buy, or a checkout that is not of this browser. */
export const showNothing = ({ t, frame }: CheckoutContext, error: AddressError | 'lost'): Reply =>
  frame({
    title: t(text.nothing),
    status: error === 'lost' ? 404 : 400,
    body: html`<p>${t(text.errors[error])}</p>
<p><a href="/courses">${t(texts.words.seeAllCourses)}</a></p>`,
  })
