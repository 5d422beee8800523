import assert from 'node:assert/strict'
import { people } from '#src/demo/index.ts'
import { PASSWORD, startApp } from '../app.ts'
import { jsonBody } from '../http.ts'
import { authorizePath } from '../oauth.ts'
import { startReferenceServer } from './reference-server.ts'
import { CALLBACKS, type ClientName, clients, fromAnywhere, proof, type Registered, type Side } from './side.ts'
import { walker } from './walk.ts'

const scopes = ['account:read', 'account:write', 'school:read', 'school:write']
const persons = {
  member: { email: people.dev.email, password: PASSWORD },
  mate: { email: people.eli.email, password: PASSWORD },
}

const register = async (send: Side['send'], name: ClientName): Promise<readonly [ClientName, Registered]> => {
  const metadata = { redirect_uris: CALLBACKS, ...clients[name] }
  const { status, json, text } = await send(jsonBody('POST', '/api/oauth/register', metadata))
  assert.equal(status, 201, `${name}: ${text}`)
  return [name, { id: json.client_id, secret: json.client_secret }]
}

const openSide = async (name: Side['name'], port: number): Promise<Side> => {
  const issuer = `http://localhost:${port}`
  const send = fromAnywhere(port)
  const names = Object.keys(clients) as ClientName[]
  const registered = Object.fromEntries(await Promise.all(names.map(one => register(send, one))))
  const walk = walker({ issuer, send, people: persons })
  const member = new Map<string, string>()
  const side: Side = { name, issuer, send, walk, member, clients: registered as Side['clients'] }
  const { reply } = await walk(
    authorizePath({
      client_id: side.clients.refreshing.id,
      redirect_uri: CALLBACKS[0],
      scope: 'openid',
      code_challenge: proof.challenge,
    }),
    member,
  )
  assert.match(String(reply.headers.location), /[?&]code=/, `${name}: ${reply.status} ${reply.text}`)
  return side
}

/** Starts both servers with the same clients and a signed-in person; `stop` ends them. */
export const openSides = async () => {
  const app = await startApp({ trustProxy: '127.0.0.0/8' })
  const reference = await startReferenceServer(scopes)
  const stop = async (): Promise<void> => {
    await reference.stop()
    await app.stop()
  }
  try {
    // The reference server has no rate limits, so Stoa's counters must not decide a comparison.
    const forgetLimits = () => app.database.query('delete from limits')
    return {
      stoa: await openSide('stoa', app.port),
      reference: await openSide('reference', reference.port),
      forgetLimits,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
