import { type FieldError, problem, Refusal } from './problem.ts'

/** The request cannot be read. */
export const invalidRequest = problem(
  400,
  'invalid_request',
  'The request cannot be read',
  'A header, the query or the body is not valid HTTP or JSON. The detail names the first error. Correct it and send the request again.',
)

/** The write needs Idempotency-Key. */
export const idempotencyKeyRequired = problem(
  400,
  'idempotency_key_required',
  'Idempotency-Key is required',
  'This write must not happen twice, so every request for it has an Idempotency-Key. Send a new key for a new write, and the same key when you send the same request again.',
)

/** The query has a parameter the operation does not declare. */
export const unknownParameter = problem(
  400,
  'unknown_parameter',
  'The query has an unknown parameter',
  'This operation does not have a parameter of that name. Parameters are listed with the operation in /openapi.json; a mistyped one is refused rather than ignored.',
)

/** A declared parameter has a value that its schema does not allow. */
export const invalidParameter = problem(
  400,
  'invalid_parameter',
  'A parameter has an invalid value',
  'A parameter was sent twice, or its value is not allowed. The allowed values are listed with the operation in /openapi.json.',
)

/** The access token is malformed, no longer valid, or for another resource. */
export const invalidToken = problem(
  401,
  'invalid_token',
  'The access token is not valid here',
  'The bearer token is malformed, expired, revoked, or was issued for another school or resource. Refresh it or start a new authorization. A request without a token is anonymous.',
)

/** The operation needs a signed-in person. */
export const signInRequired = problem(
  403,
  'sign_in_required',
  'Sign-in is required',
  'This operation is not open to anonymous requests. Get an access token (see /auth.md) and call it with that.',
)

/** The token lacks the scope. */
export const insufficientScope = problem(
  403,
  'insufficient_scope',
  'The token lacks the scope',
  'The token is valid but does not have the scope that this operation needs. The response names the scope; request it in a new authorization.',
)

/** The person's role does not allow it. */
export const roleRequired = problem(
  403,
  'role_required',
  'The role does not allow this',
  'The token has the scope, but the person behind it does not have the role that this operation needs in this school. Another token of the same person will not help.',
)

/** The form was not sent from our own page. */
export const formRefused = problem(
  403,
  'form_refused',
  'The form was not sent from this page',
  'A form on the account pages is accepted only from a page that was opened in the same sign-in. Open the page again and send the form from there. Programs use the API instead.',
)

/** The person has to prove again who they are. */
export const proofRequired = problem(
  403,
  'proof_required',
  'Confirm that it is you',
  'Some acts on the pages of a school need a recent proof of who the person is. Confirm it on the page, and send the form again. Programs use the API instead.',
)

/** A form that was kept while the person proved who they are; nothing is written before it is sent again. */
export const formKept = problem(
  409,
  'form_kept',
  'The form was kept and is not sent yet',
  'What was typed into a form on the pages was kept while the person signed in. Check it, and send the form again. Programs use the API instead.',
)

/** Staff who see the school as somebody else write nothing, and do not see that person's account. */
export const viewingOnly = problem(
  403,
  'viewing_only',
  'You see the school as somebody else',
  'Somebody of the staff who sees the school as a member sees the site and the courses, and changes nothing. End it on the page /staff/viewing.',
)

/** There is nothing at this address for this caller. */
export const notFound = problem(
  404,
  'not_found',
  'There is nothing here',
  'The address is unknown, or the resource does not exist, belongs to somebody else or is not public yet. The response does not say which.',
)

/** The address has other methods. */
export const methodNotAllowed = problem(
  405,
  'method_not_allowed',
  'The method is not allowed here',
  'The address exists, but not with this method. The Allow header lists the methods it has.',
)

/** The response is not available in an accepted media type. */
export const notAcceptable = problem(
  406,
  'not_acceptable',
  'No accepted media type is available',
  'This operation answers with application/json. Send an Accept header that allows it, or none.',
)

/** The request arrived too slowly. */
export const requestTimeout = problem(
  408,
  'request_timeout',
  'The request arrived too slowly',
  'The headers must arrive within 10 seconds and the whole request within 30. The connection was closed; send the request again.',
  true,
)

/** Another request with the same idempotency key is in progress. */
export const requestInProgress = problem(
  409,
  'request_in_progress',
  'The same request is still in progress',
  'A request with this Idempotency-Key has not ended yet. Wait for the time in Retry-After and send the same request again.',
  true,
)

