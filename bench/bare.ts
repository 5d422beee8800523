// One thing: what Stoa is compared with; a handler that fetches the same rows and checks nothing.
import Fastify from 'fastify'
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

/** What the handler answers with; the member and the body of the school are the same for every request. */
export type Bare = {
  readonly ownerUrl: string
  readonly schoolId: string
  readonly memberId: string
  readonly school: unknown
}

const serve = async ({ ownerUrl, schoolId, memberId, school }: Bare): Promise<void> => {
  // The owner's login passes row security by: the bare handler pays for none of our locks.
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 10 })
  const app = Fastify()
  app.get('/api/v1/members/:id', async () => (await pool.query({ ...one, values: [schoolId, memberId] })).rows[0])
  app.get('/api/v1/members', async () => ({
    data: (await pool.query({ ...page, values: [schoolId] })).rows.slice(0, 25),
  }))
  app.get('/api/v1/school', async () => school)
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.once('disconnect', () => process.exit())
  process.send?.((app.server.address() as { port: number }).port)
}

if (import.meta.main) process.once('message', message => void serve(message as Bare))
