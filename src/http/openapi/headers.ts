import type { Operation } from '#src/contract/operation.ts'
import { isPage } from '../fields.ts'
import type { Json } from './components.ts'

const text = (description: string, example: string, required = false): Json => ({
  description,
  ...(required ? { required } : {}),
  schema: { type: 'string' },
  example,
})

/** The headers of responses, as components. */
export const HEADERS = {
  'X-Request-Id': text(
    'The id of the request, from its X-Request-Id header or generated',
    '0d5a4c1e-6f0b-4a53-9b53-1f2ac1ff00aa',
    true,
  ),
  'RateLimit-Policy': text('The limit: requests (q) in a window of seconds (w)', '"grant";q=3000;w=60', true),
  RateLimit: text('What is left of the limit (r), and the seconds until it is reset (t)', '"grant";r=2999;t=60', true),
  ETag: text('The version of the representation, for If-Match and If-None-Match', '"3-Vb1vC5yq0iYk2f3A"'),
  Location: text(
    'The address of the resource that was created, or of the confirmation',
    'https://school.example/api/v1/…',
  ),
  Link: text('The next page, with rel="next" (RFC 8288)', '<https://school.example/api/v1/…>; rel="next"'),
  'Idempotency-Replayed': text(
    '`true` when this is the stored response to an earlier request with the same key',
    'true',
  ),
  'Retry-After': {
    description: 'Seconds to wait before sending the request again',
    schema: { type: 'integer' },
    example: 5,
  },
  'WWW-Authenticate': text('The challenge of RFC 6750, with the scope that is missing', 'Bearer error="invalid_token"'),
  'Content-Disposition': text('The file name of a list as CSV', 'attachment; filename="members-2026-11-28.csv"'),
} as const satisfies Record<string, Json>

type Name = keyof typeof HEADERS

const ALWAYS = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] as const satisfies readonly Name[]

const refer = (names: readonly Name[]): Json =>
  Object.fromEntries([...ALWAYS, ...names].map(name => [name, { $ref: `#/components/headers/${name}` }]))

const hasWait = (status: number, codes: readonly string[]): boolean =>
  status === 429 || status === 503 || codes.includes('request_in_progress')

/** The headers of a refusal with one of these codes. */
export const buildHeaders = ({ status, codes }: { readonly status: number; readonly codes: readonly string[] }): Json =>
  refer([
    ...(status === 401 || codes.includes('insufficient_scope') ? (['WWW-Authenticate'] as const) : []),
    ...(status === 412 ? (['ETag'] as const) : []),
    ...(hasWait(status, codes) ? (['Retry-After'] as const) : []),
  ])

/** The headers of 304. */
export const notModifiedHeaders = (): Json => refer(['ETag'])

/** The headers of a dry run. */
export const dryRunHeaders = (): Json => refer([])

/** The headers of the 202 of an operation that a person confirms. */
export const confirmationHeaders = (): Json => refer(['Location', 'Idempotency-Replayed'])

const hasId = ({ returns }: Operation): boolean =>
  'id' in ((returns as { readonly properties?: object } | undefined)?.properties ?? {})

/** The headers of the success of an operation. */
export const successHeaders = (operation: Operation): Json =>
  refer([
    ...(operation.returns === undefined ? [] : (['ETag'] as const)),
    ...(operation.status === 201 && hasId(operation) ? (['Location'] as const) : []),
    ...(operation.method === 'GET' && isPage(operation) ? (['Link'] as const) : []),
    ...(operation.mode === 'write' ? (['Idempotency-Replayed'] as const) : []),
    ...(operation.csv === undefined ? [] : (['Content-Disposition'] as const)),
  ])