/** The current state does not allow the request. */
export const conflict = problem(
  409,
  'conflict',
  'The current state does not allow this',
  'The request is well-formed but conflicts with what is stored. Read the resource again before you decide what to send.',
)

/** The status of the resource does not allow the change. */
export const invalidState = problem(
  409,
  'invalid_state',
  'The status of the resource does not allow this',
  'The resource is in a status that does not allow this change, or reached such a status while the request was processed. The detail names the status. Read the resource again: its status and, where it has one, its allowed_actions list what is possible.',
)

/** Another resource of the same kind has the slug. */
export const slugTaken = problem(
  409,
  'slug_taken',
  'The slug is taken',
  'A slug is unique among the resources of its kind in the school. Choose another one, or leave it out to have one generated from the name.',
)

/** Too many confirmations are pending for the person. */
export const tooManyConfirmations = problem(
  409,
  'too_many_confirmations',
  'Too many confirmations are pending',
  'Twenty writes already wait for this person to approve them. Ask the person to decide on those, or wait until they expire, and send the request again.',
)

/** The resource changed since it was read. */
export const preconditionFailed = problem(
  412,
  'precondition_failed',
  'The resource has changed',
  'If-Match names another revision than the current one, whose ETag is in the response. Read the resource again and repeat the change on it.',
)

/** A body larger than the limit. */
export const payloadTooLarge = problem(
  413,
  'payload_too_large',
  'The body is too large',
  'A request body may have at most 1 MB. Send less in one request; files are sent through uploads.',
)

/** A body of another media type. */
export const unsupportedMediaType = problem(
  415,
  'unsupported_media_type',
  'The media type is not supported',
  'Bodies are application/json in UTF-8 (for PATCH also application/merge-patch+json). Set Content-Type accordingly.',
)

/** The body does not match the schema. */
export const invalidBody = problem(
  422,
  'invalid_body',
  'The body does not match the schema',
  'The fields listed under errors are missing, unknown or have values that are not allowed. Nothing was changed.',
)

/** The key was used for another request. */
export const idempotencyKeyReused = problem(
  422,
  'idempotency_key_reused',
  'The idempotency key belongs to another request',
  'This Idempotency-Key was used within the last 24 hours with another body. Use a new key for a new request.',
)

/** The write needs If-Match. */
export const preconditionRequired = problem(
  428,
  'precondition_required',
  'If-Match is required',
  'This resource is edited by several people at once, so a write must send in If-Match the ETag that it changes. Read the resource first.',
)

/** Too many requests. */
export const rateLimited = problem(
  429,
  'rate_limited',
  'Too many requests',
  'The limit named in RateLimit-Policy is used up. Wait for the time in Retry-After.',
  true,
)

/** The header section is larger than the limit. */
export const headersTooLarge = problem(
  431,
  'headers_too_large',
  'The headers are too large',
  'The request line and headers together may have 16 KB, the query 8 KB.',
)

/** An error of the server. */
export const internalError = problem(
  500,
  'internal_error',
  'Something went wrong on our side',
  'The server failed to process the request and nothing was changed. Give the request_id to the operator.',
  true,
)

/** An unknown method. */
export const unknownMethod = problem(
  501,
  'unknown_method',
  'The method is not known',
  'The server knows GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.',
)

/** The server cannot answer now. */
export const unavailable = problem(
  503,
  'unavailable',
  'The server cannot answer now',
  'The database is busy, restarting or unreachable. Nothing was changed. Send the request again after the time in Retry-After.',
  true,
)

/** The server does not know whether the write was made. */
export const outcomeUnknown = problem(
  503,
  'outcome_unknown',
  'Whether the change was made is unknown',
  'The connection to the database was lost while the change was stored, so it was made completely or not at all, and the server cannot tell which. Send the same request with the same Idempotency-Key: it is carried out only once. Without a key, read the resource first, since a second request may apply the change twice.',
)

/** The document has more rows or text than is printed. */
export const documentTooLarge = problem(
  422,
  'document_too_large',
  'The document is too large to be printed',
  'A printed document has at most 1,000 rows and 100,000 characters. Print a part of it, or export the list as CSV.',
)

/** Refuses a body with these errors of its fields; does nothing when there is none. */
export const refuseInvalid = (errors: readonly FieldError[], detail = 'Some values are not allowed.'): void => {
  if (errors.length > 0) throw new Refusal(invalidBody, detail, { errors })
}
