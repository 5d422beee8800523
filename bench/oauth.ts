import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sha256 } from '#src/kit/crypto.ts'
import { newToken } from '#src/kit/token.ts'
import { startApp, type TestApp } from '#testing/app.ts'
import { createTestDatabase } from '#testing/database.ts'
import { jsonBody } from '#testing/http.ts'
import { pkce } from '#testing/oauth.ts'
import { startProcess } from '#testing/process.ts'
import { type Answer, type Caller, sendForms } from './form-load.ts'
import { type Effort, inTurns, type Measured, type Round } from './measure.ts'
import type { Stage } from './members.ts'
import type { PeerSettings } from './peer.ts'
import { PEER_TABLE } from './peer-adapter.ts'

const REDIRECT = 'http://127.0.0.1:8499/done'
const SCOPE = 'openid'
// More than either server exchanges in a second; a round whose codes run out is over.
const CODES_PER_SECOND = 1500

type Server = {
  readonly port: number
  readonly host: string
  readonly clientId: string
  readonly verifier: string
  /** New codes that have not been exchanged. */
  codes(count: number): Promise<readonly string[]>
}

const startPeer = async (settings: PeerSettings) => {
  const child = fork(fileURLToPath(new URL('peer.ts', import.meta.url)), { execArgv: [] })
  child.send(settings)
  const port = await Promise.race([
    once(child, 'message').then(([message]) => Number(message)),
    once(child, 'exit').then(() => Promise.reject(new Error('oidc-provider did not start'))),
  ])
  return {
    port,
    codes: async (count: number): Promise<readonly string[]> => {
      child.send(count)
      const [codes] = await once(child, 'message')
      return codes
    },
    stop: () => child.disconnect(),
  }
}

// As a consent would have stored them, since a walk through the pages for each code takes longer than what is measured.
const GRANTS = `
  insert into grants (school_id, id, member_id, client_id, scopes, resources, redirect_uri, code_hash, code_challenge,
    code_expires_at, session_id, amr, auth_time, created_at, expires_at)
  select $1, gen_random_uuid(), m.id, $2, $3, $4, $5, code, $6, t + interval '1 hour', $7, '{pwd}', t, t,
    t + interval '1 year'
  from unnest($8::bytea[]) as code, (select stoa.now() as t) as clock,
    (select id from members where school_id = $1 and role = 'owner' limit 1) as m`

const codesOf =
  ({ a, database }: TestApp, clientId: string, challenge: string) =>
  async (count: number): Promise<readonly string[]> => {
    const codes = Array.from({ length: count }, () => newToken('stoa_ac_', randomBytes))
    const about = [a.id, clientId, [SCOPE], [`${a.baseUrl}/api`], REDIRECT, challenge, randomUUID()]
    await database.query(GRANTS, [...about, codes.map(code => sha256(code))])
    return codes
  }

const register = async (app: TestApp): Promise<string> => {
  const { status, json, text } = await app.send(
    jsonBody('POST', '/api/oauth/register', {
      client_name: 'Bench',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }),
  )
  if (status !== 201) throw new Error(`the client was not registered: ${text.slice(0, 300)}`)
  return json.client_id
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

const exchangeRound = async (server: Server, { seconds, connections }: Effort): Promise<Round> => {
  const codes = [...(await server.codes(Math.ceil(seconds * CODES_PER_SECOND)))]
  const callers = Array.from({ length: connections }, () => exchanging(server, codes, () => undefined))
  return sendForms({ ...server, path: '/api/oauth/token' }, callers, { seconds })
}

const answersOf = async (server: Server, count: number): Promise<readonly Answer[]> => {
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

const refreshRound = async (server: Server, { seconds, connections }: Effort): Promise<Round> => {
  const callers = (await answersOf(server, connections)).map(answer => refreshing(server, answer))
  return sendForms({ ...server, path: '/api/oauth/token' }, callers, { seconds })
}

const introspecting = ({ clientId }: Server, { access_token: token }: Answer): Caller => ({
  next: () => ({ token: String(token), client_id: clientId }),
  got: ({ active }) => {
    if (active !== true) throw new Error('a living token was not active: nothing was measured')
  },
})

const introspectRound = async (server: Server, { seconds, connections }: Effort): Promise<Round> => {
  const callers = (await answersOf(server, connections)).map(answer => introspecting(server, answer))
  return sendForms({ ...server, path: '/api/oauth/introspect' }, callers, { seconds })
}

const rounds = {
  'code exchange': exchangeRound,
  'refresh with rotation': refreshRound,
  introspection: introspectRound,
}

/** Stoa's token endpoints beside those of `oidc-provider`, each in a process of its own, on the same PostgreSQL. */
export const oauth = async (): Promise<Stage> => {
  const app = await startApp()
  const { verifier, challenge } = pkce()
  const clientId = await register(app)
  const stoaProcess = await startProcess(
    { databaseUrl: app.database.appUrl, secret: app.secret },
    { STOA_TRUST_PROXY: '127.0.0.0/8' },
  )
  const peerDatabase = await createTestDatabase('template0')
  await peerDatabase.query(PEER_TABLE)
  const { ownerUrl: databaseUrl } = peerDatabase
  const peerProcess = await startPeer({ databaseUrl, clientId, redirectUri: REDIRECT, challenge, scope: SCOPE })
  const both = { clientId, verifier }
  const stoa: Server = {
    ...both,
    port: stoaProcess.port,
    host: new URL(app.a.baseUrl).host,
    codes: codesOf(app, clientId, challenge),
  }
  const peer: Server = { ...both, ...peerProcess, host: `127.0.0.1:${peerProcess.port}` }
  return {
    percentiles: ['p50', 'p99'],
    measures: Object.entries(rounds).map(
      ([title, round]) =>
        (effort: Effort): Promise<Measured> =>
          inTurns(
            { title, aim: undefined },
            { stoa: part => round(stoa, part), bare: part => round(peer, part) },
            effort,
          ),
    ),
    stop: async () => {
      peerProcess.stop()
      await stoaProcess.stop()
      await app.stop()
      await peerDatabase.drop()
    },
  }
}
