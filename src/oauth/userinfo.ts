import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { getMember } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import type { FindBearer } from './bearer.ts'
import { buildClaims } from './claims.ts'
import { isOfSchool } from './resources.ts'

const challenge = (request: EndpointRequest, error: string, more: string): Record<string, string> => ({
  'www-authenticate': `Bearer error="${error}", ${more}, resource_metadata="${request.school.baseUrl}/.well-known/oauth-protected-resource"`,
})

const invalidToken = (request: EndpointRequest): OAuthError => {
  const description = 'The access token is malformed, expired or revoked.'
  return new OAuthError('invalid_token', description, {
    headers: challenge(request, 'invalid_token', `error_description="${description}"`),
  })
}

const once = (): OAuthError =>
  new OAuthError('invalid_request', 'Send the access token once, in the Authorization header.')

const hasTokenElsewhere = async (request: EndpointRequest): Promise<boolean> => {
  if (new URLSearchParams(request.query).has('access_token')) return true
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.header('content-type') ?? '')
  return request.method === 'POST' && isForm && (await request.form()).some(([name]) => name === 'access_token')
}

const readToken = async (request: EndpointRequest): Promise<string> => {
  const values = request.headers('authorization')
  if (values.length > 1 || (await hasTokenElsewhere(request))) throw once()
  const [scheme = '', ...rest] = (values[0] ?? '').split(' ')
  if (scheme.toLowerCase() === 'bearer') return rest.join(' ').trim()
  throw new OAuthError('sign_in_required', 'This endpoint returns claims about a person; send an access token.')
}

const userinfo = async (request: EndpointRequest, findBearer: FindBearer): Promise<Reply> => {
  const { database, school } = request
  const bearer = await findBearer(school, await readToken(request))
  if (bearer === undefined || !isOfSchool(school, bearer.resource)) throw invalidToken(request)
  const { member, scopes } = bearer.caller
  request.markSeen(member.id)
  if (!scopes.has('openid')) {
    throw new OAuthError('insufficient_scope', 'The token lacks the scope openid.', {
      headers: challenge(request, 'insufficient_scope', 'scope="openid"'),
    })
  }
  const row = await database.statements(school.id, db => getMember(db, school.id, member.id))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    vary: 'Authorization',
  }
  return { status: 200, headers, body: JSON.stringify({ sub: toId('mem', row.id), ...buildClaims(row, scopes) }) }
}

/** GET and POST /api/oauth/userinfo (OpenID Connect Core §5.3). */
export const userinfoEndpoints = (findBearer: FindBearer): Endpoint[] => [
  endpoint({ route: 'GET /api/oauth/userinfo', handle: request => userinfo(request, findBearer) }),
  endpoint({ route: 'POST /api/oauth/userinfo', handle: request => userinfo(request, findBearer) }),
]
