import type { Server } from 'node:http'
import { createServer, type Server as SocketServer } from 'node:net'

/**
 * Limits the connections that a server accepts for an HTTP server. As soon as there are as many as it takes,
 * those without a request are closed: clients keep them for later only, and would keep out everybody else for as long as
 * connections are kept alive.
 */
export const limitConnections = (
  server: SocketServer,
  most: number,
  http: Pick<Server, 'closeIdleConnections'>,
): void => {
  server.maxConnections = most
  server.on('connection', () => {
    server.getConnections((_error, count) => {
      if (count >= most) http.closeIdleConnections()
    })
  })
}

/** A server that accepts connections for an HTTP server at a second address. */
export const createSecondListener = (http: Server): SocketServer => {
  const second = createServer({ allowHalfOpen: true, noDelay: true }, socket => http.emit('connection', socket))
  limitConnections(second, http.maxConnections, http)
  return second
}
