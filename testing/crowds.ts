import { randomBytes } from 'node:crypto'
import { fromId } from '#src/kit/ids.ts'
import { newToken } from '#src/kit/token.ts'
import type { Actor } from './actor.ts'
import type { TestApp } from './app.ts'
import { jsonBody, retryWhileBusy, send, type TestReply, type TestRequest } from './http.ts'
import { addMembers } from './offers.ts'

/** A member whose app calls any of several processes. */
export type Person = {
  readonly memberId: string
  get(port: number, path: string): Promise<TestReply>
  write(port: number, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, key?: string): Promise<TestReply>
}

// All wait for the same locks, and each refusal for being busy says to come again.
const PATIENCE = 4

const patiently = async (port: number, request: TestRequest & { readonly host: string }): Promise<TestReply> => {
  let reply = await retryWhileBusy(() => send(port, request))
  for (let at = 1; at < PATIENCE && reply.status === 503; at++) reply = await retryWhileBusy(() => send(port, request))
  return reply
}

const createPerson = ({ a }: TestApp, memberId: string, token: string): Person => {
  const { host } = new URL(a.baseUrl)
  const bearer = { authorization: `Bearer ${token}` }
  return {
    memberId,
    get: (port, path) => patiently(port, { path: `/api/v1${path}`, host, headers: bearer }),
    write: (port, method, path, body = {}, key) => {
      const headers = { ...bearer, ...(key === undefined ? {} : { 'idempotency-key': key }) }
      return patiently(port, { ...jsonBody(method, `/api/v1${path}`, body, headers), host })
    },
  }
}

/**
 * Adds so many members to the first school who approved the app of somebody else, with the same scopes: by SQL, since as
 * many sign-ins would take longer than what they are for.
 */
export const addPeople = async (app: TestApp, like: Actor, count: number): Promise<Person[]> => {
  const members = await addMembers(app, count)
  const grants = new Map(members.map(id => [id, newToken('stoa_at_', randomBytes)]))
  await app.database.query(
    `with template as (
       select g.* from grants g join access_tokens t on t.school_id = g.school_id and t.grant_id = g.id
       where t.school_id = $1 and t.token_hash = sha256(convert_to($2, 'UTF8'))),
     people as (select m.id, m.token, gen_random_uuid() as grant_id from unnest($3::uuid[], $4::text[]) as m (id, token)),
     granted as (
       insert into grants
       select (jsonb_populate_record(null::grants, to_jsonb(g) || jsonb_build_object('id', p.grant_id, 'member_id', p.id,
         'code_hash', '\\x' || encode(sha256(convert_to(p.token || ' code', 'UTF8')), 'hex')))).*
       from template g, people p returning id)
     insert into access_tokens
     select (jsonb_populate_record(null::access_tokens, to_jsonb(t) || jsonb_build_object('grant_id', p.grant_id,
       'token_hash', '\\x' || encode(sha256(convert_to(p.token, 'UTF8')), 'hex')))).*
     from access_tokens t, people p
     where t.school_id = $1 and t.token_hash = sha256(convert_to($2, 'UTF8')) and (select count(*) from granted) > 0`,
    [app.a.id, like.token, [...grants.keys()], [...grants.values()]],
  )
  return [...grants].map(([id, token]) => createPerson(app, id, token))
}

/** The UUID of a row from an id of the API. */
export const toRowId = (prefix: 'occ' | 'tkt' | 'reg', id: string): string => {
  const uuid = fromId(prefix, id)
  if (uuid === undefined) throw new Error(`${id} is no id`)
  return uuid
}
