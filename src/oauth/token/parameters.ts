import type { Parameters } from '../parameters.ts'

/** The parameters of a token request that Stoa reads. */
export const tokenParameters = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
] as const

/** A token request as it was sent. */
export type TokenParameters = Parameters<(typeof tokenParameters)[number]>
