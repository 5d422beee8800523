import type { School } from '#src/contract/school.ts'
import { formTokenFor, type Session } from '#src/identity/index.ts'
import { sameBytes } from '#src/kit/crypto.ts'
import { canonicalJson } from '#src/kit/json.ts'
import type { Client } from '../clients/queries.ts'
import type { Offer } from './choice.ts'

/** What a consent page shows, and to whom: an approval counts only for exactly this. */
export type Shown = {
  readonly handle: string
  readonly session: Pick<Session, 'id' | 'member'>
  readonly client: Pick<Client, 'id' | 'name' | 'is_arranged'>
  readonly redirectUri: string
  readonly offers: readonly Offer[]
}

/** The token of a consent form. */
export const consentToken = (secret: string, school: School, shown: Shown): string => {
  const { handle, session, client, redirectUri, offers } = shown
  const seen = canonicalJson({
    person: session.member.id,
    client: [client.id, client.name, client.is_arranged],
    redirectUri,
    offers: offers.map(({ scope, kind }) => [scope.name, kind]),
  })
  return formTokenFor(secret, school.id, ['consent', session.id, handle, seen])
}

/** The token of a form by which somebody who signed in for an authorization proves their address. */
export const verifyToken = (secret: string, school: School, session: Pick<Session, 'id'>, handle: string): string =>
  formTokenFor(secret, school.id, ['verify', session.id, handle])

/** Whether a form carries this token. */
export const carries = (sent: string, token: string): boolean => sameBytes(Buffer.from(sent), Buffer.from(token))
