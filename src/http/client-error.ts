import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

const LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Answers what is not HTTP, or came too slowly, and closes the connection. */
export const onClientError = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const line = LINES[error.code ?? ''] ?? '400 Bad Request'
  const [status = '400', ...title] = line.split(' ')
  const code = status === '431' ? 'headers_too_large' : 'invalid_request'
  const body = JSON.stringify({
    type: 'about:blank',
    title: title.join(' '),
    status: Number(status),
    detail: 'The request is not HTTP as this server reads it, or came too slowly.',
    code,
    request_id: randomUUID(),
    retryable: false,
  })
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
