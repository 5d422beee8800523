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

/** The parameters of a token request. */
export type TokenParameters = Parameters<(typeof tokenParameters)[number]>
