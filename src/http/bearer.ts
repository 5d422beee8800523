import type { IncomingMessage } from 'node:http'
import { anonymous, type Caller } from '#src/contract/caller.ts'
import type { Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { insufficientScope, invalidRequest, invalidToken, signInRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { readValues } from './raw-headers.ts'

/** Finds the caller of a token at a resource of a school; undefined unless the token is valid and bound to the resource. */
export type Authenticate = (school: School, token: string, resource: string) => Promise<Caller | undefined>

const metadata = (school: School): string =>
  `resource_metadata="${school.baseUrl}/.well-known/oauth-protected-resource"`

// RFC 6750 §3.1
const invalid = (school: School): Refusal => {
  const description = 'The access token is malformed, expired, revoked, or not for this school.'
  return new Refusal(invalidToken, description, {
    headers: {
      'www-authenticate': `Bearer error="invalid_token", error_description="${description}", ${metadata(school)}`,
    },
    members: { error: 'invalid_token', error_description: description },
  })
}

/** The token of a request; undefined without one. More than one header, or a token in the query, is refused. */
export const readBearer = (raw: IncomingMessage, query: string): string | undefined => {
  // Node keeps the first of two Authorization headers and hides the second.
  const values = readValues(raw, 'authorization')
  if (values.length > 1 || /(?:^|&)access_token=/.test(query)) {
    throw new Refusal(invalidRequest, 'Send the access token once, in the Authorization header.', {
      members: {
        error: 'invalid_request',
        error_description: 'Send the access token once, in the Authorization header.',
      },
    })
  }
  const [scheme = '', ...rest] = (values[0] ?? '').split(' ')
  return scheme.toLowerCase() === 'bearer' ? rest.join(' ').trim() : undefined
}

/** The caller: anonymous without a token; refuses with 401 when the token is not valid here. */
export const identifyCaller = async (
  authenticate: Authenticate,
  school: School,
  token: string | undefined,
): Promise<Caller> => {
  if (token === undefined) return anonymous
  const caller = await authenticate(school, token, school.baseUrl)
  if (caller === undefined) throw invalid(school)
  return caller
}

/** The first check: without a token an operation has to be for anyone, a token has to have the operation's scope. */
export const checkScope = (operation: Operation, caller: Caller, school: School): void => {
  if (caller.member === undefined) {
    if (operation.who === 'anyone') return
    throw new Refusal(signInRequired, 'This operation needs a signed-in person; call it with an access token.')
  }
  const { scope } = operation
  if (scope === 'none' || caller.scopes.has(scope)) return
  throw lacksScope(school, scope, 'This operation')
}

/** The refusal of a token that lacks a scope (RFC 6750 §3.1). */
export const lacksScope = (school: School, scope: string, what: string): Refusal => {
  const description = `${what} needs the scope ${scope}.`
  return new Refusal(insufficientScope, description, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}", ${metadata(school)}` },
    members: { error: 'insufficient_scope', error_description: description },
  })
}
