import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { resourceNamed } from '../resources.ts'
import type { TokenParameters } from './parameters.ts'

/** The one allowed resource to which a token is bound (RFC 8707 §2.2). */
export const chooseResource = (school: School, parameters: TokenParameters, allowed: readonly string[]): string => {
  const [requested, second] = parameters.all('resource')
  if (second !== undefined) throw new OAuthError('invalid_target', 'Request one resource at a time.')
  const standard = allowed.length === 1 ? allowed[0] : school.baseUrl
  const resource = requested === undefined ? standard : resourceNamed(school, requested)
  if (resource === undefined || !allowed.includes(resource))
    throw new OAuthError('invalid_target', 'The resource was not part of the authorization.')
  return resource
}
