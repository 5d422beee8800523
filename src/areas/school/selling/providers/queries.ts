import type { Db, Recorded } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { KeyMode, ProviderName, SecretName, TransferInstructions } from './schema.ts'

/** A provider as it is stored, with the ends of its secrets. */
export type ProviderRow = Recorded & {
  readonly name: ProviderName
  readonly mode: KeyMode | null
  readonly secret_key_last4: string | null
  readonly webhook_secret_last4: string | null
  readonly instructions: TransferInstructions | null
}

const last4 = (schoolId: string, name: SecretName) => sql`(
  select s.last4 from payment_secrets s
  where s.school_id = ${schoolId} and s.provider = p.name and s.name = ${name})`

const providers = (schoolId: string) => sql<ProviderRow>`
  select p.name, p.mode, ${last4(schoolId, 'secret_key')} as secret_key_last4,
    ${last4(schoolId, 'webhook_secret')} as webhook_secret_last4, p.instructions, p.revision, p.created_at, p.updated_at
  from payment_providers p where p.school_id = ${schoolId}`

/** The providers of a school, by name. */
export const listProviders = (db: Db, schoolId: string) =>
  db.all(sql<ProviderRow>`${providers(schoolId)} order by p.name`)

/** A provider of a school, after the row of the school was locked until the transaction ends. */
export const lockProvider = async (db: Db, schoolId: string, name: ProviderName): Promise<ProviderRow | undefined> => {
  await db.one(sql`select from schools where id = ${schoolId} for no key update`)
  return db.first(sql<ProviderRow>`${providers(schoolId)} and p.name = ${name}`)
}

/** What of a provider is stored beside its secrets. */
type ProviderValues = Pick<ProviderRow, 'name' | 'mode' | 'instructions'>

/** Stores a provider as its next revision. */
export const storeProvider = (db: Db, schoolId: string, { name, mode, instructions }: ProviderValues) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into payment_providers as p (school_id, name, mode, instructions, created_at, updated_at)
    select ${schoolId}, ${name}, ${mode}, ${instructions === null ? null : JSON.stringify(instructions)}::jsonb, now, now
    from clock
    on conflict (school_id, name) do update set mode = excluded.mode, instructions = excluded.instructions,
      revision = p.revision + 1, updated_at = excluded.updated_at`)

// A secret, sealed, with its last four characters.
type SealedSecret = { readonly name: SecretName; readonly sealed: Buffer; readonly last4: string }

/** The sealed secrets of a provider. */
export const listSecrets = (db: Db, schoolId: string, provider: string) =>
  db.all(sql<Omit<SealedSecret, 'last4'>>`
    select name, sealed from payment_secrets where school_id = ${schoolId} and provider = ${provider}`)

/** Stores a secret of a provider in place of the one before. */
export const storeSecret = (db: Db, schoolId: string, provider: string, secret: SealedSecret) =>
  db.run(sql`
    insert into payment_secrets (school_id, provider, name, sealed, last4)
    values (${schoolId}, ${provider}, ${secret.name}, ${secret.sealed}, ${secret.last4})
    on conflict (school_id, provider, name) do update set sealed = excluded.sealed, last4 = excluded.last4`)

/** Deletes a secret of a provider; the provider stays without it. */
export const deleteSecret = (db: Db, schoolId: string, provider: string, name: string) =>
  db.run(sql`
    delete from payment_secrets where school_id = ${schoolId} and provider = ${provider} and name = ${name}`)

/** Deletes a provider with its secrets. */
export const deleteProvider = (db: Db, schoolId: string, name: ProviderName) =>
  db.run(sql`delete from payment_providers where school_id = ${schoolId} and name = ${name}`)
