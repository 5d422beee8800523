import type { ErrorFormat, Reply } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { Refusal } from '#src/contract/problem.ts'
import { internalError } from '#src/contract/problems.ts'
import { findRefusal } from '#src/db/sqlstates.ts'
import { errorPage, type Reader } from './error-page.ts'

/** The recipient of a refusal, and its form. */
type ReplyTarget = {
  readonly errorFormat: ErrorFormat
  readonly acceptsHtml: boolean
  readonly reader: Reader
  readonly baseUrl: string
  readonly requestId: string
}

/** JSON with its media type. */
export const json = (status: number, value: unknown, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

/** The refusal for an error; an unknown error becomes an internal error, which the caller logs. */
export const refusalFrom = (error: unknown, write: 'delete' | 'write'): Refusal | OAuthError => {
  if (error instanceof Refusal || error instanceof OAuthError) return error
  return findRefusal(error, write) ?? new Refusal(internalError, 'The server failed to process the request.')
}

const problemReply = (refusal: Refusal, to: ReplyTarget): Reply => {
  const { problem, extras, message } = refusal
  const body = {
    // Without a school there is no page about the problem.
    type: to.baseUrl === '' ? 'about:blank' : `${to.baseUrl}/problems/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: message,
    code: problem.code,
    request_id: to.requestId,
    retryable: problem.retryable,
    ...(extras.errors === undefined ? {} : { errors: extras.errors }),
    ...extras.members,
  }
  const headers = {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    ...extras.headers,
  }
  return { status: problem.status, headers, body: JSON.stringify(body) }
}

// A refusal of the pipeline with an error code of RFC 6749 §5.2.
const asOAuth = (refusal: Refusal): OAuthError => {
  const { status } = refusal.problem
  const code = status >= 500 ? (status === 500 ? 'server_error' : 'temporarily_unavailable') : 'invalid_request'
  return new OAuthError(status === 429 ? 'temporarily_unavailable' : code, refusal.message, {
    status,
    headers: refusal.extras.headers ?? {},
  })
}

const oauthReply = (error: OAuthError, to: ReplyTarget): Reply => {
  const body = {
    error: error.code,
    // RFC 6749 §5.2: %x20-21 / %x23-5B / %x5D-7E
    error_description: error.message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'"),
    error_uri: `${to.baseUrl}/problems/${error.code}`,
  }
  return json(error.status, body, { 'cache-control': 'no-store', pragma: 'no-cache', ...error.headers })
}

/** A refusal in the format of its recipient. */
export const refusalReply = (error: Refusal | OAuthError, to: ReplyTarget): Reply => {
  if ((to.errorFormat === 'page' || to.errorFormat === 'site') && to.acceptsHtml) return errorPage(error, to.reader)
  if ((to.errorFormat === 'problem' || to.errorFormat === 'site') && error instanceof Refusal)
    return problemReply(error, to)
  return oauthReply(error instanceof OAuthError ? error : asOAuth(error), to)
}
