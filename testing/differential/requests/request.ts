import { authorizePath } from '../../oauth.ts'
import type { Case } from '../case.ts'
import { observeWalk } from '../observe.ts'
import { CALLBACKS, type ClientName, type Jar, proof, type Side } from '../side.ts'

/** Parameters of a request, fixed or computed for a server; undefined ones are left out. */
export type Fields = Readonly<Record<string, string | undefined>>
type FieldsOf = Fields | ((side: Side) => Fields | Promise<Fields>)

/** How an authorization request of a case differs from a valid one. */
export type Asking = {
  readonly client?: ClientName
  readonly fields?: FieldsOf
  /** The person who is already signed in, and the person who signs in where a page requires it. */
  readonly as?: 'member' | 'stranger'
  readonly person?: 'member' | 'mate'
  /** Appended to the query unchanged. */
  readonly more?: string
}

const resolved = async (side: Side, fields: FieldsOf): Promise<Fields> =>
  typeof fields === 'function' ? fields(side) : fields

/** All parameters of a valid authorization request, with the changes of a case. */
const buildRequest = async (side: Side, { client = 'refreshing', fields = {} }: Asking): Promise<Fields> => ({
  client_id: side.clients[client].id,
  redirect_uri: CALLBACKS[0],
  scope: 'openid account:read',
  code_challenge: proof.challenge,
  state: 'a state',
  ...(await resolved(side, fields)),
})

/** Sends an authorization request and completes every page. */
const ask = async (side: Side, asking: Asking) => {
  const fields = await buildRequest(side, asking)
  const jar: Jar = asking.as === 'stranger' ? new Map() : side.member
  const path = authorizePath(fields) + (asking.more ?? '')
  return { fields, walked: await side.walk(path, jar, asking.person ?? 'member') }
}

/** A case of one authorization request. */
export const authorization = (name: string, asking: Asking = {}): Case => ({
  name: `authorization: ${name}`,
  run: async side => {
    const { fields, walked } = await ask(side, asking)
    return observeWalk(side, walked, {
      redirectUri: fields.redirect_uri ?? '',
      state: fields.state === '' ? undefined : fields.state,
    })
  },
})

/** Returns a code that the member approved; throws an error with the reason when there is none. */
export const codeFor = async (side: Side, asking: Asking = {}): Promise<string> => {
  const { walked } = await ask(side, asking)
  const code = new URL(walked.reply.headers.location ?? 'about:blank').searchParams.get('code')
  if (code === null) throw new Error(`${side.name} gave no code: ${walked.reply.headers.location ?? walked.reply.text}`)
  return code
}

/** Returns a case for each value of one parameter. */
export const each = (parameter: string, values: readonly string[], asking: Asking = {}): Case[] =>
  values.map(value =>
    authorization(`${parameter}=${value.length > 40 ? `${value.slice(0, 20)}… (${value.length})` : value}`, {
      ...asking,
      fields: { [parameter]: value },
    }),
  )
