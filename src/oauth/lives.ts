/** How long an access token lives, in seconds. */
export const ACCESS_SECONDS = 3600

/** How long an approval lives, in seconds: the code's wait and one access token. */
export const GRANT_SECONDS = 120 + ACCESS_SECONDS

/** How long an ID token lives, in seconds. */
export const ID_TOKEN_SECONDS = 600
