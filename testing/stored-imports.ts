import type { TestDatabase } from './database.ts'

const COUNTS = '{"created":1,"updated":0,"unchanged":0,"failed":0,"skipped":0,"notices":0}'
const OPTIONS =
  '{"existing":"update","restore_deleted":false,"send_invitations":false,"notify":false,"issue_certificates":false,"course_id":null,"tags":[],"inactive":"report"}'
const FORMAT =
  '{"type":"csv","encoding":"utf-8","delimiter":",","sheet":null,"header_row":1,"is_encoding_guessed":false,"encoding_samples":[],"sheets":[],"skipped":[],"rows":1,"columns":[{"index":0,"heading":"Email","samples":["iris@crumb.example"]}]}'

// Those that were ready and are checked or deleted are not ready for the next caller.
const EACH = 4

/**
 * Adds to every school of the demo data some imports of each kind that are ready, some that were checked and some that have ended,
 * with a row each, and uploads of everybody who may import one. Their files have no bytes, since there is no store yet.
 */
export const addImports = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  await query(`
    insert into uploads (school_id, id, member_id, purpose, status, filename, declared_type, byte_size, received_bytes,
      object_key, content_type, sha256, unlinked_since, created_at, updated_at)
    select s.id, ('00000000-0000-7000-7ff' || n || '-' || right(m.id::text, 12))::uuid, m.id, 'import', 'ready', 'people.csv',
      'text/csv', 30, 30, s.id || '/files/00/people-' || n || '-' || m.id, 'text/csv', sha256('people'::bytea), stoa.now(),
      stoa.now(), stoa.now()
    from schools s join members m on m.school_id = s.id and m.role in ('owner', 'admin', 'lecturer')
    cross join generate_series(1, ${EACH}) as n`)
  await query(`
    insert into storage_totals (school_id, bytes)
    select school_id, sum(byte_size) from uploads where purpose = 'import' group by school_id
    on conflict (school_id) do update set bytes = storage_totals.bytes + excluded.bytes`)
  await query(`
    insert into imports (school_id, id, kind, status, file_name, byte_size, sha256, format, mapping, options, counts, position,
      handled_count, is_fully_checked, started_by, checked_at, started_at, ended_at, created_at, updated_at)
    select s.id, gen_random_uuid(), k.kind, t.status, 'people.csv', 30, sha256('people'::bytea), '${FORMAT}',
      '[{"column": 0, "field": "email"}]',
      '${OPTIONS}'::jsonb || jsonb_build_object('course_id', c.id), '${COUNTS}', 2, 1, t.status <> 'ready', m.id,
      case when t.status <> 'ready' then stoa.now() end, case when t.status = 'completed' then stoa.now() end,
      case when t.status = 'completed' then stoa.now() end, stoa.now(), stoa.now()
    from schools s
    cross join (values ('people'), ('learning')) as k (kind)
    cross join (values ('ready'), ('checked'), ('completed')) as t (status)
    cross join generate_series(1, ${EACH})
    join members m on m.school_id = s.id and m.role = 'owner'
    left join courses c on c.school_id = s.id and c.slug = 'first-loaf'`)
  await query(`
    insert into import_rows (school_id, import_id, number, status, cells)
    select school_id, id, 2, case when status <> 'ready' then 'created' end, '["iris@crumb.example"]' from imports`)
}
