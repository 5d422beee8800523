import type { Phrase } from './language.ts'

const declare = <const Codes extends Readonly<Record<string, readonly [status: number, explanation: string]>>>(
  codes: Codes,
) => codes

/** The error codes of the OAuth norms that Stoa uses: the status at an endpoint, and what to do. */
export const oauthErrors = declare({
  invalid_request: [
    400,
    'A parameter is missing, sent twice or malformed. The description names it. Correct the request; nothing was consumed.',
  ],
  invalid_grant: [
    400,
    'The code or token is unknown, used, expired, revoked, or belongs to another client, or the verifier or redirect URI does not match. Start a new authorization.',
  ],
  invalid_client: [
    401,
    'The client is unknown here or did not authenticate as it was registered. Register again, or send client_id and client_secret in the form.',
  ],
  unauthorized_client: [
    400,
    'The client did not register what it asks for. Register with the grant type or authentication method you use.',
  ],
  unsupported_grant_type: [400, 'The token endpoint does not do this grant. The metadata lists those it does.'],
  unsupported_response_type: [400, 'Only response_type=code is offered.'],
  invalid_scope: [
    400,
    'A scope is unknown, missing, or more than the client registered. The metadata lists every scope.',
  ],
  invalid_target: [
    400,
    'The resource is not one of this school, or was not part of the authorization. The metadata lists protected_resources.',
  ],
  unsupported_token_type: [400, 'A token of this type cannot be revoked or inspected here.'],
  invalid_redirect_uri: [
    400,
    'A redirect URI is not one that this kind of client may have, or not one that it registered. /auth.md lists the kinds.',
  ],
  invalid_client_metadata: [
    400,
    'The registration asks for something that is not offered here. The description names the member.',
  ],
  request_not_supported: [400, 'Request objects are not offered; send the parameters themselves.'],
  request_uri_not_supported: [400, 'Request objects by reference are not offered and never fetched.'],
  access_denied: [403, 'The person did not allow it.'],
  sign_in_required: [403, 'This endpoint tells about a person; call it with an access token.'],
  login_required: [
    400,
    'With prompt=none the person would have to be signed in already; with an id_token_hint nobody else may sign in.',
  ],
  consent_required: [
    400,
    'With prompt=none the person would have to have agreed already, which only an app that the school arranged can rely on.',
  ],
  invalid_token: [
    401,
    'The token is malformed, expired, revoked, or of another school or resource. Start a new authorization.',
  ],
  insufficient_scope: [403, 'The token is valid but lacks the scope named in the answer.'],
  server_error: [500, 'The request met a fault on our side. Tell the operator the request id.'],
  temporarily_unavailable: [503, 'The server is busy or the limit is used up. Wait as long as Retry-After says.'],
})

/** One of the error codes. */
export type OAuthCode = keyof typeof oauthErrors

type More = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> }

/**
 * A refusal in the words of RFC 6749 §5.2; `status` and `headers` where the usual ones do not fit. What people meet on a
 * page is described in every language; what goes to a client is the English.
 */
export class OAuthError extends Error {
  readonly code: OAuthCode
  readonly phrase: Phrase | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(code: OAuthCode, description: string | Phrase, more: More = {}) {
    super(typeof description === 'string' ? description : description.en)
    this.phrase = typeof description === 'string' ? undefined : description
    this.code = code
    this.status = more.status ?? oauthErrors[code][0]
    this.headers = more.headers ?? {}
  }
}
