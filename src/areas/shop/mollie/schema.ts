import Type, { type Static, type TSchema } from 'typebox'
import { compileCheck } from '#src/contract/check.ts'

const Amount = Type.Object({ currency: Type.String(), value: Type.String() })

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

const Refund = Type.Object({
  id: Type.String(),
  amount: Amount,
  status: Type.String(),
  metadata: Type.Optional(Type.Unknown()),
})

const Chargeback = Type.Object({
  id: Type.String(),
  amount: Amount,
  createdAt: Type.String(),
  reversedAt: Text,
  reason: Type.Optional(Type.Union([Type.Null(), Type.Object({ code: Type.String() })])),
})

const Details = Type.Object({
  cardNumber: Text,
  cardLabel: Text,
  cardCountryCode: Text,
  consumerAccount: Text,
  failureReason: Text,
  bankReasonCode: Text,
})

/** What of a payment is read; Mollie answers more. */
export const Payment = Type.Object({
  id: Type.String(),
  status: Type.String(),
  amount: Amount,
  sequenceType: Type.String(),
  createdAt: Type.String(),
  expiresAt: Text,
  method: Text,
  customerId: Text,
  mandateId: Text,
  countryCode: Text,
  isCancelable: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  metadata: Type.Optional(Type.Unknown()),
  details: Type.Optional(Type.Union([Details, Type.Null()])),
  _links: Type.Object({ checkout: Type.Optional(Type.Object({ href: Type.String() })) }),
  _embedded: Type.Optional(
    Type.Object({
      refunds: Type.Optional(Type.Array(Refund)),
      chargebacks: Type.Optional(Type.Array(Chargeback)),
    }),
  ),
})

/** A page of payments, newest first. */
export const PaymentList = Type.Object({
  _embedded: Type.Object({ payments: Type.Array(Payment) }),
  _links: Type.Object({ next: Type.Optional(Type.Union([Type.Object({ href: Type.String() }), Type.Null()])) }),
})

/** A customer that was made. */
export const Customer = Type.Object({ id: Type.String() })

/** The methods that the owner has enabled. */
export const MethodList = Type.Object({
  _embedded: Type.Object({ methods: Type.Array(Type.Object({ id: Type.String() })) }),
})

/** The profile that a key belongs to. */
export const Profile = Type.Object({
  id: Type.String(),
  mode: Type.String(),
  name: Type.String(),
  status: Type.String(),
})

/** A refund that was made. */
export const MadeRefund = Refund

/** A payment of Mollie. */
export type MolliePayment = Static<typeof Payment>
/** A refund of Mollie. */
export type MollieRefund = Static<typeof Refund>
/** A chargeback of Mollie. */
export type MollieChargeback = Static<typeof Chargeback>

/** An answer in its expected form; throws for another one, since nothing can be concluded from it. */
export const readAnswer = <Schema extends TSchema>(schema: Schema, answer: unknown): Static<Schema> => {
  if (!compileCheck(schema).Check(answer)) throw new Error('Mollie answered in an unknown form')
  return answer as Static<Schema>
}
