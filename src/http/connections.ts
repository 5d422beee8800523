import type { Server } from 'node:http'

/**
 * Limits the connections of a server. As soon as there are as many as it takes, those without a request are closed: clients keep
 * them for later only, and would keep out everybody else for as long as connections are kept alive.
 */
export const limitConnections = (server: Server, most: number): void => {
  server.maxConnections = most
  server.on('connection', () => {
    server.getConnections((_error, count) => {
      if (count >= most) server.closeIdleConnections()
    })
  })
}
