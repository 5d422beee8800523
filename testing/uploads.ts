import type { School } from '#src/contract/school.ts'
import type { Actor } from './actor.ts'
import type { PersonName, TestApp } from './app.ts'
import type { TestDatabase } from './database.ts'
import type { TestReply } from './http.ts'

/** Adds to everybody in the demo data an open upload and an unused file; adds an attachment to a lesson and a file to a product. */
export const announceUploads = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  await query(`
    insert into uploads (school_id, id, member_id, purpose, status, filename, declared_type, byte_size, received_bytes,
      object_key, content_type, sha256, unlinked_since, created_at, updated_at)
    select m.school_id, ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, m.id, 'submission', s.status, s.filename, 'text/plain', 3,
      case when s.status = 'ready' then 3 else 0 end,
      case when s.status = 'ready' then m.school_id || '/files/00/' || m.id end,
      case when s.status = 'ready' then 'text/plain' end, case when s.status = 'ready' then sha256('Rye'::bytea) end,
      stoa.now(), stoa.now(), stoa.now()
    from members m, (values ('created', 'starter.txt'), ('ready', 'rye.txt')) as s (status, filename)`)
  // The files that Carla uploaded for her course belong to a lesson that everybody may read.
  await query(`
    insert into uploads (school_id, id, member_id, purpose, status, filename, declared_type, byte_size, received_bytes,
      object_key, content_type, sha256, created_at, updated_at)
    select m.school_id, ('00000000-0000-7000-8001-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, m.id, 'course',
      'ready', 'flour.txt', 'text/plain', 3, 3, m.school_id || '/files/00/flour', 'text/plain', sha256('Rye'::bytea),
      stoa.now(), stoa.now()
    from members m where m.email_folded = 'carla@crumb.example'`)
  await query(`
    insert into lesson_attachments (school_id, id, lesson_id, file_id, name, position, created_at, updated_at)
    select u.school_id, u.id, l.id, u.id, 'Which flour', 0, stoa.now(), stoa.now()
    from uploads u join lessons l on l.school_id = u.school_id and l.name = 'What lives in it'
    where u.purpose = 'course'`)
  // The workbook of the demo has a file, without bytes, since there is no store for them yet.
  await query(`
    insert into uploads (school_id, id, member_id, purpose, status, filename, declared_type, byte_size, received_bytes,
      object_key, content_type, sha256, created_at, updated_at)
    select m.school_id, ('00000000-0000-7000-8002-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, m.id, 'product',
      'ready', 'recipes.txt', 'text/plain', 3, 3, m.school_id || '/files/00/recipes', 'text/plain', sha256('Rye'::bytea),
      stoa.now(), stoa.now()
    from members m where m.email_folded = 'ada@crumb.example'`)
  await query(`
    insert into product_files (school_id, id, product_id, position, created_at)
    select u.school_id, u.id, d.id, 0, stoa.now()
    from uploads u join digital_products d on d.school_id = u.school_id and d.slug = 'sourdough-workbook'
    where u.purpose = 'product'`)
  await query(`
    insert into product_file_versions (school_id, id, file_id, version, upload_id, created_at)
    select school_id, id, id, 1, id, stoa.now() from product_files`)
  await query(`
    insert into storage_totals (school_id, bytes)
    select school_id, sum(byte_size) from uploads group by school_id
    on conflict (school_id) do update set bytes = excluded.bytes`)
}

/** The body that creates an upload; defaults describe a text for a submission. */
type Announced = {
  readonly filename?: string
  readonly content_type?: string
  readonly byte_size?: number
  readonly purpose?: string
  readonly keep_original?: boolean
  readonly sha256?: string
}

/** A person who uploads files. */
export type Uploader = Actor & {
  announce(file: Announced): Promise<TestReply>
  put(id: string, bytes: Buffer, headers?: Readonly<Record<string, string>>): Promise<TestReply>
  complete(id: string): Promise<TestReply>
  /** Creates an upload, sends the file and completes the upload; returns the last reply. */
  upload(bytes: Buffer, file?: Announced): Promise<TestReply>
}

/** Connects an app that uploads for a person of the demo data, with more scopes where a test needs them. */
export const uploader = async (
  app: TestApp,
  name: PersonName,
  school: School = app.a,
  more: readonly string[] = [],
): Promise<Uploader> => {
  const actor = await app.actor(name, { scopes: ['storage:write', 'account:read', ...more], school })
  const headers = { authorization: `Bearer ${actor.token}` }
  const announce = (file: Announced) =>
    actor.write('POST', '/uploads', {
      filename: 'loaf.txt',
      content_type: 'text/plain',
      byte_size: 3,
      purpose: 'submission',
      ...file,
    })
  const put = (id: string, body: Buffer, more = {}) =>
    app.send({ method: 'PUT', path: `/api/v1/uploads/${id}/content`, headers: { ...headers, ...more }, body }, school)
  const complete = (id: string) => actor.write('POST', `/uploads/${id}/completion`)
  const upload = async (bytes: Buffer, file: Announced = {}): Promise<TestReply> => {
    const { json, status, text } = await announce({ byte_size: bytes.length, ...file })
    if (status !== 201) throw new Error(`not announced: ${text}`)
    const sent = await put(json.id, bytes)
    if (sent.status !== 200) throw new Error(`not sent: ${sent.text}`)
    return complete(json.id)
  }
  return { ...actor, announce, put, complete, upload }
}

/** Lists every object in the folder of a test, by its key. */
export const readObjects = async (app: TestApp, school: School = app.a): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of app.files.store.list(`${school.id}/`)) keys.push(key.slice(school.id.length + 1))
  return keys
}

/** Returns the bytes that an address replies with. */
export const fetched = async (url: string, init: RequestInit = {}) => {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
