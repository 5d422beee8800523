// One thing: what Stoa is compared with; handlers that run one prepared statement for the same rows and check nothing.
import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'

const columns = `m.id, m.email, m.email_verified, m.name, m.phone, m.locale, m.time_zone, m.status, m.role, m.custom_fields,
  m.marketing_granted, m.marketing_at, m.marketing_source, m.external_id, m.last_seen_at, m.suspended_at, m.suspended_for,
  m.revision, m.created_at, m.updated_at,
  array(select t.tag from member_tags t where t.school_id = m.school_id and t.member_id = m.id order by t.tag) as tags`

const one = { name: 'one', text: `select ${columns} from members m where m.school_id = $1 and m.id = $2` }
const page = {
  name: 'page',
  text: `select ${columns} from members m where m.school_id = $1 and m.status <> 'deleted' order by m.id limit 26`,
}
const update = {
  name: 'update',
  text: `update members as m set name = $3, revision = revision + 1, updated_at = now()
    where m.school_id = $1 and m.id = $2 returning ${columns}`,
}

const TABLE =
  'create table if not exists bare_events (id text primary key, type text not null, at timestamptz not null)'
const insert = {
  name: 'insert',
  text: 'insert into bare_events (id, type, at) values ($1, $2, now()) on conflict do nothing',
}

/** The header and the key with which notices to the bare handler are signed. */
export const BARE_SIGNATURE = { header: 'x-signature', key: 'bare' } as const

/** The login and the school of the handlers, and what the ones without a statement return, by their paths. */
export type Bare = {
  readonly ownerUrl: string
  readonly schoolId: string
  readonly constants: Readonly<Record<string, { readonly type: string; readonly body: string }>>
}

// A webhook that does the least that one can do: the signature is checked, and the event is stored once.
const addWebhook = async (app: FastifyInstance, pool: pg.Pool): Promise<void> => {
  await pool.query(TABLE)
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  app.post<{ Body: Buffer }>('/webhooks/bare', async ({ body, headers }, reply) => {
    const signature = Buffer.from(String(headers[BARE_SIGNATURE.header]))
    const expected = Buffer.from(createHmac('sha256', BARE_SIGNATURE.key).update(body).digest('hex'))
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return reply.code(400).send()
    const { id, type } = JSON.parse(body.toString()) as { id: string; type: string }
    await pool.query({ ...insert, values: [id, type] })
    return reply.code(200).send()
  })
}

type OneMember = { Params: { id: string }; Body: { name: string } }

const serve = async ({ ownerUrl, schoolId, constants }: Bare): Promise<void> => {
  // The owner's login is not subject to row security: the bare handler pays for none of our checks.
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 10 })
  const app = Fastify()
  app.get<OneMember>(
    '/members/:id',
    async ({ params }) => (await pool.query({ ...one, values: [schoolId, params.id] })).rows[0],
  )
  app.get('/members', async () => ({ data: (await pool.query({ ...page, values: [schoolId] })).rows.slice(0, 25) }))
  app.patch<OneMember>(
    '/members/:id',
    async ({ params, body }) => (await pool.query({ ...update, values: [schoolId, params.id, body.name] })).rows[0],
  )
  await app.register(scope => addWebhook(scope, pool))
  for (const [path, { type, body }] of Object.entries(constants))
    app.get(path, (_, reply) => reply.type(type).send(body))
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.once('disconnect', () => process.exit())
  process.send?.((app.server.address() as { port: number }).port)
}

if (import.meta.main) process.once('message', message => void serve(message as Bare))
