import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { countryCodes } from '#src/kit/countries.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, input, kinds, mainButton, type Notice, select } from '#src/web/page/index.ts'
import { fieldsHtml } from '#src/web/questions/index.ts'
import { type AddressError, addressOf, type Cart, pairsOfCart } from '../address.ts'
import type { Questions } from '../questions.ts'
import { buyable, type Quoted, type QuoteView } from '../quote.ts'
import { isOrdered, notesOf } from './notes.ts'
import { isOrderable, orderLabel, summaryOf } from './summary.ts'
import { checkoutText as text } from './text.ts'

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

/** The first page of the checkout: what is bought, and who buys it. */
type LookView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  /** The id of the checkout that the form begins. */
  readonly id: string
  readonly cart: Cart
  readonly quoted: Quoted
  readonly typed: Typed
  readonly questions: Questions
  readonly session: Session | undefined
  readonly notice?: Notice | undefined
}

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">\n`

const cartFields = (cart: Cart): Html => html`${pairsOfCart(cart).map(([name, value]) => hidden(name, value))}`

const codeForm = ({ language, quoted }: LookView, cart: Cart): Html => {
  if (quoted.quote.subtotal === 0 || cart.codes.length >= 3) return html``
  return html`<form method="get" action="/checkout">
${cartFields({ items: cart.items, codes: cart.codes })}<label for="code">${fill(text.codeLabel, language)}</label>
<div class="field-row"><input id="code" name="code" type="text" maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false">
<button type="submit">${fill(text.apply, language)}</button></div>
</form>`
}

// The price with its date and its amount, without the quantity, which the form asks for.
const itemFields = ({ items }: Cart, priceId: string): Html => {
  const { quantity: _quantity, ...item } = items.find(one => one.price_id === priceId) ?? { price_id: priceId }
  return cartFields({ items: [item], codes: [] })
}

const quantityForm = (
  { price_id, name, quantity, most_per_order: most }: QuoteView['lines'][number],
  cart: Cart,
  language: Language,
) =>
  most > 1 &&
  html`<form method="get" action="/checkout">
${cartFields({ ...cart, items: cart.items.filter(item => item.price_id !== price_id) })}${itemFields(cart, price_id)}<label for="${price_id}">${fill(text.quantity, language, { name })}</label>
<div class="field-row"><input id="${price_id}" name="quantity" type="number" min="1" max="${most}" value="${quantity}">
<button type="submit">${fill(text.update, language)}</button></div>
</form>\n`

const removals = ({ language, quoted: { quote } }: LookView, cart: Cart): Html => {
  const without = (priceId: string): string =>
    addressOf({ ...cart, items: cart.items.filter(({ price_id }) => price_id !== priceId) })
  const items = quote.lines.length < 2 ? [] : quote.lines
  const links = [
    ...items.map(({ price_id, name }) => ({
      href: without(price_id),
      label: fill(text.removeItem, language, { name }),
    })),
    ...cart.codes.map(code => ({
      href: addressOf({ ...cart, codes: cart.codes.filter(one => one !== code) }),
      label: fill(text.removeCode, language, { code }),
    })),
  ]
  if (links.length === 0) return html``
  return html`<ul class="quiet removals">
${links.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>\n`)}</ul>`
}

const countryChoices = (language: Language) => {
  const names = new Intl.DisplayNames([language === 'pt' ? 'pt-PT' : 'en-GB'], { type: 'region' })
  const all = countryCodes.map(value => ({ value, label: names.of(value) ?? value }))
  all.sort((one, other) => one.label.localeCompare(other.label, language))
  return [{ value: '', label: fill(text.chooseCountry, language) }, ...all]
}

const optionalInput = (name: string, label: string, value: string, attributes: Html): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" value="${value}" ${attributes}>`

const billingFields = ({ language, typed, quoted: { quote } }: LookView): Html => {
  if (quote.billing === 'none') return html``
  const company = optionalInput(
    'company',
    fill(text.company, language),
    typed.company,
    html`autocomplete="organization" maxlength="120"`,
  )
  const taxId = optionalInput(
    'tax_id',
    fill(text.taxId, language),
    typed.taxId,
    html`autocomplete="off" maxlength="30"`,
  )
  return html`${select('country', fill(text.country, language), typed.country, countryChoices(language))}
${company}
${taxId}`
}

