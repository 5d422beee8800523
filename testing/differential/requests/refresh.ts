import { form } from '../../http.ts'
import type { Case } from '../case.ts'
import { observeJson, step } from '../observe.ts'
import type { ClientName, Side } from '../side.ts'
import { again, broken, type Change, credentials, exchanged, leaving, type Sent, setting, TOKEN } from './exchange.ts'

const refreshing = async (side: Side, client: ClientName): Promise<Sent> => ({
  grant_type: 'refresh_token',
  ...credentials(side, client),
  refresh_token: (await exchanged(side, { client, fields: { scope: 'openid account:read school:read' } })).json
    .refresh_token,
})

const refresh = (name: string, change: Change = fields => fields, client: ClientName = 'refreshing'): Case => ({
  name: `refresh: ${name}`,
  run: async side => broken(side, await refreshing(side, client), change),
})

/** Refreshes. */
export const refreshCases: readonly Case[] = [
  refresh('honest'),
  refresh('honest, of a confidential client', undefined, 'secretive'),
  refresh('honest, narrower', setting({ scope: 'openid' })),
  refresh('honest, the same scope', setting({ scope: 'school:read openid account:read' })),
  refresh('honest, with resource', (fields, side) => ({ ...fields, resource: side.issuer })),
  refresh('wider', setting({ scope: 'openid account:read school:read account:write' })),
  refresh('an unknown scope', setting({ scope: 'openid nothing' })),
  refresh('no refresh_token', leaving('refresh_token')),
  refresh('refresh_token twice', again('refresh_token', 'x')),
  refresh('a token nobody gave out', setting({ refresh_token: 'x' })),
  refresh('a token of 5000 characters', setting({ refresh_token: 'r'.repeat(5000) })),
  refresh('another client', (fields, side) => ({ ...fields, ...credentials(side, 'other') })),
  refresh('an unknown client', setting({ client_id: 'nobody' })),
  refresh('a wrong secret', setting({ client_secret: 'wrong' }), 'secretive'),
  refresh('a client without the grant', (fields, side) => ({ ...fields, ...credentials(side, 'codeOnly') })),
  ...['client_id', 'client_secret', 'scope', 'resource'].map(name =>
    refresh(`${name} of 5000 characters`, setting({ [name]: 'x'.repeat(5000) })),
  ),
  refresh('resource of nobody', setting({ resource: 'https://evil.example' })),
  {
    name: 'refresh: the same twice, and then its successor',
    run: async side => {
      const fields = await refreshing(side, 'refreshing')
      const first = await side.send(form(TOKEN, fields))
      const second = await side.send(form(TOKEN, fields))
      const third = await side.send(form(TOKEN, { ...fields, refresh_token: first.json.refresh_token }))
      return {
        ...step('first', observeJson(side, first)),
        ...step('second', observeJson(side, second)),
        ...step('successor', observeJson(side, third)),
      }
    },
  },
  {
    name: 'refresh: replayed after its successor was used, and then the newest',
    run: async side => {
      const fields = await refreshing(side, 'refreshing')
      const first = await side.send(form(TOKEN, fields))
      const second = await side.send(form(TOKEN, { ...fields, refresh_token: first.json.refresh_token }))
      const replay = await side.send(form(TOKEN, fields))
      const newest = await side.send(form(TOKEN, { ...fields, refresh_token: second.json.refresh_token }))
      return { ...step('replay', observeJson(side, replay)), ...step('newest', observeJson(side, newest)) }
    },
  },
]
