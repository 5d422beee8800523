import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sealContext, sealPurposes } from '#src/db/sealed-keys.ts'
import { seal } from '#src/kit/crypto.ts'
import { deleteSecret, storeSecret } from './queries.ts'

/** The name of a secret among all that is sealed in a school. */
export const sealedName = (provider: string, name: string): string => `${provider}/${name}`

/** Seals a secret of a provider and stores it in place of the one before. */
export const sealSecret = (
  { db, school, keyFor }: { readonly db: Db; readonly school: School; keyFor(purpose: string): Buffer },
  provider: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<number> => {
  const context = sealContext(school.id, sealedName(provider, name))
  const sealed = seal(keyFor(sealPurposes.payments), value, context)
  return storeSecret(db, school.id, provider, { name, sealed, last4: value.slice(-4) })
}

/** Deletes a secret that cannot be unsealed, by its name among all that is sealed; an owner sets it again. */
export const removeLostSecret = (
  { database, school }: { readonly database: Database; readonly school: School },
  kid: string,
): Promise<number> => {
  const [provider = '', name = ''] = kid.split('/')
  return database.statements(school.id, db => deleteSecret(db, school.id, provider, name))
}
