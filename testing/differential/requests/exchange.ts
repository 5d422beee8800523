import { form, type TestReply } from '../../http.ts'
import { observeJson, step } from '../observe.ts'
import { CALLBACKS, type ClientName, proof, type Side } from '../side.ts'
import { type Asking, codeFor } from './request.ts'

/** The address of the token endpoint. */
export const TOKEN = '/api/oauth/token'

type Pairs = readonly (readonly [string, string])[]
/** The parameters of a form. */
export type Sent = Readonly<Record<string, string>>

/** The parameters by which a client identifies itself. */
export const credentials = (side: Side, name: ClientName): Sent => {
  const { id, secret } = side.clients[name]
  return { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) }
}

/** A valid exchange of a code that the member approved. */
export const honest = async (side: Side, asking: Asking): Promise<Sent> => ({
  grant_type: 'authorization_code',
  ...credentials(side, asking.client ?? 'refreshing'),
  redirect_uri:
    asking.fields !== undefined && 'redirect_uri' in asking.fields
      ? String(asking.fields.redirect_uri)
      : (CALLBACKS[0] ?? ''),
  code: await codeFor(side, asking),
  code_verifier: proof.verifier,
})

/** The reply to a valid exchange. */
export const exchanged = async (side: Side, asking: Asking = {}): Promise<TestReply> =>
  side.send(form(TOKEN, await honest(side, asking)))

/** A change that a case makes to a valid request. */
export type Change = (fields: Sent, side: Side) => Sent | Pairs | Promise<Sent | Pairs>

/** Removes a parameter. */
export const leaving =
  (name: string): Change =>
  fields =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
/** Sets parameters. */
export const setting =
  (more: Sent): Change =>
  fields => ({ ...fields, ...more })
/** Repeats a parameter. */
export const again =
  (name: string, value: string): Change =>
  fields => [...Object.entries(fields), [name, value]]

/** Sends a changed request; when it is refused, a valid one after it shows whether the code or token was used up. */
export const broken = async (side: Side, fields: Sent, change: Change, headers: Sent = {}) => {
  const first = await side.send(form(TOKEN, await change(fields, side), headers))
  const observed = observeJson(side, first)
  if (first.status === 200) return observed
  const after = await side.send(form(TOKEN, fields))
  return { ...observed, ...step('the honest request after it', { status: String(after.status) }) }
}
