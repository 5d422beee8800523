import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { resourceNamed } from '../resources.ts'
import type { TokenParameters } from './parameters.ts'

/** The resource a token is to be bound to: one, and only one that was allowed (RFC 8707 §2.2). */
export const chooseResource = (school: School, parameters: TokenParameters, allowed: readonly string[]): string => {
  const [asked, second] = parameters.all('resource')
  if (second !== undefined) throw new OAuthError('invalid_target', 'Ask for one resource at a time.')
  const standard = allowed.length === 1 ? allowed[0] : school.baseUrl
  const resource = asked === undefined ? standard : resourceNamed(school, asked)
  if (resource === undefined || !allowed.includes(resource))
    throw new OAuthError('invalid_target', 'The resource was not part of the authorization.')
  return resource
}
