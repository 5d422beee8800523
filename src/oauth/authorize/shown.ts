import type { School } from '#src/contract/school.ts'
import { formTokenFor, type Session } from '#src/identity/index.ts'
import { sameBytes } from '#src/kit/crypto.ts'
import { canonicalJson } from '#src/kit/json.ts'
import type { Client } from '../clients/queries.ts'
import type { Offer } from './choice.ts'

/** The content of a consent page and the person who sees it: an approval is valid only for exactly this. */
export type ConsentContent = {
  readonly handle: string
  readonly session: Pick<Session, 'id' | 'member'>
  readonly client: Pick<Client, 'id' | 'name' | 'is_pre_registered'>
  readonly redirectUri: string
  readonly offers: readonly Offer[]
}

/** The token of a consent form. */
export const consentToken = (secret: string, school: School, content: ConsentContent): string => {
  const { handle, session, client, redirectUri, offers } = content
  const json = canonicalJson({
    person: session.member.id,
    client: [client.id, client.name, client.is_pre_registered],
    redirectUri,
    offers: offers.map(({ scope, kind }) => [scope.name, kind]),
  })
  return formTokenFor(secret, school.id, ['consent', session.id, handle, json])
}

/** The token of the form with which a signed-in person verifies their address. */
export const verifyToken = (secret: string, school: School, session: Pick<Session, 'id'>, handle: string): string =>
  formTokenFor(secret, school.id, ['verify', session.id, handle])

/** Whether the value in a form is this token. */
export const carries = (value: string, token: string): boolean => sameBytes(Buffer.from(value), Buffer.from(token))
