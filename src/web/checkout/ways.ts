import { getSelling } from '#src/areas/school/index.ts'
import { listOfferedMethods, type OfferedMethod } from '#src/areas/shop/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { describeMethod, describeSaved, type Method, methodsFor } from '#src/web/account/index.ts'
import { icon } from '#src/web/icon.ts'
import type { ControlState } from '#src/web/page/index.ts'
import type { CheckoutContext } from './parts.ts'
import type { QuoteView } from './quote.ts'

const { text } = texts.account.pay
const { saved: savedText } = texts.checkout.common

/**
 * How a purchase can be paid: with a method that its buyer has saved, or in the ways that the school offers. Both are empty where
 * nothing is paid and no method is needed for later.
 */
export type Ways = {
  readonly saved: readonly OfferedMethod[]
  readonly methods: readonly Method[]
  readonly isPaid: boolean
}

const isRecurring = ({ lines }: QuoteView): boolean =>
  lines.some(({ payment: { payment_type: type } }) => type === 'subscription' || type === 'payment_plan')

const none: Ways = { saved: [], methods: [], isPaid: false }

/** The ways to pay what a quote says, or to save a method for what follows. */
export const readWays = async ({ request, session }: CheckoutContext, quote: QuoteView): Promise<Ways> => {
  const { total: amount, currency, lines } = quote
  const { database, school } = request
  if (amount > 0) {
    const purpose = isRecurring(quote) ? 'first' : 'once'
    const memberId = session?.member.id
    const [saved, methods] = await Promise.all([
      memberId === undefined
        ? []
        : database.statements(school.id, db => listOfferedMethods({ db, school }, { memberId, amount, currency })),
      methodsFor(request, { amount, currency, purpose }),
    ])
    return { saved, methods, isPaid: true }
  }
  if (lines.length === 0 || !isRecurring(quote)) return none
  const { subscriptions } = await database.statements(school.id, db => getSelling(db, school.id))
  if (!subscriptions.trial_needs_method) return none
  return { ...none, methods: await methodsFor(request, { amount, currency, purpose: 'setup' }) }
}

const nameSaved = ({ id }: OfferedMethod): string => toId('pym', id)

const listNames = ({ saved, methods }: Ways): readonly string[] => [
  ...saved.map(nameSaved),
  ...methods.map(({ name }) => name),
]

// The first one where none was chosen.
const chooseWay = (ways: Ways, chosen: string): string | undefined => {
  const names = listNames(ways)
  return names.find(name => name === chosen) ?? names[0]
}

/** Whether there is a way to pay, or none is needed. */
export const canPay = (ways: Ways): boolean => !ways.isPaid || listNames(ways).length > 0

/** Whether what was chosen is a way to pay, or none is needed. */
export const isWay = (ways: Ways, chosen: string): boolean => {
  const names = listNames(ways)
  return names.length === 0 || names.includes(chosen)
}

/** What is stored of the way that was chosen. */
export const findWay = (
  { saved, methods }: Ways,
  chosen: string,
): { readonly provider: string | undefined; readonly methodId: string | undefined } => {
  const found = saved.find(one => nameSaved(one) === chosen)
  if (found !== undefined) return { provider: found.provider, methodId: found.id }
  return { provider: methods.find(({ name }) => name === chosen)?.name, methodId: undefined }
}

/** The id of the choice of how to pay. */
export const WAYS_ID = 'method'

const card = icon('M3 5h18v14H3zM3 10h18M6 15h3')
const bank = icon('M3 21h18M5 21V10M19 21V10M9.5 21V10M14.5 21V10M3 10l9-6 9 6z')

const wayChoice = (value: string, label: Html, isChosen: boolean): Html => {
  const id = `method-${value}`
  return html`<div class="scope"><input type="radio" id="${id}" name="method" value="${value}"${isChosen && html` checked`}><label for="${id}">${label}</label>${value === 'manual' ? bank : card}</div>
`
}

const savedChoice = (one: OfferedMethod, chosen: string | undefined, { t }: CheckoutContext): Html =>
  wayChoice(
    nameSaved(one),
    html`<bdi>${describeSaved(one)}</bdi><span class="quiet">${t(savedText.about, { name: one.savedFor })}</span>`,
    nameSaved(one) === chosen,
  )

const methodChoice = (method: Method, chosen: string | undefined, { t }: CheckoutContext): Html => {
  const { name, about } = describeMethod(method)
  const label = html`${t(name)}<span class="quiet">${t(about, { days: method.days ?? 0 })}</span>`
  return wayChoice(method.name, label, method.name === chosen)
}

/** The choice of how to pay; says where the school cannot be paid what is due. */
export const wayFields = (ways: Ways, { typed, errors }: ControlState, context: CheckoutContext): Html | false => {
  const { saved, methods, isPaid } = ways
  const { t } = context
  if (!canPay(ways)) return html`<p class="note">${t(texts.checkout.common.noWay)}</p>`
  const first = chooseWay(ways, formField(typed, 'method'))
  if (first === undefined) return false
  const error = errors.get('method')
  const errorId = `${WAYS_ID}-error`
  return html`<fieldset class="ways" id="${WAYS_ID}" tabindex="-1"${error !== undefined && html` aria-describedby="${errorId}"`}><legend>${t(text.ways)}</legend>
${
  error !== undefined &&
  html`<p class="field-error" id="${errorId}">${error}</p>
`
}${!isPaid && html`<p class="quiet">${t(text.setUp)}</p>\n`}${saved.map(one => savedChoice(one, first, context))}${methods.map(method => methodChoice(method, first, context))}</fieldset>`
}
