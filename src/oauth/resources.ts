import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'

/** The resources a school's tokens can be bound to. */
export const listResources = (school: School): readonly string[] => [school.baseUrl]

/** Whether a token bound to this resource is one of the school: its base URL or an address below it. */
export const isOfSchool = ({ baseUrl }: School, resource: string): boolean => `${resource}/`.startsWith(`${baseUrl}/`)

/** The canonical form of a requested resource (RFC 8707 §2), if it is one of the school; one trailing slash of an origin is ignored. */
export const findResource = (school: School, requested: string): string | undefined =>
  listResources(school).find(resource => requested === resource || requested === `${resource}/`)

/** The same; refuses what is no resource of the school. */
export const resourceNamed = (school: School, requested: string): string => {
  const found = findResource(school, requested)
  if (found === undefined)
    throw new OAuthError(
      'invalid_target',
      'The resource is not one of this school; the metadata lists protected_resources.',
    )
  return found
}
