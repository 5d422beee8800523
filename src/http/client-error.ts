import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { headersTooLarge, invalidRequest, requestTimeout } from '#src/contract/problems.ts'

const PROBLEMS: Record<string, { problem: typeof invalidRequest; phrase: string }> = {
  HPE_HEADER_OVERFLOW: { problem: headersTooLarge, phrase: 'Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { problem: requestTimeout, phrase: 'Request Timeout' },
}

/** Responds to a request that is not valid HTTP or arrived too slowly, and closes the connection. */
export const onClientError = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { problem, phrase } = PROBLEMS[error.code ?? ''] ?? { problem: invalidRequest, phrase: 'Bad Request' }
  const { code, status, title, retryable } = problem
  const detail = 'The request is not valid HTTP, or it arrived too slowly.'
  // Without a school there is no page about the problem.
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: randomUUID(), retryable })
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