const box = (name: string, label: Html | string, isTicked: boolean, isRequired: boolean): Html =>
  html`<div class="scope"><input type="checkbox" id="${name}" name="${name}" value="yes"${isTicked && html` checked`}${isRequired && html` required`}><label for="${name}">${label}</label></div>`

// In another tab, so that what was typed stays.
const termsLabel = ({ language, quoted: { termsPath } }: LookView): Html | string => {
  if (termsPath === undefined) return fill(text.terms, language)
  const [before, after] = fill(text.termsLink, language, { link: '|' }).split('|')
  return html`${before}<a href="${termsPath}" target="_blank" rel="noopener">${fill(text.termsName, language)}</a>${after}`
}

const agreements = (view: LookView): Html => {
  const { typed, quoted } = view
  const { quote } = quoted
  return html`${
    quote.terms_page_id !== null && box('accept_terms', termsLabel(view), typed.acceptsTerms, true)
  }${quote.waiver !== null && box('waive_withdrawal', quote.waiver.text, typed.waives, quote.waiver.required)}`
}

const signInLink = ({ language }: LookView, address: string): Html =>
  html`<p class="quiet">${fill(text.haveAccount, language)} <a href="/account/sign-in?${new URLSearchParams({ return_to: address }).toString()}">${fill(text.signIn, language)}</a></p>`

const personFields = (view: LookView, address: string): Html => {
  const { language, typed, session, school } = view
  if (session !== undefined) {
    const { name, email } = session.member
    return html`<p>${fill(text.signedIn, language, { name, email })}</p>`
  }
  const email = { name: 'email', label: fill(text.email, language), attributes: kinds.email, value: typed.email }
  const name = { name: 'name', label: fill(text.name, language), attributes: kinds.name, value: typed.name }
  return html`${school.signupMode !== 'open' && html`<p>${fill(text.membersOnly, language)}</p>`}
${signInLink(view, address)}
${input({ ...email, hint: fill(text.emailHint, language) })}
${input(name)}`
}

const questionParts = ({ language, questions: { asked, typed, errors } }: LookView): readonly Html[] =>
  asked.map(
    ({ name, fields }) => html`<fieldset><legend><bdi>${name}</bdi></legend>
${fieldsHtml({ fields, language, typed, errors })}</fieldset>
`,
  )

const details = (view: LookView, cart: Cart): Html => {
  const { language, token, id, session, quoted } = view
  const { quote } = quoted
  const address = addressOf(cart)
  const label = session === undefined ? fill(text.continueButton, language) : orderLabel(quote, language)
  const inside = html`${hidden('id', id)}${hidden('quote', quote.quote)}${hidden('total', String(quote.total))}${hidden('currency', quote.currency)}${personFields(view, address)}
${billingFields(view)}
${questionParts(view)}
${agreements(view)}
${mainButton(label)}
${quote.total > 0 && html`<p class="quiet">${fill(text.orderHint, language)}</p>`}`
  return html`<h2>${fill(text.details, language)}</h2>
${formOf(address, token, inside)}`
}

/** The page on which a buyer sees what they buy, and says who they are. */
export const lookPage = (view: LookView): Reply => {
  const { school, language, cart, quoted, notice } = view
  const kept = buyable(cart, quoted)
  const { quote } = quoted
  return framed({
    ...{ school, language, notice },
    title: fill(text.title, language),
    body: html`${notesOf(quoted, language)}
${summaryOf(quote, language)}
${quote.lines.map(line => quantityForm(line, kept, language))}
${removals(view, kept)}
${quote.lines.length > 0 && !isOrdered(quote) && codeForm(view, kept)}
${isOrderable(quote) ? details(view, kept) : html`<p><a href="/courses">${fill(text.allCourses, language)}</a></p>`}`,
  })
}

/** The page for an address that names nothing to buy, or a checkout that is not of this browser. */
export const nothingPage = (
  { school, language }: Pick<LookView, 'school' | 'language'>,
  error: AddressError | 'lost',
): Reply =>
  framed({
    ...{ school, language },
    title: fill(text.nothing, language),
    status: error === 'lost' ? 404 : 400,
    body: html`<p>${fill(text.errors[error], language)}</p>
<p><a href="/courses">${fill(text.allCourses, language)}</a></p>`,
  })
