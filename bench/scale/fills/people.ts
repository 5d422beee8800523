import { type Fill, NAME_WORDS, object, readId } from '../spine.ts'

const STATUS = `case when s.a % 50 = 0 then 'deleted' when s.a % 997 = 0 then 'suspended' when s.a % 20 = 1 then 'invited'
  else 'active' end`

/** Members with tags, custom fields, roles, statuses, groups and notes. */
export const people: readonly Fill[] = [
  {
    table: 'members',
    from: `(select *, ${STATUS} as member_status from spine s) as s`,
    set: {
      id: 's.member_id',
      email: 's.email',
      email_folded: 's.email',
      email_verified: 'true',
      name: 'initcap(s.name)',
      name_folded: 's.name',
      role: `case when s.n % 10000 = 7 then 'admin' when s.n % 1000 = 7 then 'lecturer' else 'member' end`,
      status: 's.member_status',
      phone: `case when s.a % 10 = 0 then '+351 21 ' || s.n end`,
      external_id: `case when s.b % 3 = 0 then 'crm-' || s.n end`,
      custom_fields: object({ oven: `('{gas,electric,wood}'::text[])[1 + s.a % 3]` }),
      marketing_granted: 's.b % 4 = 0',
      marketing_at: `case when s.b % 4 = 0 then s.at end`,
      last_seen_at: `case when s.a % 4 <> 0 then least(s.at + (s.b % 700) * interval '1 day', stoa.now()) end`,
      suspended_at: `case when s.member_status = 'suspended' then s.at + interval '2 days' end`,
      invited_at: `case when s.member_status = 'invited' then s.at end`,
      deleted_at: `case when s.member_status = 'deleted' then s.at + interval '40 days' end`,
      changed_in: 's.changed_in',
      created_at: 's.at',
      updated_at: `s.at + interval '1 day'`,
    },
  },
  {
    table: 'member_tags',
    from: `spine s, lateral (values ('everyday', s.a % 3 = 1), ('rare', s.a % greatest($2::bigint / 10, 1) = 1),
      ('segment-' || s.b % 20, s.b % 5 = 0)) as v (tag, has) where v.has`,
    set: { member_id: 's.member_id', tag: 'v.tag', added_at: 's.at' },
  },
  {
    table: 'group_members',
    from: `spine s, (select id from groups where school_id = $1 order by id limit 1) as g where s.a % 5 = 2`,
    set: { group_id: 'g.id', member_id: 's.member_id', added_at: 's.at' },
  },
  {
    table: 'member_notes',
    from: 'spine s where s.b % 10 = 3',
    like: 'true',
    set: { id: readId('note'), member_id: 's.member_id', created_at: 's.at', updated_at: 's.at' },
  },
]

/** The words of members, as `stoa.member_search_entry` keeps them. */
export const MEMBER_WORDS = `
  insert into stoa.search_entries (school_id, kind, id, words)
  select m.school_id, 'member', m.id, array_to_tsvector(array_remove(${NAME_WORDS} || array[
    case when s.b % 3 = 0 then p.prefix || 'crm' end, case when s.b % 3 = 0 or s.a % 10 = 0 then p.prefix || s.n end,
    case when s.a % 10 = 0 then p.prefix || '351' end, case when s.a % 10 = 0 then p.prefix || '21' end], null))
  from spine s join members m on m.school_id = $1 and m.id = s.member_id, stoa.search_prefix($1, 'member') as p (prefix)`
