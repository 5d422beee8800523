import type { Static } from 'typebox'
import type { InvoicePage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, inEach } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { texts } from '#src/texts/index.ts'
import { type Act, day, fieldsFor, money, optionalLine, optionalText, unlessEmpty } from '#src/web/page/index.ts'
import type { OrderShown } from './shown.ts'

const { acts } = texts.staff.orders

/** An order with its invoices and credit notes. */
export type OrderDetail = OrderShown & { readonly documents: Encoded<Static<typeof InvoicePage>>['data'] }

/** Whether an order is paid, also if some of it was refunded. */
export const isPaid = ({ status }: OrderShown): boolean =>
  status === 'paid' || status === 'partially_refunded' || status === 'refunded'

const addressFields = ['line1', 'line2', 'postal_code', 'city', 'region'] as const

type Billing = Record<(typeof addressFields)[number] | 'name' | 'company' | 'country' | 'tax_id', string | null>

const billed = optionalLine({ most: 120 })

/** The fields of a billing, with those of its address beside them. */
export const billingFields = fieldsFor<Billing>()(acts.reissue.fields, {
  name: billed,
  company: billed,
  country: billed,
  tax_id: billed,
  line1: billed,
  line2: billed,
  postal_code: billed,
  city: billed,
  region: billed,
})

/** The fields of a note. */
export const noteFields = fieldsFor<{ note: string | null }>()(acts.note.fields, { note: optionalText({ most: 1000 }) })

const confirmFieldsFor = ({ total, paid_total, currency }: OrderShown) => {
  const { fields: said, missing, more } = acts.confirm
  const left = total - paid_total
  const hint = inEach(language =>
    left > 0 ? fill(missing, language, { missing: formatMoney(left, currency, language) }) : fill(more, language),
  )
  const amount = unlessEmpty(money())
  return fieldsFor<{ amount?: number; received_on?: string }>()(
    { ...said, amount: { ...said.amount, hint } },
    { amount, received_on: unlessEmpty(day()) },
  )
}

/** What staff do on the page of an order. */
export const orderActsFor = (order: OrderShown) =>
  ({
    confirm: {
      operation: 'confirmPayment',
      fields: confirmFieldsFor(order),
      offered: one => !isPaid(one) && one.total > 0,
    },
    undo: {
      operation: 'unconfirmPayment',
      offered: ({ refunds, payments }) =>
        refunds.length === 0 && payments.some(one => one.provider === 'manual' && one.paid_amount > 0),
    },
    cancel: { operation: 'cancelOrder', offered: ({ status }) => status === 'pending' },
    dispute: { operation: 'acceptDispute', offered: ({ dispute }) => dispute?.state === 'open' },
    receipt: { operation: 'resendReceipt', offered: isPaid },
    reissue: {
      operation: 'reissueInvoice',
      fields: {
        ...billingFields,
        body(form, reader) {
          const { name, company, country, tax_id, ...address } = billingFields.body(form, reader)
          const isEmpty = Object.values(address).every(value => value === null)
          // An address without its required lines is refused by the operation.
          const whole = isEmpty ? null : { ...address, line1: address.line1 ?? '', city: address.city ?? '' }
          return { name, company, country, tax_id, address: whole }
        },
      },
      offered: one => isPaid(one) && one.documents.some(({ kind }) => kind === 'invoice'),
    },
    note: { operation: 'noteOrder', fields: noteFields, offered: () => true },
  }) as const satisfies Readonly<Record<string, Act<OrderDetail>>>
