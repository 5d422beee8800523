import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sealContext, sealPurposes } from '#src/db/sealed-keys.ts'
import { opens, unseal } from '#src/kit/crypto.ts'
import { findCallable, findProviderRow, listProviders } from './queries.ts'
import { findProviderLack, fitsSchool, hasChargeSecrets, isUsedFor, type ProviderPurpose } from './rules.ts'
import type { TransferInstructions } from './schema.ts'
import { sealedName } from './writes.ts'

/** A provider through which buyers can pay. */
export type UsableProvider = { readonly name: string; readonly instructions: TransferInstructions | null }

/**
 * The providers through which buyers can pay now, or through which saved methods are charged: those that are set, used for that,
 * and lack nothing. No provider is set by default.
 */
export const listUsableProviders = async (
  db: Db,
  school: School,
  purpose: ProviderPurpose = 'offer',
): Promise<readonly UsableProvider[]> =>
  (await listProviders(db, school.id))
    .filter(row => isUsedFor(row, purpose) && findProviderLack(row, school) === undefined)
    .map(({ name, instructions }) => ({ name, instructions }))

/** What a provider of a school is called with. */
export type CallableProvider = {
  /** Whether it fits the school and has the secrets without which nothing is charged. */
  readonly isUsable: boolean
  /** By their names; one that cannot be unsealed is missing. */
  readonly secrets: Readonly<Record<string, string>>
  /** Whether a genuine notice of it came within the hour. */
  readonly isHeard: boolean
  /** Whether its keys are of an account, as far as that is known: they are of any that nothing is known of. */
  fitsAccount(account: string | null): boolean
}

/** What a provider of a school is called with; undefined when it is not set. */
export const findCallableProvider = async (
  { db, school, keyFor }: { readonly db: Db; readonly school: School; keyFor(purpose: string): Buffer },
  provider: string,
): Promise<CallableProvider | undefined> => {
  const row = await findCallable(db, school.id, provider)
  if (row === undefined) return undefined
  const key = keyFor(sealPurposes.payments)
  const readable = row.secrets
    .map(({ name, sealed }) => ({ name, sealed, context: sealContext(school.id, sealedName(provider, name)) }))
    .filter(({ sealed, context }) => opens(key, sealed, context))
  const secrets = Object.fromEntries(readable.map(({ name, sealed, context }) => [name, unseal(key, sealed, context)]))
  const isUsable = fitsSchool(row.mode, school) && hasChargeSecrets(provider, Object.keys(secrets))
  const fitsAccount = (account: string | null): boolean =>
    account === null || account === row.account || (row.account === null && row.is_checked)
  return { isUsable, secrets, isHeard: row.is_heard, fitsAccount }
}

/** How a school stands to a provider through which something was begun. */
type ProviderStanding = {
  /** Whether it was removed or has keys of another account, so that what was begun cannot go on there. */
  readonly isGone: boolean
  /** Whether saved methods are charged through it. */
  readonly isCharging: boolean
}

/** How a school stands to a provider, of which something was begun with an account; null where no check had said which. */
export const readProviderStanding = async (
  { db, school }: { readonly db: Db; readonly school: School },
  { provider, account }: { readonly provider: string; readonly account: string | null },
): Promise<ProviderStanding> => {
  const row = await findProviderRow(db, school.id, provider)
  if (row === undefined) return { isGone: true, isCharging: false }
  const isOther = account !== null && row.account !== null && row.account.id !== account
  return { isGone: isOther, isCharging: isUsedFor(row, 'charge') }
}
