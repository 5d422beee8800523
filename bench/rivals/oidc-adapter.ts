import { errors } from 'oidc-provider'
import type pg from 'pg'

/** Where `oidc-provider` keeps its models: one table, a row for each, as its own examples of adapters do. */
export const PEER_TABLE = `
  create table models (
    kind text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    consumed_at timestamptz,
    expires_at timestamptz,
    primary key (kind, id)
  );
  create index models_grant on models (grant_id) where grant_id is not null`

const UPSERT = {
  name: 'upsert',
  text: `insert into models (kind, id, payload, grant_id, expires_at)
    values ($1, $2, $3, $4, now() + make_interval(secs => $5))
    on conflict (kind, id) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
}
const FIND = {
  name: 'find',
  text: `select payload, extract(epoch from consumed_at)::integer as consumed from models
    where kind = $1 and id = $2 and (expires_at is null or expires_at > now())`,
}
// Compare and swap: of two that use the same code or refresh token one fails.
const CONSUME = {
  name: 'consume',
  text: 'update models set consumed_at = now() where kind = $1 and id = $2 and consumed_at is null',
}
const DESTROY = { name: 'destroy', text: 'delete from models where kind = $1 and id = $2' }
const REVOKE = { name: 'revoke', text: 'delete from models where grant_id = $1' }

type Payload = Readonly<Record<string, unknown>>

/** What `oidc-provider` asks of a kind of models, over a pool. */
export const adapterOver = (pool: pg.Pool) => (kind: string) => ({
  upsert: async (id: string, payload: Payload, seconds?: number): Promise<void> => {
    await pool.query({
      ...UPSERT,
      values: [kind, id, JSON.stringify(payload), payload.grantId ?? null, seconds ?? null],
    })
  },
  find: async (id: string): Promise<Payload | undefined> => {
    const [row] = (await pool.query({ ...FIND, values: [kind, id] })).rows
    if (row === undefined) return undefined
    return row.consumed === null ? row.payload : { ...row.payload, consumed: row.consumed }
  },
  findByUid: async (): Promise<undefined> => undefined,
  findByUserCode: async (): Promise<undefined> => undefined,
  consume: async (id: string): Promise<void> => {
    const { rowCount } = await pool.query({ ...CONSUME, values: [kind, id] })
    if (rowCount !== 1) throw new errors.InvalidGrant('used by another request')
  },
  destroy: async (id: string): Promise<void> => {
    await pool.query({ ...DESTROY, values: [kind, id] })
  },
  revokeByGrantId: async (grantId: string): Promise<void> => {
    await pool.query({ ...REVOKE, values: [grantId] })
  },
})
