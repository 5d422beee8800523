import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { sha256 } from '#src/kit/crypto.ts'
import { newToken } from '#src/kit/token.ts'
import { startApp, type TestApp } from '#testing/app.ts'
import { createTestDatabase } from '#testing/database.ts'
import { jsonBody } from '#testing/http.ts'
import { pkce } from '#testing/oauth.ts'
import type { ServerProcess } from '#testing/process.ts'
import { type Answer, type Caller, sendForms } from '../form-load.ts'
import type { Effort, Load } from '../measure.ts'
import { PEER_TABLE } from '../rivals/oidc-adapter.ts'
import type { PeerSettings } from '../rivals/oidc-provider.ts'
import { startRival } from '../rivals/start-rival.ts'
import type { Group } from './group.ts'
import { startStoa } from './school.ts'

const REDIRECT = 'http://127.0.0.1:8499/done'
const SCOPE = 'openid'
// More than each server exchanges in a second; a round whose codes run out is over.
const CODES_PER_SECOND = { stoa: 4000, peer: 1500 }

type Alg = PeerSettings['alg']

type Server = {
  readonly port: number
  readonly pid: number
  readonly host: string
  readonly clientId: string
  readonly verifier: string
  readonly codesPerSecond: number
  /** New codes that have not been exchanged. */
  codes(count: number): Promise<readonly string[]>
}

const startPeer = async (settings: PeerSettings) => {
  const rival = await startRival('oidc-provider.ts', settings)
  const codes = async (count: number): Promise<readonly string[]> => {
    rival.child.send(count)
    const [created] = await once(rival.child, 'message')
    return created
  }
  return { ...rival, codes }
}

// As a consent would have stored them, since a walk through the pages for each code takes longer than what is measured.
const GRANTS = `
  insert into grants (school_id, id, member_id, client_id, scopes, resources, redirect_uri, code_hash, code_challenge,
    code_expires_at, session_id, amr, auth_time, created_at, expires_at)
  select $1, gen_random_uuid(), m.id, $2, $3, $4, $5, code, $6, t + interval '1 hour', $7, '{pwd}', t, t,
    t + interval '1 year'
  from unnest($8::bytea[]) as code, (select stoa.now() as t) as clock,
    (select id from members where school_id = $1 and role = 'owner' limit 1) as m`

const listCodes =
  ({ a, database }: TestApp, clientId: string, challenge: string) =>
  async (count: number): Promise<readonly string[]> => {
    const codes = Array.from({ length: count }, () => newToken('stoa_ac_', randomBytes))
    const about = [a.id, clientId, [SCOPE], [a.baseUrl], REDIRECT, challenge, randomUUID()]
    await database.query(GRANTS, [...about, codes.map(code => sha256(code))])
    return codes
  }

const exchanging = ({ clientId, verifier }: Server, codes: string[], got: (answer: Answer) => void): Caller => ({
  next: () => {
    const code = codes.pop()
    if (code === undefined) return undefined
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT }
    return { ...form, client_id: clientId, code_verifier: verifier }
  },
  got,
})

type PrepareRound = (server: Server, effort: Effort) => Promise<() => Promise<Load>>

const exchangeRound: PrepareRound = async (server, { seconds, connections }) => {
  const codes = [...(await server.codes(Math.ceil(seconds * server.codesPerSecond)))]
  const callers = Array.from({ length: connections }, () => exchanging(server, codes, () => undefined))
  return () => sendForms({ ...server, path: '/api/oauth/token' }, callers, { seconds })
}

const readAnswers = async (server: Server, count: number): Promise<readonly Answer[]> => {
  const codes = [...(await server.codes(count))]
  const answers: Answer[] = []
  await sendForms(
    { ...server, path: '/api/oauth/token' },
    [exchanging(server, codes, answer => void answers.push(answer))],
    { seconds: 60 },
  )
  return answers
}

