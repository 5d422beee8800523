import type { TokenLifetimes } from '#src/contract/school.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Within which bounds a school sets the life of each kind, in seconds; the schools table checks the same. */
export const lifetimeBounds: Readonly<Record<keyof TokenLifetimes, { readonly least: number; readonly most: number }>> =
  {
    code: { least: 30, most: 10 * MINUTE },
    access: { least: 5 * MINUTE, most: DAY },
    idle: { least: DAY, most: 90 * DAY },
    family: { least: DAY, most: 365 * DAY },
  }

/** How long an ID token lives, in seconds. */
export const ID_TOKEN_SECONDS = 600

/** How long a fetched key set may be kept, in seconds. */
export const JWKS_SECONDS = 15 * MINUTE

/** How long after a rotation the replaced refresh token gets the same answer again, in seconds. */
export const REPEAT_SECONDS = 60

/** How long an approval lives, in seconds: its refresh family, or the code's wait and one access token. */
export const grantSeconds = (lives: TokenLifetimes, grantTypes: readonly string[]): number =>
  grantTypes.includes('refresh_token') ? lives.family : lives.code + lives.access
