import type { Pairs } from '#src/kit/form.ts'
import type { Database } from './db.ts'
import type { School } from './school.ts'

/**
 * In which form an endpoint refuses: RFC 6749 §5.2; the same, but a page for who accepts HTML; a page or a problem;
 * or a problem always.
 */
export type ErrorFormat = 'oauth' | 'page' | 'site' | 'problem'

/** A request to an endpoint that is not an operation of the API. */
export type EndpointRequest = {
  readonly method: string
  readonly path: string
  /** The raw query without its question mark. */
  readonly query: string
  readonly params: Readonly<Record<string, string>>
  readonly school: School
  readonly database: Database
  readonly requestId: string
  /** The network that limits are counted for. */
  readonly network: string
  header(name: string): string | undefined
  /** Every value of a header that was sent more than once. */
  headers(name: string): readonly string[]
  /** The value of a cookie; of several with one name the first, which browsers send for the longest path (RFC 6265 §5.4). */
  cookie(name: string): string | undefined
  /** On a loopback school the path to which the cookie of the session is limited; empty elsewhere, and without a session. */
  readonly sessionPath: string
  /** The body as a form in UTF-8; throws an OAuth error for another media type or a malformed one. */
  form(): Promise<Pairs>
  /** The body as JSON, read strictly. */
  json(): Promise<unknown>
  /** One line in the log, at the level of a warning. */
  note(event: string, fields: Readonly<Record<string, unknown>>): void
  /** Marks the member behind this request as seen: a trace that is stored later and may be lost. */
  seen(memberId: string): void
}

/** What an endpoint answers. */
export type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Text, bytes, or pieces of either that are sent as they come. */
  readonly body?: string | Buffer | AsyncIterable<string | Uint8Array>
}

/** One endpoint outside `/api/v1`. */
export type Endpoint = {
  readonly route: `${'GET' | 'POST'} /${string}`
  handle(request: EndpointRequest): Promise<Reply>
}

/** Declares an endpoint. */
export const endpoint = (declared: Endpoint): Endpoint => declared
