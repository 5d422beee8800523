import { decimalAmount } from '#src/kit/money.ts'
import {
  type BookedChargeback,
  type BookedPayment,
  type BookedRefund,
  type Books,
  type Customer,
  type Method,
  type MollieAmount,
  sumChargedBack,
  sumCollected,
  sumRefundable,
  sumRefunded,
} from './books.ts'

const DOCS = 'https://docs.mollie.com/reference'

/** Where the server is, as its answers name it. */
export type Place = { readonly origin: string }

const link = (href: string, type = 'application/hal+json') => ({ href, type })
const docs = (page: string) => link(`${DOCS}/${page}`, 'text/html')

/** An amount in minor units, as Mollie writes it. */
export const buildAmount = (amount: number, currency: string): MollieAmount => ({
  currency,
  value: decimalAmount(amount, currency),
})

const formatTime = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, '+00:00')

/** A problem, in Mollie's format. */
export const buildError = (status: number, title: string, detail: string, field?: string) => ({
  status,
  body: {
    status,
    title,
    detail,
    ...(field === undefined ? {} : { field }),
    _links: { documentation: docs('handling-errors') },
  },
})

/** A refund as Mollie answers it. */
export const buildRefund = ({ origin }: Place, payment: BookedPayment, refund: BookedRefund) => ({
  resource: 'refund',
  id: refund.id,
  mode: 'test',
  description: refund.description,
  amount: buildAmount(refund.amount, payment.currency),
  metadata: refund.metadata,
  paymentId: payment.id,
  status: refund.status,
  createdAt: formatTime(refund.createdAt),
  _links: {
    self: link(`${origin}/v2/payments/${payment.id}/refunds/${refund.id}`),
    payment: link(`${origin}/v2/payments/${payment.id}`),
    documentation: docs('get-refund'),
  },
})

const buildChargeback = ({ origin }: Place, payment: BookedPayment, one: BookedChargeback) => ({
  resource: 'chargeback',
  id: one.id,
  amount: buildAmount(one.amount, payment.currency),
  reason: payment.method === 'directdebit' ? { code: 'MD06', description: 'Returned by the debtor' } : null,
  paymentId: payment.id,
  createdAt: formatTime(one.createdAt),
  reversedAt: one.reversedAt === null ? null : formatTime(one.reversedAt),
  _links: {
    self: link(`${origin}/v2/payments/${payment.id}/chargebacks/${one.id}`),
    payment: link(`${origin}/v2/payments/${payment.id}`),
    documentation: docs('get-chargeback'),
  },
})

const IBAN = 'NL55INGB0000000000'

const detailsOf: Partial<Record<Method, (failure: string | null) => object>> = {
  creditcard: failure => ({
    cardNumber: '6787',
    cardHolder: 'T. TEST',
    cardLabel: 'Mastercard',
    cardCountryCode: 'NL',
    cardSecurity: 'normal',
    feeRegion: 'intra-eu',
    ...(failure === null ? {} : { failureReason: failure, failureMessage: 'The payment failed.' }),
  }),
  ideal: () => ({ consumerName: 'T. TEST', consumerAccount: IBAN, consumerBic: 'INGBNL2A' }),
  bancontact: () => ({ cardNumber: '6787', consumerAccount: 'BE41551234567890', consumerBic: 'GKCCBEBB' }),
  directdebit: failure => ({
    consumerName: 'T. TEST',
    consumerAccount: IBAN,
    consumerBic: 'INGBNL2A',
    ...(failure === null ? {} : { bankReasonCode: failure, bankReason: 'The debit was returned.' }),
  }),
  paypal: () => ({
    paypalReference: '9AL35361CF606152E',
    paypalPayerId: 'WDJJHEBZ4X2LY',
    sellerProtection: 'eligible',
  }),
}

const nameOfTime: Partial<Record<BookedPayment['status'], string>> = {
  paid: 'paidAt',
  failed: 'failedAt',
  canceled: 'canceledAt',
  expired: 'expiredAt',
}

const timesOf = (payment: BookedPayment): object => {
  const name = nameOfTime[payment.status]
  if (name !== undefined) return { [name]: formatTime(payment.at) }
  return payment.status === 'open' ? { expiresAt: formatTime(payment.expiresAt) } : {}
}

const moneyOf = (payment: BookedPayment): object => {
  if (payment.status !== 'paid') return {}
  const { currency } = payment
  const chargedBack = sumChargedBack(payment)
  return {
    amountRefunded: buildAmount(sumRefunded(payment), currency),
    amountRemaining: buildAmount(sumRefundable(payment), currency),
    ...(chargedBack === 0 ? {} : { amountChargedBack: buildAmount(chargedBack, currency) }),
  }
}

