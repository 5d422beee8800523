import type { Phrase } from './language.ts'

const declare = <const Codes extends Readonly<Record<string, readonly [status: number, explanation: string]>>>(
  codes: Codes,
) => codes

/** The error codes of the OAuth standards that Stoa uses: the HTTP status, and what the client should do. */
export const oauthErrors = declare({
  invalid_request: [
    400,
    'A parameter is missing, sent twice or malformed. The description names it. Correct the request; no code or token was used up.',
  ],
  invalid_grant: [
    400,
    'The code or token is unknown, used, expired, revoked, or belongs to another client, or the verifier or redirect URI does not match. Start a new authorization.',
  ],
  invalid_client: [
    401,
    'The client is unknown here or did not use the authentication method of its registration. Register again, or send client_id and client_secret in the form.',
  ],
  unauthorized_client: [
    400,
    'The client is not registered for what it requests. Register with the grant type or authentication method that you use.',
  ],
  unsupported_grant_type: [
    400,
    'The token endpoint does not support this grant type. The metadata lists those that it supports.',
  ],
  unsupported_response_type: [400, 'Only response_type=code is supported.'],
  invalid_scope: [
    400,
    'A scope is unknown, missing, or not part of the registration of the client. The metadata lists every scope.',
  ],
  invalid_target: [
    400,
    'The resource is not one of this school, or was not part of the authorization. The metadata lists protected_resources.',
  ],
  unsupported_token_type: [400, 'A token of this type cannot be revoked or inspected here.'],
  invalid_redirect_uri: [
    400,
    'The redirect URI is not allowed for this kind of client, or not part of its registration. /auth.md lists the kinds.',
  ],
  invalid_client_metadata: [
    400,
    'The registration requests something that is not supported here. The description names the member.',
  ],
  request_not_supported: [400, 'Request objects are not supported; send the parameters themselves.'],
  request_uri_not_supported: [400, 'Request objects by reference are not supported and never fetched.'],
  access_denied: [403, 'The person denied the request.'],
  sign_in_required: [403, 'This endpoint returns data about a person; call it with an access token.'],
  login_required: [
    400,
    'With prompt=none the person must already be signed in; with an id_token_hint nobody else may sign in.',
  ],
  consent_required: [
    400,
    'With prompt=none the person must already have given consent, which is remembered only for pre-registered apps.',
  ],
  invalid_token: [
    401,
    'The token is malformed, expired or revoked, or belongs to another school or resource. Start a new authorization.',
  ],
  insufficient_scope: [403, 'The token is valid but lacks the scope named in the response.'],
  server_error: [500, 'The server failed to process the request. Give the request id to the operator.'],
  temporarily_unavailable: [503, 'The server is busy or the rate limit is used up. Wait for the time in Retry-After.'],
})

/** One of these error codes. */
export type OAuthCode = keyof typeof oauthErrors

type Options = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> }

/**
 * A refusal with an error code of RFC 6749 §5.2; `status` and `headers` replace the usual ones. A description that people
 * see on a page is a phrase in every language; clients get the English text.
 */
export class OAuthError extends Error {
  readonly code: OAuthCode
  readonly phrase: Phrase | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(code: OAuthCode, description: string | Phrase, options: Options = {}) {
    super(typeof description === 'string' ? description : description.en)
    this.phrase = typeof description === 'string' ? undefined : description
    this.code = code
    this.status = options.status ?? oauthErrors[code][0]
    this.headers = options.headers ?? {}
  }
}
