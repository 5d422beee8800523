const DAY = 24 * 3600

/** How long an access token lives, in seconds; never past its family or grant. */
export const ACCESS_SECONDS = 3600

/** How long an ID token lives, in seconds. */
export const ID_TOKEN_SECONDS = 600

/** How long a fetched key set may be kept, in seconds. */
export const JWKS_SECONDS = 15 * 60

/** How long a refresh family may lie unused, in seconds. */
export const IDLE_SECONDS = 30 * DAY

/** How long a refresh family lives at most, in seconds. */
export const FAMILY_SECONDS = 365 * DAY

/** How long after a rotation the replaced refresh token gets the same answer again, in seconds. */
export const REPEAT_SECONDS = 60

/** How long an approval lives, in seconds: its refresh family, or the code's wait and one access token. */
export const grantSeconds = (grantTypes: readonly string[]): number =>
  grantTypes.includes('refresh_token') ? FAMILY_SECONDS : 120 + ACCESS_SECONDS
