import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { countryChoices, type LineFacts } from '#src/web/account/index.ts'
import { icon } from '#src/web/icon.ts'
import {
  boxControl,
  type ControlState,
  folded,
  hidden,
  kinds,
  lineControl,
  type Notice,
  selectControl,
} from '#src/web/page/index.ts'
import { fieldsHtml } from '#src/web/questions/index.ts'
import { type AddressError, buildAddress, type Cart } from './address.ts'
import type { Complaints } from './complaints.ts'
import { describeRefusedCode, renderNotes } from './notes.ts'
import type { CheckoutContext } from './parts.ts'
import { renderPromises } from './promises.ts'
import type { Questions } from './questions.ts'
import { buyable, type Quoted, type QuoteView } from './quote.ts'
import { isOrderable, orderLabel, renderSummary } from './summary.ts'
import { type Typed, writeTyped } from './typed.ts'
import { canPay, type Ways, wayFields } from './ways.ts'

const { common: text } = texts.checkout

/** What the first page of the checkout shows. */
type Shown = {
  /** The id of the checkout that the form begins. */
  readonly id: string
  readonly cart: Cart
  readonly quoted: Quoted
  readonly typed: Typed
  readonly questions: Questions
  readonly ways: Ways
  /** What is said of each line beside its name. */
  readonly items: readonly LineFacts[]
  readonly notice?: Notice | undefined
  readonly errors?: Complaints
}

// The code that does not apply is wrong too, and stays in its field.
const readState = ({ typed, errors = [], quoted: { quote } }: Shown, context: CheckoutContext): ControlState => ({
  typed: writeTyped(typed),
  errors: new Map([
    ...quote.refused_codes.flatMap(refused =>
      refused.code === typed.code ? [['code', describeRefusedCode(refused, context)] as const] : [],
    ),
    ...errors.map(({ name, text }) => [name, text] as const),
  ]),
})

const REQUIRED = html`required`
const EMAIL = html`${kinds.email} required`
const NAME = html`${kinds.name} required`
const COMPANY = html`type="text" autocomplete="organization" maxlength="120"`
const TAX_ID = html`type="text" autocomplete="off" maxlength="30"`

// Buttons that do not pay send the form as it is, whatever is missing in it.
const updateButton = (label: string, name = 'act', value = 'update'): Html =>
  html`<button type="submit" name="${name}" value="${value}" formnovalidate>${label}</button>`

// The one that Enter presses in a field: it pays, but nothing that was not shown.
const defaultButton = (label: string): Html =>
  html`<button class="unseen" type="submit" name="act" value="pay" formnovalidate tabindex="-1" aria-hidden="true">${label}</button>`

const quantityField = (
  { price_id: id, name, quantity, most_per_order: most }: QuoteView['lines'][number],
  { t }: CheckoutContext,
): Html | false =>
  most > 1 &&
  html`<label for="${id}">${t(text.quantity, { name })}</label>
<div class="field-row"><input id="${id}" name="quantity.${id}" type="number" min="1" max="${most}" value="${quantity}">
${updateButton(t(text.update))}</div>\n`

// A code is seldom the first of several.
const codePart = (shown: Shown, cart: Cart, context: CheckoutContext): Html | false => {
  const { codes } = cart
  if (shown.quoted.quote.subtotal === 0 || codes.length >= 3) return false
  const error = readState(shown, context).errors.get('code')
  const field = codeField(shown, error, context)
  if (codes.length === 0) return field
  return html`<details class="more"${(error !== undefined || shown.typed.code !== '') && html` open`}>
<summary>${context.t(text.anotherCode)}</summary>
${field}</details>`
}

const codeField = (shown: Shown, error: string | undefined, { t }: CheckoutContext): Html =>
  html`<label for="code">${t(text.codeLabel)}</label>
<div class="field-row"><input id="code" name="code" type="text" value="${shown.typed.code}" maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false"${error !== undefined && html` aria-invalid="true" aria-describedby="code-error"`}>
${updateButton(t(text.apply))}</div>
${error !== undefined && html`<p class="field-error" id="code-error">${error}</p>\n`}`

const codeRemoval =
  ({ t }: CheckoutContext) =>
  (code: string): Html =>
    html`<button class="link" type="submit" name="remove_code" value="${code}" formnovalidate aria-label="${t(text.removeCode, { code })}">${t(texts.words.remove)}</button>`

const removals = ({ quoted: { quote } }: Shown, { t }: CheckoutContext): Html | false => {
  const items = quote.lines.length < 2 ? [] : quote.lines
  const buttons = items.map(({ price_id: id, name }) => updateButton(t(text.removeItem, { name }), 'remove_item', id))
  return buttons.length > 0 && html`<div class="buttons removals">${buttons}</div>\n`
}

