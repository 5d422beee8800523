/** The response of the token endpoint (RFC 6749 §5.1); lifetimes are in seconds. */
export type TokenAnswer = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
  readonly refresh_token_expires_in?: number
  readonly id_token?: string
}

/** The result of a token request: the tokens, and their remaining lifetimes. */
type TokenGrant = {
  readonly accessToken: string
  readonly expiresIn: number
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
  readonly refreshExpiresIn: number | null
  readonly idToken: string | undefined
}

/** The result of a token request as the response of the token endpoint. */
export const tokenAnswer = (grant: TokenGrant): TokenAnswer => ({
  access_token: grant.accessToken,
  token_type: 'Bearer',
  expires_in: grant.expiresIn,
  scope: grant.scopes.join(' '),
  ...(grant.refreshToken === undefined ? {} : { refresh_token: grant.refreshToken }),
  ...(grant.refreshExpiresIn === null ? {} : { refresh_token_expires_in: grant.refreshExpiresIn }),
  ...(grant.idToken === undefined ? {} : { id_token: grant.idToken }),
})
