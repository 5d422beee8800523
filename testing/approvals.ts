import { sha256 } from '#src/kit/crypto.ts'
import type { TestDatabase } from './database.ts'

/** The ids and hashes of one of the approvals that `fillWithApprovals` stores. */
export const buildApproval = (schoolId: string, n: number) => {
  const computeHash = (what: string): Buffer => sha256(`${schoolId} ${what} ${n}`)
  return {
    memberId: toUuid(schoolId, 'member', n),
    grantId: toUuid(schoolId, 'grant', n),
    sessionId: toUuid(schoolId, 'session', n),
    email: `m${n}@crumb.example`,
    clientId: CLIENT,
    codeHash: computeHash('code'),
    tokenHash: computeHash('token'),
    handleHash: computeHash('handle'),
    secretHash: computeHash('secret'),
    sessionHash: computeHash('session'),
    requestHash: computeHash('request'),
    browserHash: computeHash('browser'),
  }
}

/** The client of every approval. */
const CLIENT = 'cli_many'

const toUuid = (schoolId: string, what: string, n: number): string => {
  const hex = sha256(`${schoolId} ${what} id ${n}`).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

// The same as `buildApproval` in SQL: `n` is the number of a row.
const uuid = (what: string): string => `(select (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7' || substr(h, 14, 3)
  || '-8' || substr(h, 18, 3) || '-' || substr(h, 21, 12))::uuid
  from (select encode(sha256(convert_to($1 || ' ${what} id ' || n, 'UTF8')), 'hex') as h) as hex)`
const hash = (what: string): string => `sha256(convert_to($1 || ' ${what} ' || n, 'UTF8'))`

const FILLS = [
  `insert into members (school_id, id, email, email_folded, name, name_folded, created_at, updated_at)
   select $1::uuid, ${uuid('member')}, email, email, 'Member ' || n, 'member ' || n, t, t
   from (select n, 'm' || n || '@crumb.example' as email, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into credentials (school_id, member_id, kind, secret, created_at, updated_at)
   select $1::uuid, ${uuid('member')}, 'password', 'x', t, t
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into sessions (school_id, id, secret_hash, member_id, amr, auth_time, started_at, recent_until, created_at,
     expires_at)
   select $1::uuid, ${uuid('session')}, ${hash('session')}, ${uuid('member')}, '{pwd}', t, t,
     t + interval '2 hours', t, t + interval '12 hours'
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into clients (school_id, id, name, redirect_uris, auth_method, grant_types, application_type, id_token_alg,
     created_at, last_seen_at)
   select $1::uuid, case n when 1 then '${CLIENT}' else 'cli_other' || n end, 'Client ' || n, '{https://app.example/}',
     'client_secret_post', '{authorization_code,refresh_token}', 'web', 'RS256', t, t
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into client_secrets (school_id, client_id, secret_hash, created_at)
   select school_id, id, sha256(convert_to(id, 'UTF8')), created_at from clients where school_id = $1::uuid and $2 > 0`,
  `insert into grants (school_id, id, member_id, client_id, scopes, resources, redirect_uri, code_hash, code_challenge,
     code_expires_at, code_used_at, session_id, amr, auth_time, created_at, expires_at)
   select $1::uuid, ${uuid('grant')}, ${uuid('member')}, '${CLIENT}', '{openid}', '{https://a.example/api}',
     'https://app.example/', ${hash('code')}, 'x', t + interval '1 minute', case when n % 2 = 0 then t end,
     ${uuid('session')}, '{pwd}', t, t, t + interval '1 year'
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into access_tokens (school_id, token_hash, grant_id, resource, scopes, issued_at, expires_at)
   select $1::uuid, ${hash('token')}, ${uuid('grant')}, 'https://a.example/api', '{openid}', t, t + interval '1 hour'
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into refresh_families (school_id, grant_id, handle_hash, secret_hash, created_at, last_used_at, expires_at)
   select $1::uuid, ${uuid('grant')}, ${hash('handle')}, ${hash('secret')}, t, t, t + interval '1 year'
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into authorization_requests (school_id, handle_hash, browser_hash, client_id, redirect_uri, scopes, resources,
     code_challenge, locale, member_id, created_at, expires_at)
   select $1::uuid, ${hash('request')}, ${hash('browser')}, '${CLIENT}', 'https://app.example/', '{openid}',
     '{https://a.example/api}', 'x', 'en', ${uuid('member')}, t, t + interval '1 hour'
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into known_browsers (school_id, member_id, secret_hash, created_at, expires_at)
   select $1::uuid, ${uuid('member')}, ${hash('browser')}, t, t + interval '1 year'
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into signing_keys (school_id, kid, alg, public_jwk, private_sealed, created_at, activates_at)
   select s.id, alg, alg, '{}', '', t, t
   from schools s, unnest('{RS256,ES256}'::text[]) as alg, (select stoa.now() as t) as m where $1::uuid is not null and $2 > 0`,
  `insert into idempotency_keys (school_id, member_id, client_id, operation, key, request_hash, status, headers, body,
     recorded_at)
   select $1::uuid, ${uuid('member')}, '${CLIENT}', 'x', 'k' || n, '', 200, '{}', '{}', t
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into limits (key, starts_at, ends_at, count)
   select ${hash('limit')}, t, t + interval '1 hour', 1
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
  `insert into jobs (school_id, kind, id, due_at)
   select $1::uuid, 'x', ${uuid('job')}, t + n * interval '1 second'
   from (select n, stoa.now() as t from generate_series(1, $2::integer) as n) as m`,
]

/** Stores schools, each with its own host. */
export const addSchools = async ({ query }: TestDatabase, ids: readonly string[]): Promise<void> => {
  await query(
    `insert into schools (id, base_url, name, created_at, updated_at)
     select id, 'https://' || id || '.example', 'Many', t, t from unnest($1::uuid[]) as id, (select stoa.now() as t) as m`,
    [ids],
  )
  await query(`insert into hosts (host, school_id) select id || '.example', id from unnest($1::uuid[]) as id`, [ids])
}

/** Adds members to a school who each approved the same client, with every row that an approval leaves. */
export const fillWithApprovals = async ({ query }: TestDatabase, schoolId: string, count: number): Promise<void> => {
  for (const text of FILLS) await query(text, [schoolId, count])
}
