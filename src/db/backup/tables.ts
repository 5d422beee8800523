import pg from 'pg'
import { BackupRefused } from './errors.ts'

/** A table with the columns that are backed up. */
export type Table = { readonly name: string; readonly columns: readonly string[] }

/** How a table differs after a restore from what it was, and why. */
type Difference = {
  /** `left_out`: it is not in a backup. `fewer` and `more`: some rows end with the restore, or are added by it. */
  readonly rows?: 'left_out' | 'fewer' | 'more'
  /** The columns that have other values. */
  readonly columns?: readonly string[]
  readonly why: string
}

const ENDED = 'it would have to end with the restore, so it is better not in a file'

/**
 * Every table that differs after a restore; all others are equal, row by row. No table that is backed up may refer to one that is
 * left out. `docs/operations.md` has the same list.
 */
export const differences: Readonly<Record<string, Difference>> = {
  'public.access_tokens': { rows: 'left_out', why: ENDED },
  'public.address_codes': { rows: 'left_out', why: ENDED },
  'public.authorization_requests': { rows: 'left_out', why: ENDED },
  'public.kept_forms': { rows: 'left_out', why: 'what was typed is kept for 15 minutes' },
  'public.known_browsers': { rows: 'left_out', why: ENDED },
  'public.limits': { rows: 'left_out', why: 'counters of minutes and hours' },
  'public.refresh_families': { rows: 'left_out', why: ENDED },
  'public.sessions': { rows: 'left_out', why: ENDED },
  'stoa.clock': { rows: 'left_out', why: 'the clock is that of the installation' },
  'stoa.heartbeat': { rows: 'left_out', why: 'it proves that notifications arrive in this database' },
  'stoa.migrations': { rows: 'left_out', why: 'the names are in the manifest; the restore applies them' },
  'public.grants': {
    columns: ['revoked_at', 'revoked_for'],
    why: 'no approval of an app from before the restore counts',
  },
  'public.jobs': { rows: 'fewer', why: 'the jobs of mails and webhooks that waited end with them' },
  'public.mails': { rows: 'fewer', why: 'mails that waited were sent already, or are outdated' },
  'public.schools': { columns: ['tokens_epoch'], why: 'no token from before the restore counts' },
  'public.security_events': { rows: 'more', why: 'one row says that the restore ended all approvals' },
  'public.webhook_deliveries': {
    columns: ['status', 'next_attempt_at', 'ended_at'],
    why: 'what waited is not sent, since the installation of the backup may still send it',
  },
  'public.webhooks': {
    columns: ['status', 'disabled_reason', 'failing_since', 'next_attempt_at', 'missed_from'],
    why: 'the installation of the backup may still run, so every webhook is disabled',
  },
  'stoa.era': { columns: ['id'], why: 'positions in `after` end with a restore' },
}

/** The columns that mean nothing in another database; every table that has them gets those of the restore. */
export const stampedColumns: readonly string[] = ['changed_in', 'transaction_id']

/** The tables that are not backed up. */
export const leftOut: readonly string[] = Object.entries(differences).flatMap(([name, { rows }]) =>
  rows === 'left_out' ? [name] : [],
)

// The migrations are in the manifest. Generated columns are computed again, and transaction ids have no meaning
// elsewhere.
const TABLES = `
  select n.nspname || '.' || c.relname as name,
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '' and a.atttypid <> 'xid8'::regtype)
      as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname in ('public', 'stoa') and c.relkind = 'r' and c.oid <> 'stoa.migrations'::regclass
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  group by 1 order by 1`

const REFERENCES = `
  select distinct sn.nspname || '.' || s.relname as source, tn.nspname || '.' || t.relname as target
  from pg_constraint c
  join pg_class s on s.oid = c.conrelid
  join pg_namespace sn on sn.oid = s.relnamespace
  join pg_class t on t.oid = c.confrelid
  join pg_namespace tn on tn.oid = t.relnamespace
  where c.contype = 'f' and s.oid <> t.oid and not c.condeferrable`

const SEQUENCES = `
  select schemaname || '.' || sequencename as name from pg_sequences where schemaname in ('public', 'stoa')`

type Reference = { readonly source: string; readonly target: string }

/** A table's name in SQL. */
export const quoted = (name: string): string =>
  name
    .split('.')
    .map(part => pg.escapeIdentifier(part))
    .join('.')

const sorted = (tables: readonly Table[], references: readonly Reference[]): Table[] => {
  const order: Table[] = []
  let waiting = [...tables]
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name))
    const isReady = ({ name }: Table) => references.every(({ source, target }) => source !== name || !names.has(target))
    const ready = waiting.filter(isReady)
    if (ready.length === 0) throw new Error('tables refer to each other in a cycle')
    order.push(...ready)
    waiting = waiting.filter(table => !ready.includes(table))
  }
  return order
}

/**
 * Every table of the database, in an order in which rows can be loaded: referenced tables come first. Deferrable references do
 * not count, since a restore checks them when all rows are there.
 */
export const listTables = async (client: pg.Client): Promise<Table[]> => {
  const { rows: tables } = await client.query<Table>(TABLES)
  const { rows: references } = await client.query<Reference>(REFERENCES)
  const { rows: sequences } = await client.query<{ name: string }>(SEQUENCES)
  // The state of a sequence is in no table; the first sequence must be added to the backup.
  if (sequences.length > 0) throw new BackupRefused(`a backup cannot contain the sequence ${sequences[0]?.name}`)
  return sorted(tables, references)
}

/** The tables that are backed up. */
export const backedUpTables = (tables: readonly Table[]): Table[] =>
  tables.filter(({ name }) => !leftOut.includes(name))

const SETTINGS = [
  `client_encoding = 'UTF8'`,
  `datestyle = 'ISO, YMD'`,
  `intervalstyle = 'postgres'`,
  `timezone = 'UTC'`,
  'extra_float_digits = 1',
  `bytea_output = 'hex'`,
  'standard_conforming_strings = on',
  'search_path = public',
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  'row_security = off',
]

/** Fixes the format in which a connection writes and reads values, and removes its timeouts. */
export const restoreSequences = async (client: pg.Client): Promise<void> => {
  for (const setting of SETTINGS) await client.query(`set ${setting}`)
}
