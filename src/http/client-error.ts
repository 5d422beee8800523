import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { headersTooLarge, invalidRequest, requestTimeout } from '#src/contract/problems.ts'

const PROBLEMS: Record<string, { problem: typeof invalidRequest; phrase: string }> = {
  HPE_HEADER_OVERFLOW: { problem: headersTooLarge, phrase: 'Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { problem: requestTimeout, phrase: 'Request Timeout' },
}

/** Answers what is not HTTP, or came too slowly, and closes the connection. */
export const onClientError = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { problem, phrase } = PROBLEMS[error.code ?? ''] ?? { problem: invalidRequest, phrase: 'Bad Request' }
  const { code, status, title, retryable } = problem
  const detail = 'The request is not HTTP as this server reads it, or came too slowly.'
  // No school is known yet, so there is no page to point to.
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: randomUUID(), retryable })
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
