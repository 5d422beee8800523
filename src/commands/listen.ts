import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Server as SocketServer } from 'node:net'
import type { Config } from '#src/config.ts'
import { createSecondListener } from '#src/http/index.ts'
import { Failed } from './command.ts'

type App = {
  readonly server: Server
  readonly log: { info(fields: object, text: string): void }
  listen(options: { readonly host: string; readonly port: number }): PromiseLike<unknown>
}

type Place = Pick<Config, 'host' | 'port'>

// Tries to find a port that is free on both addresses.
const MAX_TRIES = 10
const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

const readCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

const explain = (error: unknown, { host, port }: Place): unknown => {
  const code = readCode(error)
  if (code === 'EADDRINUSE') return new Failed(`port ${port} on ${host} is taken; choose another with STOA_PORT`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Failed(`this machine has no address ${host}; choose another with STOA_HOST`)
  return error
}

// The HTTP server itself listens on one address; connections to the other are given to it.
const listenOnIpv6 = async ({ server }: App, port: number): Promise<SocketServer | undefined> => {
  const second = createSecondListener(server)
  try {
    second.listen({ host: '::1', port, ipv6Only: true })
    await once(second, 'listening')
    return second
  } catch (error) {
    if (NO_IPV6.includes(readCode(error))) return undefined
    throw explain(error, { host: '[::1]', port })
  }
}

const close = (server: SocketServer): Promise<unknown> => new Promise(resolve => server.close(resolve))

const listenOnBoth = async (app: App, port: number, tries = 1): Promise<SocketServer | undefined> => {
  const second = await listenOnIpv6(app, port)
  if (second === undefined) app.log.info({ event: 'no_ipv6' }, 'this machine has no [::1]; only 127.0.0.1 is served')
  const free = port === 0 && second !== undefined ? (second.address() as AddressInfo).port : port
  try {
    await app.listen({ host: '127.0.0.1', port: free })
    return second
  } catch (error) {
    if (second !== undefined) await close(second)
    if (port === 0 && readCode(error) === 'EADDRINUSE' && tries < MAX_TRIES) return listenOnBoth(app, port, tries + 1)
    throw explain(error, { host: '127.0.0.1', port })
  }
}

/**
 * Lets the application listen, by the name `localhost` on both of its addresses (RFC 6761 §6.3). Returns the servers that
 * accept connections, to stop them.
 */
export const listen = async (app: App, { host, port }: Place): Promise<readonly SocketServer[]> => {
  if (host === 'localhost') {
    const second = await listenOnBoth(app, port)
    return second === undefined ? [app.server] : [app.server, second]
  }
  await Promise.resolve(app.listen({ host, port })).catch((error: unknown) => {
    throw explain(error, { host, port })
  })
  return [app.server]
}