const linksOf = ({ origin }: Place, payment: BookedPayment) => ({
  self: link(`${origin}/v2/payments/${payment.id}`),
  ...(payment.status === 'open' && payment.redirectUrl !== null
    ? { checkout: link(`${origin}/checkout/${payment.id}`, 'text/html') }
    : {}),
  dashboard: link(`https://www.mollie.com/dashboard/org_1/payments/${payment.id}`, 'text/html'),
  ...(payment.customerId === null ? {} : { customer: link(`${origin}/v2/customers/${payment.customerId}`) }),
  documentation: docs('get-payment'),
})

const canBeCanceled = ({ status, isCancelable }: BookedPayment): object =>
  status === 'open' || status === 'pending' ? { isCancelable: status === 'open' && isCancelable } : {}

/** A payment as Mollie answers it, with its refunds and chargebacks where they are asked for. */
export const buildPayment = (place: Place, payment: BookedPayment, embed: readonly string[] = []) => ({
  resource: 'payment',
  id: payment.id,
  mode: 'test',
  amount: buildAmount(payment.status === 'paid' ? sumCollected(payment) : payment.amount, payment.currency),
  ...moneyOf(payment),
  description: payment.description,
  method: payment.method,
  metadata: payment.metadata,
  status: payment.status,
  ...canBeCanceled(payment),
  sequenceType: payment.sequenceType,
  redirectUrl: payment.redirectUrl,
  cancelUrl: payment.cancelUrl,
  webhookUrl: payment.webhookUrl,
  locale: payment.locale,
  profileId: 'pfl_test',
  ...(payment.customerId === null ? {} : { customerId: payment.customerId }),
  ...(payment.mandateId === null ? {} : { mandateId: payment.mandateId }),
  ...(payment.status === 'paid' || payment.status === 'failed'
    ? {
        countryCode: 'NL',
        details: payment.method === null ? null : (detailsOf[payment.method]?.(payment.failure) ?? {}),
      }
    : {}),
  createdAt: formatTime(payment.createdAt),
  ...timesOf(payment),
  ...(embed.length === 0 ? {} : { _embedded: buildEmbedded(place, payment, embed) }),
  _links: linksOf(place, payment),
})

const buildEmbedded = (place: Place, payment: BookedPayment, embed: readonly string[]) => ({
  ...(embed.includes('refunds') ? { refunds: payment.refunds.map(one => buildRefund(place, payment, one)) } : {}),
  ...(embed.includes('chargebacks')
    ? { chargebacks: payment.chargebacks.map(one => buildChargeback(place, payment, one)) }
    : {}),
})

// In a list, only the list has the link to the documentation.
const buildListed = (place: Place, payment: BookedPayment) => {
  const { _links, ...rest } = buildPayment(place, payment)
  const { documentation: _, ...links } = _links
  return { ...rest, _links: links }
}

/** A page of payments, newest first, with the address of the next one. */
export const buildList = (
  place: Place,
  payments: readonly BookedPayment[],
  limit: number,
  next: string | undefined,
) => ({
  count: payments.length,
  _embedded: { payments: payments.map(one => buildListed(place, one)) },
  _links: {
    self: link(`${place.origin}/v2/payments?limit=${limit}`),
    previous: null,
    next: next === undefined ? null : link(`${place.origin}/v2/payments?from=${next}&limit=${limit}`),
    documentation: docs('list-payments'),
  },
})

/** A customer as Mollie answers it. */
export const buildCustomer = ({ origin }: Place, { id, metadata, name }: Customer, now: Date) => ({
  resource: 'customer',
  id,
  mode: 'test',
  name,
  email: null,
  locale: null,
  metadata,
  createdAt: formatTime(now),
  _links: {
    self: link(`${origin}/v2/customers/${id}`),
    dashboard: link(`https://www.mollie.com/dashboard/org_1/customers/${id}`, 'text/html'),
    documentation: docs('get-customer'),
  },
})

const images = {
  size1x: 'https://www.mollie.com/1.png',
  size2x: 'https://www.mollie.com/2.png',
  svg: 'https://www.mollie.com/1.svg',
}

/** The enabled methods as Mollie answers them. */
export const buildMethods = ({ origin }: Place, methods: readonly Method[]) => ({
  count: methods.length,
  _embedded: {
    methods: methods.map(id => ({
      resource: 'method',
      id,
      description: id,
      minimumAmount: buildAmount(1, 'EUR'),
      maximumAmount: null,
      image: images,
      status: 'activated',
      _links: { self: link(`${origin}/v2/methods/${id}`) },
    })),
  },
  _links: { self: link(`${origin}/v2/methods`), documentation: docs('list-methods') },
})

/** The profile of the key as Mollie answers it. */
export const buildProfile = ({ origin }: Place, { profileStatus }: Books) => ({
  resource: 'profile',
  id: 'pfl_test',
  mode: 'test',
  name: 'Crumb & Crust',
  website: 'https://crumb.example',
  email: 'ada@crumb.example',
  phone: '+31208202070',
  businessCategory: 'EDUCATION',
  status: profileStatus,
  createdAt: '2026-01-01T00:00:00+00:00',
  _links: { self: link(`${origin}/v2/profiles/me`), documentation: docs('get-current-profile') },
})
