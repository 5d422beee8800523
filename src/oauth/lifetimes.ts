import type { TokenLifetimes } from '#src/contract/school.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The bounds of each lifetime that a school can set, in seconds; the schools table checks the same. */
export const lifetimeBounds: Readonly<Record<keyof TokenLifetimes, { readonly least: number; readonly most: number }>> =
  {
    code: { least: 30, most: 10 * MINUTE },
    access: { least: 5 * MINUTE, most: DAY },
    idle: { least: DAY, most: 90 * DAY },
    family: { least: DAY, most: 365 * DAY },
  }

/** How long an ID token is valid, in seconds. */
export const ID_TOKEN_SECONDS = 600

/** How long a fetched key set may be cached, in seconds. */
export const JWKS_SECONDS = 15 * MINUTE

/** How long after a rotation the replaced refresh token gets the same response again, in seconds. */
export const REPEAT_SECONDS = 60

/** How long a grant is valid, in seconds: as long as its refresh family, or as its code and one access token. */
export const grantSeconds = (lifetimes: TokenLifetimes, grantTypes: readonly string[]): number =>
  grantTypes.includes('refresh_token') ? lifetimes.family : lifetimes.code + lifetimes.access