// What cannot be ordered as it is has no form, and can be made smaller.
const removalLinks = ({ quoted: { quote } }: Shown, cart: Cart, { t }: CheckoutContext): Html | false =>
  quote.lines.length > 1 &&
  html`<ul class="quiet removals">
${quote.lines.map(({ price_id: id, name }) => html`<li><a href="${buildAddress({ ...cart, items: cart.items.filter(({ price_id }) => price_id !== id) })}">${t(text.removeItem, { name })}</a></li>\n`)}</ul>`

const billingFields = (shown: Shown, context: CheckoutContext): Html | false => {
  const { typed, quoted } = shown
  const { t, language } = context
  if (quoted.quote.billing === 'none') return false
  const state = readState(shown, context)
  const company = { name: 'company', label: t(text.company), attributes: COMPANY }
  const taxId = { name: 'tax_id', label: t(text.taxId), attributes: TAX_ID }
  const country = { name: 'country', label: t(texts.words.country) }
  return html`${selectControl(state, country, countryChoices(language, t(text.chooseCountry)))}
${folded(t(text.asCompany), html`${lineControl(state, company)}${lineControl(state, taxId)}`, typed.company !== '' || typed.taxId !== '')}`
}

// In another tab, so that what was typed stays.
const termsLabel = ({ quoted: { termsPath } }: Shown, { t }: CheckoutContext): Html | string => {
  if (termsPath === undefined) return t(text.terms)
  const [before, after] = t(text.termsLink, { link: '|' }).split('|')
  return html`${before}<a href="${termsPath}" target="_blank" rel="noopener">${t(text.termsName)}</a>${after}`
}

const agreements = (shown: Shown, context: CheckoutContext): Html => {
  const { terms_page_id: terms, waiver } = shown.quoted.quote
  const state = readState(shown, context)
  const accept = { name: 'accept_terms', label: termsLabel(shown, context), attributes: REQUIRED }
  const waive = {
    name: 'waive_withdrawal',
    label: waiver?.text ?? '',
    ...(waiver?.required === true ? { attributes: REQUIRED } : {}),
  }
  return html`${terms !== null && boxControl(state, accept)}${waiver !== null && boxControl(state, waive)}`
}

const personFields = (shown: Shown, address: string, context: CheckoutContext): Html => {
  const { t, session, school } = context
  if (session !== undefined) {
    const { name, email } = session.member
    return html`<p>${t(text.signedIn, { name, email })}</p>`
  }
  const state = readState(shown, context)
  const email = { name: 'email', label: t(texts.words.email), attributes: EMAIL, hint: t(text.emailHint) }
  const name = { name: 'name', label: t(texts.words.yourName), attributes: NAME }
  return html`${school.signupMode !== 'open' && html`<p>${t(text.membersOnly)}</p>`}
<p class="quiet">${t(text.haveAccount)} <a href="/account/sign-in?${new URLSearchParams({ return_to: address }).toString()}">${t(texts.words.signIn)}</a></p>
${lineControl(state, email)}${lineControl(state, name)}`
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

const lock = icon('M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3')

// One form with everything, so that each of its buttons sends all that was typed.
const buyForm = (shown: Shown, cart: Cart, context: CheckoutContext): Html => {
  const { t, form } = context
  const { quoted, ways } = shown
  const { quote } = quoted
  const address = buildAddress(cart)
  const label = orderLabel(quote, context)
  const isPayable = canPay(ways)
  return form(
    html`${isPayable && defaultButton(label)}${hidden({ id: shown.id, quote: quote.quote, total: quote.total, currency: quote.currency })}<div class="pay">
<div>${renderSummary(quote, context, { items: shown.items, renderRemoval: codeRemoval(context) })}
${quote.lines.map(line => quantityField(line, context))}${removals(shown, context)}${codePart(shown, cart, context)}
${renderPromises(quote, ways, context)}</div>
<div><h2>${t(text.details)}</h2>
${personFields(shown, address, context)}
${questionParts(shown, context)}
${wayFields(ways, readState(shown, context), context)}
${billingFields(shown, context)}
${agreements(shown, context)}
${isPayable && html`<div class="buttons"><button class="main" type="submit" name="act" value="pay">${quote.total > 0 && lock}${label}</button></div>`}
${quote.seller !== null && html`<p class="quiet">${t(text.seller, { seller: quote.seller })}</p>`}</div>
</div>`,
    address,
  )
}

/** The page on which a buyer sees what they buy, says who they are and how they pay. */
export const showLook = (shown: Shown, context: CheckoutContext): Reply => {
  const { t, frame } = context
  const { cart, quoted, notice } = shown
  const kept = buyable(cart, quoted)
  const { quote } = quoted
  return frame({
    title: t(text.title),
    notice,
    leadsAway: true,
    isWide: isOrderable(quote),
    body: html`${renderNotes(quoted, context, shown.typed.code)}
${
  isOrderable(quote)
    ? buyForm(shown, kept, context)
    : html`${renderSummary(quote, context)}
${removalLinks(shown, kept, context)}
<p><a href="/courses">${t(texts.words.seeAllCourses)}</a></p>`
}`,
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
