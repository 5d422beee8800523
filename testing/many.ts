import pg from 'pg'
import type { TestDatabase } from './database.ts'

const FIRST = 'ana bento clara davi elsa fabio gil heitor ines joao karl lara maria noa olga paulo rita sara tomas vera'
const LAST =
  'alves braga costa dias esteves faria gomes horta ines jardim lima mota neves okafor pires ramos silva tavares'

const formatWords = (text: string): string => `'{${text.split(' ').join(',')}}'::text[]`

// The properties of members do not depend on any order of the members.
const MEMBERS = `
  insert into members (school_id, id, email, email_folded, email_verified, name, name_folded, phone, external_id, status,
    role, last_seen_at, created_at, updated_at, changed_in)
  select $1::uuid, person, address, address, true, called, called,
    case when h % 10 = 0 then '+351 21 ' || n end, case when h % 3 = 0 then 'crm-' || n end,
    case when h % 50 = 0 then 'deleted' when h % 997 = 0 then 'suspended' when h % 20 = 1 then 'invited' else 'active' end,
    case when h % 10000 = 7 then 'admin' when h % 1000 = 7 then 'lecturer' else 'member' end,
    case when h % 4 <> 0 then made + interval '30 days' end, made, made + interval '1 day',
    pg_current_xact_id()::text::bigint
  from (
    select n, made, ('x' || substr(hash, 16, 7))::bit(28)::integer as h,
      (lpad(to_hex((extract(epoch from made) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3) || '8'
        || substr(hash, 4, 15))::uuid as person,
      -- Spread over the alphabet, without an order in which they were made.
      'm' || substr(hash, 20, 10) || '@people' || n % 40 || '.example' as address,
      (first)[1 + n % cardinality(first)] || ' ' || (last)[1 + (n / 20) % cardinality(last)] || ' ' || substr(hash, 24, 6)
        as called
    from (select ${formatWords(FIRST)} as first, ${formatWords(LAST)} as last) as names,
      generate_series(1, $2::integer) as n,
      lateral (select md5(n::text) as hash, timestamptz '2020-01-01' + n * (interval '2000 days' / $2::integer) as made) as at
  ) as people`

// A number that does not depend on any order.
const PLACE = `('x' || right(id::text, 7))::bit(28)::integer`

const TAGS = `
  insert into member_tags (school_id, member_id, tag, added_at)
  select school_id, id, tag, created_at from (
    select *, ${PLACE} as n from members where school_id = $1) as m,
    lateral (values ('everyday', n % 3 = 1), ('rare', n % greatest($2 / 10, 1) = 1)) as v (tag, has)
  where has`

const GROUPS = `
  with made as (
    insert into groups (school_id, id, name, name_folded, description, created_at, updated_at)
    select $1::uuid, gen_random_uuid(), name, name, '', now(), now() from unnest('{large,small}'::text[]) as name
    returning school_id, id, name
  ), counted as (select school_id, id, ${PLACE} as n from members where school_id = $1)
  insert into group_members (school_id, group_id, member_id, added_at)
  select g.school_id, g.id, m.id, now() from made g join counted m
    on m.n % case g.name when 'large' then 5 else greatest($2 / 20, 1) end = 2`

// Does for all rows at once what the trigger does for each row.
const ENTRIES = `
  insert into stoa.search_entries (school_id, kind, id, words)
  select school_id, 'member', id, array_to_tsvector(array_remove(array[
    prefix || split_part(name_folded, ' ', 1), prefix || split_part(name_folded, ' ', 2),
    prefix || split_part(name_folded, ' ', 3), prefix || split_part(email_folded, '@', 1),
    prefix || split_part(split_part(email_folded, '@', 2), '.', 1), prefix || 'example',
    case when external_id is not null then prefix || 'crm' end, prefix || split_part(external_id, '-', 2),
    prefix || split_part(phone, ' ', 3)], null))
  from members, stoa.search_prefix($1, 'member') as prefix where school_id = $1
  on conflict do nothing`

type Client = Pick<pg.Client, 'query'>

const SLOW = ['members', 'member_tags', 'group_members', 'stoa.search_entries']

/** Runs work without the indexes that only slow down bulk inserts; they are created again afterwards. */
const withoutIndexes = async (client: Client, work: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [SLOW],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  for (const { made: definition } of rows) await client.query(definition)
}

/** A school by its id, and its number of members. */
type Peopled = { readonly schoolId: string; readonly members: number }

/** Fills schools with members, their tags, groups and search entries by SQL, since the API would take too long. */
export const fillWithMembers = async (database: TestDatabase, schools: readonly Peopled[]): Promise<void> => {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    await client.query("set work_mem = '256MB'; set maintenance_work_mem = '512MB'")
    // Without triggers and without looking up what each row refers to.
    await client.query('set session_replication_role = replica')
    await withoutIndexes(client, async () => {
      for (const { schoolId, members } of schools) {
        await client.query(MEMBERS, [schoolId, members])
        await client.query(TAGS, [schoolId, members])
        await client.query(GROUPS, [schoolId, members])
        await client.query(ENTRIES, [schoolId])
      }
    })
    await client.query('set session_replication_role = default')
    // A sample of every row, so that chance decides no plan: 300 rows are sampled for each unit of the largest target.
    for (const table of SLOW) await client.query(`alter table ${table} alter column school_id set statistics 10000`)
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}
