import type { SchoolContext } from '#src/contract/context.ts'
import type { Money, SavedMethod } from '#src/contract/payments.ts'
import { methodUses } from '../hooks.ts'
import { listFittingProviders } from '../payments/lookups.ts'
import { listPayingMethods } from './queries.ts'

/** A saved method with which its owner can pay, and the name of what it was saved for. */
export type OfferedMethod = {
  readonly id: string
  readonly provider: string
  readonly brand: string
  readonly last4: string
  readonly savedFor: string
  readonly saved: SavedMethod
}

/**
 * The saved methods with which a member can pay an amount now, the newest first: those that something of theirs is charged with, at
 * the providers that are offered for the amount.
 */
export const listOfferedMethods = async (
  context: SchoolContext,
  { memberId, amount, currency }: Money & { readonly memberId: string },
): Promise<readonly OfferedMethod[]> => {
  const rows = amount === 0 ? [] : await listPayingMethods(context.db, context.school.id, memberId)
  if (rows.length === 0) return []
  const [providers, uses] = await Promise.all([
    listFittingProviders(context, { amount, currency, purpose: 'charge' }),
    methodUses.call({ memberId }, context),
  ])
  return rows.flatMap(({ id, provider, brand, last4, customer_ref: customerRef, method_ref: methodRef }) => {
    const use = uses.flat().find(({ methodId }) => methodId === id)
    const isOffered = use !== undefined && providers.some(({ name }) => name === provider)
    if (!isOffered || brand === null || last4 === null || customerRef === null || methodRef === null) return []
    return [{ id, provider, brand, last4, savedFor: use.name, saved: { customerRef, methodRef } }]
  })
}
