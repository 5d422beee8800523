import type { TestDatabase } from './database.ts'

/**
 * Adds to every school of the demo data a static page that nobody but staff sees, with one deployment that is live and one
 * that was refused. Their objects have no bytes, since there is no store yet.
 */
export const addStaticPages = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  await query(`
    insert into pages (school_id, id, kind, path, visibility, position, status, version, created_at, updated_at)
    select id, ('00000000-0000-7000-8003-' || lpad(to_hex(row_number() over (order by id)), 12, '0'))::uuid, 'static',
      '/open-day', 'unlisted', 1000, 'draft', 1, stoa.now(), stoa.now()
    from schools`)
  await query(`
    insert into page_versions (school_id, id, page_id, number, title, blocks, words_folded, body_words, created_at)
    select school_id, id, id, 1, 'Open day', '[]', 'open day', 'open day', stoa.now() from pages where path = '/open-day'`)
  await query(`
    insert into uploads (school_id, id, member_id, purpose, status, filename, declared_type, byte_size, received_bytes,
      object_key, content_type, sha256, created_at, updated_at)
    select p.school_id, p.id, (select m.id from members m where m.school_id = p.school_id and m.role = 'owner' limit 1),
      'page', 'ready', 'open-day.zip', 'application/zip', 3, 3, p.school_id || '/files/00/open-day', 'application/zip',
      sha256('Rye'::bytea), stoa.now(), stoa.now()
    from pages p where p.path = '/open-day'`)
  await query(`
    insert into page_deployments (school_id, id, page_id, file_id, status, problems, file_count, byte_size, ignored_count,
      checked_at, promoted_at, created_at, updated_at)
    select p.school_id, (left(p.id::text, 14) || d.part || substr(p.id::text, 19))::uuid, p.id, p.id, d.status,
      d.problems::jsonb, d.file_count, d.file_count * 3, d.file_count - 1, stoa.now(),
      case when d.status = 'checked' then stoa.now() end, stoa.now() - interval '1 minute', stoa.now()
    from pages p cross join (values
      ('7001', 'checked', '[]', 1),
      ('7002', 'refused', '[{"code": "parent_folder", "entry": "../recipes.txt"}]', null)
    ) as d (part, status, problems, file_count)
    where p.path = '/open-day'`)
  await query(`
    insert into page_objects (school_id, sha256, byte_size, stored_at)
    select school_id, sha256('Rye'::bytea), 3, stoa.now() from pages where path = '/open-day'`)
  await query(`
    insert into page_deployment_files (school_id, deployment_id, path, sha256)
    select school_id, id, 'index.html', sha256('Rye'::bytea) from page_deployments where status = 'checked'`)
  await query(`
    update pages p set live_deployment_id = d.id from page_deployments d
    where d.school_id = p.school_id and d.page_id = p.id and d.status = 'checked'`)
  await query(`
    insert into storage_totals (school_id, bytes)
    select p.school_id, 6 from pages p where p.path = '/open-day'
    on conflict (school_id) do update set bytes = storage_totals.bytes + excluded.bytes`)
}
