import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sealContext, sealPurposes } from '#src/db/sealed-keys.ts'
import { opens, unseal } from '#src/kit/crypto.ts'
import { listProviders, listSecrets } from './queries.ts'
import { fitsSchool } from './rules.ts'
import type { ProviderName, TransferInstructions } from './schema.ts'
import { sealedName } from './writes.ts'

/** A provider through which buyers can pay. */
export type UsableProvider = { readonly name: ProviderName; readonly instructions: TransferInstructions | null }

const DEFAULT: UsableProvider = { name: 'manual', instructions: null }

/**
 * The providers through which buyers can pay now: those that are set, fit the school and have their keys. A school that has
 * set none is paid by bank transfer or in person.
 */
export const listUsableProviders = async (db: Db, school: School): Promise<readonly UsableProvider[]> => {
  const rows = await listProviders(db, school.id)
  if (rows.length === 0) return [DEFAULT]
  return rows
    .filter(({ name, mode, secret_key_last4 }) => {
      return fitsSchool(mode, school) && (name !== 'stripe' || secret_key_last4 !== null)
    })
    .map(({ name, instructions }) => ({ name, instructions }))
}

/** The secrets of a provider by their names; one that cannot be unsealed is missing. */
export const readSecrets = async (
  { db, school, keyFor }: { readonly db: Db; readonly school: School; keyFor(purpose: string): Buffer },
  provider: string,
): Promise<Readonly<Record<string, string>>> => {
  const key = keyFor(sealPurposes.payments)
  const secrets = await listSecrets(db, school.id, provider)
  const readable = secrets
    .map(({ name, sealed }) => ({ name, sealed, context: sealContext(school.id, sealedName(provider, name)) }))
    .filter(({ sealed, context }) => opens(key, sealed, context))
  return Object.fromEntries(readable.map(({ name, sealed, context }) => [name, unseal(key, sealed, context)]))
}
