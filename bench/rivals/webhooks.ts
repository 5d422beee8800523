// One thing: what webhooks and the feed of changes are compared with; the least that sends, distributes and lists facts.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import Fastify from 'fastify'
import pg from 'pg'

/** The school, and the types of facts that are listed. */
export type BareWebhooks = { readonly ownerUrl: string; readonly schoolId: string; readonly types: readonly string[] }

/** Facts after a number up to another one that go to these webhooks. */
export type BareRange = { readonly after: number; readonly to: number; readonly webhookIds: readonly string[] }

const AT_ONCE = 4
const STEP = 500
const SECRET = Buffer.alloc(32, 'bare')

// Tables with the indexes of ours, without their foreign keys and row security.
const TABLES = `
  create table if not exists bare_messages (id text primary key, body text not null, is_sent boolean not null, sent_at timestamptz);
  create index if not exists bare_messages_waiting on bare_messages (id) where not is_sent;
  create table if not exists bare_deliveries (like webhook_deliveries including defaults including indexes)`

const page = {
  name: 'page',
  text: `select f.id, f.type, f.payload, f.sequence::text as sequence, f.recorded_at, f.is_withheld from facts f
    where f.school_id = $1 and f.sequence > $2 and f.sequence <= $4 and f.type = any ($3::text[]) and not f.is_withheld
    order by f.sequence limit 101`,
}
const waiting = {
  name: 'waiting',
  text: `select id, body from bare_messages where not is_sent order by id limit ${AT_ONCE}`,
}
const mark = { name: 'mark', text: 'update bare_messages set is_sent = true, sent_at = now() where id = $1' }
const distribute = {
  name: 'distribute',
  text: `insert into bare_deliveries
      (school_id, id, webhook_id, fact_id, type, sequence, previous, status, next_attempt_at, created_at)
    select f.school_id, gen_random_uuid(), w, f.id, f.type, f.sequence,
      lag(f.sequence) over (partition by w order by f.sequence), 'waiting', now(), now()
    from facts f cross join unnest($4::uuid[]) as w
    where f.school_id = $1 and f.sequence > $2 and f.sequence <= $3`,
}

type Message = { readonly id: string; readonly body: string }

const post = async (url: string, { id, body }: Message): Promise<void> => {
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
  const sent = request(url, { method: 'POST', headers, agent: false }).end(body)
  const [response] = await once(sent, 'response')
  response.resume()
  if (response.statusCode !== 204) throw new Error(`the receiver answered ${response.statusCode}`)
}

const sendAll = async (pool: pg.Pool, url: string): Promise<void> => {
  for (;;) {
    const { rows } = await pool.query<Message>(waiting)
    if (rows.length === 0) return
    const sendOne = async (message: Message): Promise<void> => {
      await post(url, message)
      await pool.query({ ...mark, values: [message.id] })
    }
    await Promise.all(rows.map(sendOne))
  }
}

const distributeAll = async (pool: pg.Pool, schoolId: string, { after, to, webhookIds }: BareRange): Promise<void> => {
  for (let at = after; at < to; at += STEP)
    await pool.query({ ...distribute, values: [schoolId, at, Math.min(at + STEP, to), webhookIds] })
}

const serve = async ({ ownerUrl, schoolId, types }: BareWebhooks): Promise<void> => {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 10 })
  await pool.query(TABLES)
  const app = Fastify()
  app.get<{ Querystring: { after: string; until: string } }>('/changes', async ({ query: { after, until } }) => ({
    data: (await pool.query({ ...page, values: [schoolId, after, types, until] })).rows.slice(0, 100),
  }))
  app.post<{ Body: { url: string } }>('/send', ({ body }) => sendAll(pool, body.url).then(() => ({})))
  app.post<{ Body: BareRange }>('/distribute', ({ body }) => distributeAll(pool, schoolId, body).then(() => ({})))
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.once('disconnect', () => process.exit())
  process.send?.((app.server.address() as { port: number }).port)
}

if (import.meta.main) process.once('message', message => void serve(message as BareWebhooks))
