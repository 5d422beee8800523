import type { Pairs } from '#src/kit/form.ts'
import type { FormPart } from '#src/kit/multipart.ts'
import type { Database } from './db.ts'
import type { School } from './school.ts'
import type { Viewed } from './view-count.ts'

/**
 * The form of an endpoint's refusals. `oauth`: RFC 6749 §5.2. `page`: the same, or a page when the request accepts HTML.
 * `site`: a problem, or a page when the request accepts HTML. `problem`: always a problem (RFC 9457).
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
  /** Before the school was read, on the clock of this process. */
  readonly schoolReadAt: number
  /** On the real clock of this process, which tests do not move; for instants that somebody else has signed. */
  readonly receivedAt: Date
  readonly database: Database
  readonly requestId: string
  /** The network of the client, for which requests are counted. */
  readonly network: string
  header(name: string): string | undefined
  /** Every value of a header that was sent more than once. */
  headers(name: string): readonly string[]
  /** The value of a cookie; of several with one name the first, which browsers send for the longest path (RFC 6265 §5.4). */
  cookie(name: string): string | undefined
  /** The body as a form in UTF-8 of at most 1 MB, or `maxBytes`; throws an OAuth error for another media type or a malformed one. */
  form(maxBytes?: number): Promise<Pairs>
  /**
   * The body as a form with files of at most `maxBytes`, part by part as it arrives, for a member, or anonymously for a
   * network; refuses other media types, malformed bodies, and more forms at once than a person, a school or the server may send.
   */
  formParts<T>(
    sender: {
      readonly memberId: string
      readonly isPrivileged: boolean
      readonly maxBytes: number
      readonly isAnonymous?: boolean
    },
    read: (parts: AsyncIterable<FormPart>) => Promise<T>,
  ): Promise<T>
  /** The body as JSON, read strictly. */
  json(): Promise<unknown>
  /** The body as the bytes that were sent, whatever their type, for a signature; refuses more than `maxBytes` with 413. */
  bytes(maxBytes: number): Promise<Buffer>
  /** Writes one line to the log, at the level of a warning. */
  logWarning(event: string, fields: Readonly<Record<string, unknown>>): void
  /** Marks the member behind this request as seen, and the session as used; this is stored later and may be lost. */
  markSeen(memberId: string, sessionId?: string): void
}

/** The response of an endpoint. */
export type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** A text, bytes, or a stream of either. */
  readonly body?: string | Buffer | AsyncIterable<string | Uint8Array>
  /**
   * Set where everybody without a token gets the same response to a request target in one language: before what it shows was
   * read, on the clock of this process. The response has an ETag.
   */
  readonly publicSince?: number
  /** Whether this is an asset or a document with an ETag, which is sent often and changes rarely. */
  readonly isStable?: boolean
  /** What this shows, where its views are counted: once each time it is sent, whether from a cache or not. */
  readonly viewed?: Viewed | undefined
}

/** One endpoint outside `/api/v1`. */
export type Endpoint = {
  readonly route: `${'GET' | 'POST'} /${string}`
  handle(request: EndpointRequest): Promise<Reply>
  /**
   * Shows a form again that was kept, where the address of its page names one; `show` shows the page itself. Its request cannot
   * write.
   */
  showKept?(request: EndpointRequest, show: (request: EndpointRequest) => Promise<Reply>): Promise<Reply>
  /**
   * Answers a form that a module of its page sends with `Stoa-Form: check`: 204, with `Stoa-Needs: proof` where the person has to
   * prove who they are before it is accepted. Its request cannot write.
   */
  checkForm?(request: EndpointRequest): Promise<Reply>
}

/**
 * What answers GET at paths that nothing else has, such as content pages and redirects. Undefined: there is nothing at
 * this address.
 */
export type Fallback = (request: EndpointRequest) => Promise<Reply | undefined>

/** Declares an endpoint. */
export const endpoint = (declared: Endpoint): Endpoint => declared
