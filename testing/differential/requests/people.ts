import type { Case } from '../case.ts'
import type { Side } from '../side.ts'
import { exchanged } from './exchange.ts'
import { authorization, each } from './request.ts'

const prompts: Case[] = [
  ...[
    'none',
    'login',
    'consent',
    'select_account',
    'create',
    'login consent',
    'none login',
    'maybe',
    'login maybe',
    'Login',
  ].flatMap(prompt => [
    authorization(`prompt=${prompt}, signed in`, { fields: { prompt } }),
    authorization(`prompt=${prompt}, nobody signed in`, { as: 'stranger', fields: { prompt } }),
  ]),
  ...each('max_age', ['0', '1000', '-1', 'x', '1.5', '99999999999999999999', '1e3', ' 5', '00005']),
  ...['0', '1000'].map(max_age =>
    authorization(`max_age=${max_age} with prompt=none`, { fields: { max_age, prompt: 'none' } }),
  ),
]

const idToken = async (side: Side, client: 'refreshing' | 'other', person: 'member' | 'mate'): Promise<string> =>
  (await exchanged(side, { client, ...(person === 'mate' ? { as: 'stranger', person } : {}) })).json.id_token

const hint = (client: 'refreshing' | 'other', person: 'member' | 'mate', more = {}) => ({
  fields: async (side: Side) => ({ id_token_hint: await idToken(side, client, person), ...more }),
})

const hints: Case[] = [
  ...each('id_token_hint', ['x', 'a.b.c', 'a.e30.c', 'eyJhbGciOiJub25lIn0.e30.']),
  authorization('id_token_hint of the member', hint('refreshing', 'member')),
  authorization('id_token_hint of the member for another client', hint('other', 'member')),
  authorization('id_token_hint of the member, prompt=none', hint('refreshing', 'member', { prompt: 'none' })),
  authorization('id_token_hint of another person, prompt=none', hint('refreshing', 'mate', { prompt: 'none' })),
  authorization('id_token_hint of another person who signs in', { person: 'mate', ...hint('refreshing', 'mate') }),
  authorization('the member after the other person', { fields: { prompt: 'login' } }),
  authorization('id_token_hint of another person who does not sign in', hint('refreshing', 'mate')),
  authorization('id_token_hint with a flipped signature', {
    fields: async side => ({ id_token_hint: `${(await idToken(side, 'refreshing', 'member')).slice(0, -4)}AAAA` }),
  }),
  authorization('the member again', { fields: { prompt: 'login' } }),
]

/** Authorization requests about who signs in, and when. */
export const peopleCases: readonly Case[] = [...prompts, ...hints]
