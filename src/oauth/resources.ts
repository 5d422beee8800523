import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'

/** The resources a school's tokens can be bound to. */
export const resourcesOf = (school: School): readonly string[] => [school.baseUrl]

/** The canonical form of a requested resource (RFC 8707 §2); one trailing slash of an origin is ignored. */
export const resourceNamed = (school: School, requested: string): string => {
  const found = resourcesOf(school).find(resource => requested === resource || requested === `${resource}/`)
  if (found === undefined)
    throw new OAuthError(
      'invalid_target',
      'The resource is not one of this school; the metadata lists protected_resources.',
    )
  return found
}