const refreshing = ({ clientId }: Server, first: Answer): Caller => {
  let token = String(first.refresh_token)
  return {
    next: () => ({ grant_type: 'refresh_token', refresh_token: token, client_id: clientId }),
    got: ({ refresh_token: next }) => {
      token = String(next)
    },
  }
}

const refreshRound: PrepareRound = async (server, { seconds, connections }) => {
  const callers = (await readAnswers(server, connections)).map(answer => refreshing(server, answer))
  return () => sendForms({ ...server, path: '/api/oauth/token' }, callers, { seconds })
}

const introspecting = ({ clientId }: Server, { access_token: token }: Answer): Caller => ({
  next: () => ({ token: String(token), client_id: clientId }),
  got: ({ active }) => {
    if (active !== true) throw new Error('a living token was not active: nothing was measured')
  },
})

const introspectRound: PrepareRound = async (server, { seconds, connections }) => {
  const callers = (await readAnswers(server, connections)).map(answer => introspecting(server, answer))
  return () => sendForms({ ...server, path: '/api/oauth/introspect' }, callers, { seconds })
}

const rounds = {
  'code exchange': exchangeRound,
  'refresh with rotation': refreshRound,
  introspection: introspectRound,
}

const targets: Readonly<Record<keyof typeof rounds, number>> = {
  'code exchange': 2,
  'refresh with rotation': 2,
  introspection: 1.5,
}

const register = async (app: TestApp, alg: Alg): Promise<string> => {
  const { status, json, text } = await app.send(
    jsonBody('POST', '/api/oauth/register', {
      client_name: `Bench ${alg}`,
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: alg,
    }),
  )
  if (status !== 201) throw new Error(`the client was not registered: ${text.slice(0, 300)}`)
  return json.client_id
}

type Pair = { readonly stoa: Server; readonly peer: Server; stop(): Promise<void> }

const startPair = async (app: TestApp, stoa: ServerProcess, alg: Alg): Promise<Pair> => {
  const { verifier, challenge } = pkce()
  const clientId = await register(app, alg)
  const peerDatabase = await createTestDatabase('template0')
  await peerDatabase.query(PEER_TABLE)
  const { ownerUrl: databaseUrl } = peerDatabase
  const peer = await startPeer({ databaseUrl, clientId, redirectUri: REDIRECT, challenge, scope: SCOPE, alg })
  const both = { clientId, verifier }
  return {
    stoa: {
      ...{ ...both, port: stoa.port, pid: stoa.pid, codesPerSecond: CODES_PER_SECOND.stoa },
      host: new URL(app.a.baseUrl).host,
      codes: listCodes(app, clientId, challenge),
    },
    peer: { ...both, ...peer, codesPerSecond: CODES_PER_SECOND.peer, host: `127.0.0.1:${peer.port}` },
    stop: async () => {
      peer.stop()
      await peerDatabase.drop()
    },
  }
}

const listComparisons = ({ stoa, peer }: Pair, alg: Alg, titles: readonly (keyof typeof rounds)[]) =>
  titles.map(title => ({
    title: `${title}, ID tokens with ${alg}`,
    rival: 'oidc-provider 9',
    target: targets[title],
    stoa: { pid: stoa.pid, prepare: (effort: Effort) => rounds[title](stoa, effort) },
    other: { pid: peer.pid, prepare: (effort: Effort) => rounds[title](peer, effort) },
  }))

/** Stoa's token endpoints beside those of `oidc-provider`, each in a process of its own, on the same PostgreSQL. */
export const oauth = async (): Promise<Group> => {
  const app = await startApp()
  const stoa = await startStoa(app)
  const [rsa, ec] = [await startPair(app, stoa, 'RS256'), await startPair(app, stoa, 'ES256')]
  return {
    comparisons: [
      ...listComparisons(rsa, 'RS256', ['code exchange', 'refresh with rotation', 'introspection']),
      ...listComparisons(ec, 'ES256', ['code exchange', 'refresh with rotation']),
    ],
    stop: async () => {
      await Promise.all([rsa.stop(), ec.stop()])
      await stoa.stop()
      await app.stop()
    },
  }
}
