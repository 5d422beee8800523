import type { Db, Recorded } from '#src/contract/db.ts'
import type { Finding, KeyMode } from '#src/contract/payments.ts'
import { sql } from '#src/db/sql.ts'
import type { ProviderAccount, ProviderUseName, TransferInstructions } from './schema.ts'

/** A provider as it is stored, with the ends of its secrets. */
export type ProviderRow = Recorded & {
  readonly name: string
  readonly mode: KeyMode | null
  /** Those that are set, by name. */
  readonly secrets: { readonly name: string; readonly last4: string }[]
  readonly instructions: TransferInstructions | null
  readonly use: ProviderUseName
  /** The account that its keys are of; null until a check has said it. */
  readonly account: ProviderAccount | null
  /** The id of the endpoint that we made at the provider. */
  readonly webhook_ref: string | null
  readonly webhook_events: readonly string[] | null
  readonly heard_at: Date | null
  readonly checked_at: Date | null
  readonly findings: readonly Finding[] | null
  /** Until when bank transfer is offered although buyers are told nothing; null where that is over, or never was. */
  readonly offered_until: Date | null
  /** Whether what the school sold as a test is being deleted, so that nothing is sold. */
  readonly is_clearing: boolean
}

const providers = (schoolId: string) => sql<ProviderRow>`
  select p.name, p.mode, p.instructions, p.use, p.account, p.webhook_ref, p.webhook_events, p.heard_at, p.checked_at, p.findings,
    p.revision, p.created_at, p.updated_at,
    exists (select from test_clearings c where c.school_id = ${schoolId}) as is_clearing,
    case when p.offered_until > (select stoa.now()) then p.offered_until end as offered_until,
    (select coalesce(jsonb_agg(jsonb_build_object('name', s.name, 'last4', s.last4) order by s.name), '[]')
      from payment_secrets s where s.school_id = ${schoolId} and s.provider = p.name) as secrets
  from payment_providers p where p.school_id = ${schoolId}`

/** The providers of a school, by name. */
export const listProviders = (db: Db, schoolId: string) =>
  db.all(sql<ProviderRow>`${providers(schoolId)} order by p.name`)

/** A provider of a school; undefined when it is not set. */
export const findProviderRow = (db: Db, schoolId: string, name: string): Promise<ProviderRow | undefined> =>
  db.first(sql<ProviderRow>`${providers(schoolId)} and p.name = ${name}`)

/** A provider of a school, after the row of the school was locked until the transaction ends. */
export const lockProvider = async (db: Db, schoolId: string, name: string): Promise<ProviderRow | undefined> => {
  await db.one(sql`select from schools where id = ${schoolId} for no key update`)
  return findProviderRow(db, schoolId, name)
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

/** Stores what a provider is used for as its next revision. */
export const storeUse = (db: Db, schoolId: string, name: string, use: ProviderUseName) =>
  db.run(sql`
    update payment_providers set use = ${use}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and name = ${name}`)

/** What a check found. */
type CheckValues = { readonly account: ProviderAccount | null; readonly findings: readonly Finding[] }

/**
 * Stores what a check of a provider found, at an instant; the account stays where the provider does not say it. Undefined when
 * the provider has changed since it was checked.
 */
export const storeCheck = (
  db: Db,
  schoolId: string,
  { name, revision }: Pick<ProviderRow, 'name' | 'revision'>,
  { account, findings }: CheckValues,
) =>
  db.first(sql<{ checked_at: Date }>`
    update payment_providers set checked_at = (select stoa.now()), findings = ${JSON.stringify(findings)}::jsonb,
      account = coalesce(${account === null ? null : JSON.stringify(account)}::jsonb, account)
    where school_id = ${schoolId} and name = ${name} and revision = ${revision} returning checked_at`)

/** Forgets what the last check of a provider found. */
export const forgetCheck = (db: Db, schoolId: string, name: string) =>
  db.run(sql`
    update payment_providers set checked_at = null, findings = null where school_id = ${schoolId} and name = ${name}`)

/** Forgets the account of a provider, since its keys may be of another one. */
export const forgetAccount = (db: Db, schoolId: string, name: string) =>
  db.run(sql`update payment_providers set account = null where school_id = ${schoolId} and name = ${name}`)

/** Forgets the endpoint that we made at a provider, when keys of the other mode replace all. */
export const forgetEndpoint = (db: Db, schoolId: string, name: string) =>
  db.run(sql`
    update payment_providers set webhook_ref = null, webhook_events = null
    where school_id = ${schoolId} and name = ${name}`)

/** An endpoint that a provider made for our webhook. */
type EndpointValues = { readonly ref: string; readonly events: readonly string[] }

/** Stores the endpoint that a provider made for our webhook, as the next revision. */
export const storeEndpoint = (db: Db, schoolId: string, name: string, { ref, events }: EndpointValues) =>
  db.run(sql`
    update payment_providers set webhook_ref = ${ref}, webhook_events = ${JSON.stringify(events)}::jsonb,
      revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and name = ${name}`)

// A secret, sealed, with its last four characters.
type SealedSecret = { readonly name: string; readonly sealed: Buffer; readonly last4: string }

/** A provider that is called: its mode, whether it was heard from within the hour, and its secrets, sealed. */
type CallableRow = {
  readonly mode: KeyMode | null
  readonly is_heard: boolean
  /** The account that its keys are of; null until a check has said it. */
  readonly account: string | null
  /** Whether its keys were checked. */
  readonly is_checked: boolean
  readonly secrets: readonly Omit<SealedSecret, 'last4'>[]
}

/** A provider of a school with its sealed secrets; undefined when it is not set. */
export const findCallable = async (db: Db, schoolId: string, name: string): Promise<CallableRow | undefined> => {
  const rows = await db.all(sql<
    Omit<CallableRow, 'secrets'> & { readonly secret: string | null; readonly sealed: Buffer | null }
  >`
    select p.mode, coalesce(p.heard_at > (select stoa.now()) - interval '1 hour', false) as is_heard,
      p.account->>'id' as account, p.checked_at is not null as is_checked, s.name as secret, s.sealed
    from payment_providers p
    left join payment_secrets s on s.school_id = p.school_id and s.provider = p.name
    where p.school_id = ${schoolId} and p.name = ${name}`)
  const [first] = rows
  return (
    first && {
      mode: first.mode,
      is_heard: first.is_heard,
      account: first.account,
      is_checked: first.is_checked,
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
