import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { faultOfCallback, listsCallback } from '../clients/callbacks.ts'
import type { Client } from '../clients/queries.ts'
import { resourcesOf } from '../resources.ts'
import type { Pending } from './queries.ts'

/** The refusal of an app that the school removed while somebody was on the way. */
export const removed = (): OAuthError =>
  new OAuthError(
    'invalid_client',
    {
      en: 'The school has removed this app. Nothing was allowed and nothing was sent to it.',
      pt: 'A escola removeu esta aplicação. Nada foi permitido e nada lhe foi enviado.',
    },
    { status: 400 },
  )

const moved = (): OAuthError =>
  new OAuthError('invalid_redirect_uri', {
    en: 'The app no longer lists the address at which it waits for an answer, so that nothing was sent there. Go back to the app and start again.',
    pt: 'A aplicação já não indica o endereço em que espera a resposta, por isso nada foi enviado para lá. Volte à aplicação e comece de novo.',
  })

const otherResource = (): OAuthError =>
  new OAuthError('invalid_target', {
    en: 'What the app asked for is not at this address any more. Go back to the app and start again.',
    pt: 'O que a aplicação pediu já não está neste endereço. Volte à aplicação e comece de novo.',
  })

type Waiting = Pick<Pending, 'redirect_uri' | 'resources'>

/** Refuses when something that was certain at the request has changed since; no redirect may happen then. */
export const recheck = (school: School, client: Client | undefined, waiting: Waiting): Client => {
  if (client === undefined || client.is_blocked) throw removed()
  const { redirect_uri: redirectUri, resources } = waiting
  if (!listsCallback(school, client, redirectUri) || faultOfCallback(school, client, redirectUri) !== undefined)
    throw moved()
  if (!resources.every(resource => resourcesOf(school).includes(resource))) throw otherResource()
  return client
}

/** Of requested scopes those that the client may still ask for. */
export const withinCeiling = ({ scope_ceiling: ceiling }: Client, scopes: readonly string[]): string[] =>
  scopes.filter(name => ceiling === null || ceiling.includes(name))
