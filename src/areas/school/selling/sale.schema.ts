import Type, { type Static } from 'typebox'
import { Closed, OneOf } from '#src/kit/shapes.ts'

/** What can keep a school from being paid, in the order in which it is said. */
export const saleLacks = ['no_provider', 'provider_incomplete', 'wrong_mode', 'seller_unknown', 'clearing'] as const

/** Whether a school can be paid, and what is missing. */
export const SaleState = Closed('SaleState', {
  can_sell: Type.Boolean({ description: 'Whether buyers can pay now; what is free can be had in any case' }),
  missing: Type.Array(
    OneOf(
      saleLacks,
      'No provider is set, the secrets or instructions of those that are set are incomplete, they are for the other mode, the school has not said who it is in law, or its test sales are being deleted',
    ),
    { description: 'What keeps the school from being paid; empty where it can be paid' },
  ),
})

/** The same as a value. */
export type SaleState = Static<typeof SaleState>
