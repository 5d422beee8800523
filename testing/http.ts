import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** A request of a test; `host` is the Host header when it is not that of a school named `localhost`. */
export type TestRequest = {
  readonly method?: string
  readonly path: string
  readonly host?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
}

/** A reply as a test reads it. */
export type TestReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of unknown JSON and asserts on them
  readonly json: any
}

// An idle connection is given up long before the server ends it, so that no request is sent on one that ends.
const agent = new Agent({ keepAlive: true, maxSockets: 200, agentKeepAliveTimeoutBuffer: 30_000 })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Most replies are not JSON, or no test reads their members.
const parseReply = ({ statusCode = 0, headers }: IncomingMessage, text: string): TestReply => {
  let parsed: { readonly json: unknown } | undefined
  return {
    status: statusCode,
    headers,
    text,
    get json() {
      parsed ??= { json: parse(text) }
      return parsed.json
    },
  }
}

/** Sends one request to a port of this machine's loopback interface. */
export const send = (port: number, testRequest: TestRequest): Promise<TestReply> =>
  new Promise((resolve, reject) => {
    const headers: Record<string, string | string[]> = {}
    for (const [name, value] of Object.entries(testRequest.headers ?? {}))
      headers[name] = typeof value === 'string' ? value : [...value]
    headers.host ??= testRequest.host ?? `localhost:${port}`
    if (testRequest.body !== undefined) headers['content-length'] = String(Buffer.byteLength(testRequest.body))
    const outgoing = request(
      { agent, host: '127.0.0.1', port, method: testRequest.method ?? 'GET', path: testRequest.path, headers },
      incoming => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve(parseReply(incoming, text))
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(testRequest.body)
  })

/** Builds a request with form fields. */
export const form = (
  path: string,
  fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  headers: Readonly<Record<string, string>> = {},
): TestRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams((Array.isArray(fields) ? fields : Object.entries(fields)) as [string, string][]).toString(),
})

/** Builds a request with a JSON body. */
export const jsonBody = (
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): TestRequest => ({
  method,
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/**
 * Repeats a request as long as the reply is retryable, as its Retry-After says: on a slow machine a statement may wait
 * longer for a row than is allowed.
 */
export const retryWhileBusy = async (call: () => Promise<TestReply>): Promise<TestReply> => {
  const end = performance.now() + 30_000
  for (;;) {
    const reply = await call()
    if (reply.status !== 503 || performance.now() > end) return reply
    assert.ok(reply.headers['retry-after'], reply.text)
    await pause(50)
  }
}
