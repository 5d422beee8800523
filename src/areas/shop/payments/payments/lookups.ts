import {
  type CallableProvider,
  findCallableProvider,
  listUsableProviders,
  type UsableProvider,
} from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { canCharge, findDeclaredProvider, isOnline } from '#src/contract/payment-providers.ts'
import {
  type ChargePurpose,
  chargeable,
  type FoundPayment,
  type Money,
  type Provider,
  paymentProvider,
} from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { inTime } from '#src/kit/deadline.ts'
import { toId } from '#src/kit/ids.ts'
import type { StoredPayment } from './queries.ts'
import { amountNotChargeable, providerNotUsable } from './rules.ts'

/** What calling a provider needs: a school, the database outside any transaction, and keys. */
export type PaymentParts = {
  readonly database: Database
  readonly school: School
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
}

/** A provider that can be called, whether it fits the school with its secrets, and whether it was heard from within an hour. */
export type FoundProvider = Pick<CallableProvider, 'isUsable' | 'isHeard' | 'fitsAccount'> & {
  readonly provider: Provider
}

/** A provider with what the school has of it; undefined when it cannot be called, such as without its keys. */
export const findWithState = (parts: PaymentParts, name: string): Promise<FoundProvider | undefined> => {
  const { database, school, keyFor } = parts
  return database.statements(school.id, async db => {
    const callable = await findCallableProvider({ db, school, keyFor }, name)
    const request = { name, database, secrets: callable?.secrets ?? {}, keyFor }
    const [provider] = (await paymentProvider.call(request, { db, school })).filter(one => one !== undefined)
    const { isUsable = false, isHeard = false, fitsAccount = () => true } = callable ?? {}
    return provider && { provider, isUsable, isHeard, fitsAccount }
  })
}

/** A provider by its name; undefined when it cannot be called in this school, such as without its keys. */
export const findProvider = async (parts: PaymentParts, name: string): Promise<Provider | undefined> =>
  isOnline(name) ? (await findWithState(parts, name))?.provider : undefined

/**
 * The provider of a payment; undefined when it cannot be called, such as without its keys, and when its keys are not of the account
 * through which the payment was begun.
 */
export const findPaymentProvider = async (
  parts: PaymentParts,
  { provider: name, account }: Pick<StoredPayment, 'provider' | 'account'>,
): Promise<Provider | undefined> => {
  const found = isOnline(name) ? await findWithState(parts, name) : undefined
  return found?.fitsAccount(account) === true ? found.provider : undefined
}

/** For how many milliseconds a call to a provider is repeated with its key; none for one that no area declares any more. */
export const findKeysLast = (name: string): number => findDeclaredProvider(name)?.keysLast ?? 0

/** The provider through which somebody wants to pay, or is charged; refuses with 409 what the school does not offer. */
export const getUsable = async (
  { db, school }: SchoolContext,
  name: string,
  purpose: 'offer' | 'charge' = 'offer',
): Promise<UsableProvider> => {
  const found = (await listUsableProviders(db, school, purpose)).find(one => one.name === name)
  if (found === undefined) throw new Refusal(providerNotUsable, `Payments by ${name} are not accepted here.`)
  return found
}

/** Refuses with 409 an amount that a provider cannot charge, and names the nearest ones that it can. */
export const checkChargeable = async (
  context: SchoolContext,
  provider: string,
  { amount, currency, purpose }: Money & { readonly purpose: ChargePurpose },
): Promise<void> => {
  if (!isOnline(provider)) return
  if (!canCharge(provider, purpose))
    throw new Refusal(providerNotUsable, `Payments by ${provider} are not accepted here for this.`)
  const [fit] = (await chargeable.call({ provider, amount, currency, purpose }, context)).filter(
    one => one !== undefined,
  )
  if (fit === undefined) throw new Refusal(providerNotUsable, `Payments by ${provider} are not accepted here.`)
  if (fit === true) return
  const { nearest } = fit
  const detail = `${provider} cannot charge ${amount} in minor units of ${currency}; the nearest amounts are ${nearest.join(' and ')}.`
  throw new Refusal(amountNotChargeable, detail, { members: { nearest } })
}

type Charge = Money & { readonly purpose: ChargePurpose }

// Whether a provider of the school charges an amount for a purpose, else the nearest amounts that it would.
const findFit = async (context: SchoolContext, provider: string, charge: Charge): Promise<true | readonly number[]> => {
  if (!isOnline(provider)) return true
  if (!canCharge(provider, charge.purpose)) return []
  const fits = await chargeable.call({ provider, ...charge }, context)
  const fit = fits.find(one => one !== undefined)
  return fit === true ? true : (fit?.nearest ?? [])
}

const findFits = async (context: SchoolContext, charge: Charge) => {
  const usable = await listUsableProviders(context.db, context.school)
  const fits = usable.map(async provider => ({ provider, fit: await findFit(context, provider.name, charge) }))
  return Promise.all(fits)
}

/** The providers through which buyers can pay an amount for a purpose now; bank transfer saves nothing, so it sets nothing up. */
export const listFittingProviders = async (
  context: SchoolContext,
  charge: Charge,
): Promise<readonly UsableProvider[]> =>
  (await findFits(context, charge))
    .filter(({ provider, fit }) => fit === true && (charge.purpose !== 'setup' || isOnline(provider.name)))
    .map(({ provider }) => provider)

/** Refuses with 409 what no provider of the school can charge; what is set up now may be paid by transfer later. */
export const checkAnyCharges = async (context: SchoolContext, charge: Charge): Promise<void> => {
  const fits = await findFits(context, charge)
  if (fits.some(({ fit }) => fit === true)) return
  const nearest = [...new Set(fits.flatMap(({ fit }) => (fit === true ? [] : fit)))].sort((one, other) => one - other)
  const detail = `No provider of the school can charge ${charge.amount} in minor units of ${charge.currency} for this.`
  throw new Refusal(amountNotChargeable, detail, { members: { nearest } })
}

// Longer than a provider takes by itself, and well below the time for which a worker's claim holds.
const PATIENCE_MS = 25_000

/** Waits for the answer of a provider; rejects when it takes too long. */
export const awaitAnswer = <T>(call: Promise<T>): Promise<T> => inTime(call, PATIENCE_MS)

/**
 * What the provider knows of a payment now; undefined when it has never heard of it. What a notice said about it is used where
 * nothing is known, and counts when the provider confirms it.
 */
export const findAtProvider = (provider: Provider, row: StoredPayment): Promise<FoundPayment | undefined> => {
  const ref = row.reference ?? row.noticed_ref
  return awaitAnswer(
    provider.find({
      paymentId: toId('pay', row.id),
      memberId: toId('mem', row.member_id),
      since: row.called_at ?? row.created_at,
      ...(ref === null ? {} : { ref }),
      ...(row.customer_ref === null ? {} : { customerRef: row.customer_ref }),
    }),
  )
}
