/** The answer of the token endpoint (RFC 6749 §5.1); lives are in seconds. */
export type TokenAnswer = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
  readonly refresh_token_expires_in?: number
  readonly id_token?: string
}

/** What a token request gave: the tokens, and how long they live from now on. */
export type TokenGrant = {
  readonly accessToken: string
  readonly expiresIn: number
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
  readonly refreshExpiresIn: number | null
  readonly idToken: string | undefined
}

/** Puts what was given in the words of the norms. */
export const tokenAnswer = (given: TokenGrant): TokenAnswer => ({
  access_token: given.accessToken,
  token_type: 'Bearer',
  expires_in: given.expiresIn,
  scope: given.scopes.join(' '),
  ...(given.refreshToken === undefined ? {} : { refresh_token: given.refreshToken }),
  ...(given.refreshExpiresIn === null ? {} : { refresh_token_expires_in: given.refreshExpiresIn }),
  ...(given.idToken === undefined ? {} : { id_token: given.idToken }),
})
