import type { Db, Recorded } from '#src/contract/db.ts'
import type { KeyMode } from '#src/contract/payments.ts'
import { sql } from '#src/db/sql.ts'
import type { TransferInstructions } from './schema.ts'

/** A provider as it is stored, with the ends of its secrets. */
export type ProviderRow = Recorded & {
  readonly name: string
  readonly mode: KeyMode | null
  /** Those that are set, by name. */
  readonly secrets: { readonly name: string; readonly last4: string }[]
  readonly instructions: TransferInstructions | null
}

const providers = (schoolId: string) => sql<ProviderRow>`
  select p.name, p.mode, p.instructions, p.revision, p.created_at, p.updated_at,
    (select coalesce(jsonb_agg(jsonb_build_object('name', s.name, 'last4', s.last4) order by s.name), '[]')
      from payment_secrets s where s.school_id = ${schoolId} and s.provider = p.name) as secrets
  from payment_providers p where p.school_id = ${schoolId}`

/** The providers of a school, by name. */
export const listProviders = (db: Db, schoolId: string) =>
  db.all(sql<ProviderRow>`${providers(schoolId)} order by p.name`)

/** A provider of a school, after the row of the school was locked until the transaction ends. */
export const lockProvider = async (db: Db, schoolId: string, name: string): Promise<ProviderRow | undefined> => {
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
type SealedSecret = { readonly name: string; readonly sealed: Buffer; readonly last4: string }

/** A provider that is called: its mode, whether it was heard from within the hour, and its secrets, sealed. */
type CallableRow = {
  readonly mode: KeyMode | null
  readonly is_heard: boolean
  readonly secrets: readonly Omit<SealedSecret, 'last4'>[]
}

/** A provider of a school with its sealed secrets; undefined when it is not set. */
export const findCallable = async (db: Db, schoolId: string, name: string): Promise<CallableRow | undefined> => {
  const rows = await db.all(sql<
    Pick<CallableRow, 'mode' | 'is_heard'> & { readonly secret: string | null; readonly sealed: Buffer | null }
  >`
    select p.mode, coalesce(p.heard_at > (select stoa.now()) - interval '1 hour', false) as is_heard, s.name as secret, s.sealed
    from payment_providers p
    left join payment_secrets s on s.school_id = p.school_id and s.provider = p.name
    where p.school_id = ${schoolId} and p.name = ${name}`)
  const [first] = rows
  return (
    first && {
      mode: first.mode,
      is_heard: first.is_heard,
      secrets: rows.flatMap(({ secret, sealed }) =>
        secret === null || sealed === null ? [] : [{ name: secret, sealed }],
      ),
    }
  )
}

/** Notes that a provider was heard from. */
export const storeHeard = (db: Db, schoolId: string, name: string) =>
  db.run(sql`
    update payment_providers set heard_at = (select stoa.now()) where school_id = ${schoolId} and name = ${name}`)

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
export const deleteProvider = (db: Db, schoolId: string, name: string) =>
  db.run(sql`delete from payment_providers where school_id = ${schoolId} and name = ${name}`)
