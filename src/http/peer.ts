import type { IncomingMessage } from 'node:http'
import { forwardedAddress, toNetwork } from '#src/kit/net.ts'
import { readValues } from './raw-headers.ts'

/** The client of a request: the network for which requests are counted, and the requested host. */
export type Peer = { readonly network: string; readonly host: string | undefined }

const splitValues = (values: readonly string[]): string[] =>
  values.flatMap(value => value.split(',')).map(value => value.trim())

// From the right, since each proxy appends the address of its client. Anybody may have written what is left of an entry
// that is no address, so the request then counts as one of the proxy that wrote the entry.
const readAddress = (raw: IncomingMessage, isProxy: (address: string) => boolean): string => {
  const chain = splitValues(readValues(raw, 'x-forwarded-for'))
  let address = raw.socket.remoteAddress ?? ''
  while (isProxy(address) && chain.length > 0) {
    const previous = forwardedAddress(chain.pop() ?? '')
    if (previous === undefined) return address
    address = previous
  }
  return address
}

// A Host header may carry the scheme's own port, which a base URL leaves out.
const plainHost = (host: string): string => host.toLowerCase().replace(/:(?:443|80)$/, '')

/** Reads the network and the host of a request; forwarded headers are used only if the peer is one of our proxies. */
export const readPeer = (raw: IncomingMessage, isProxy: (address: string) => boolean): Peer => {
  // RFC 9112 §3.2: a request with two Host headers is refused.
  const hosts = readValues(raw, 'host')
  const forwarded = isProxy(raw.socket.remoteAddress ?? '')
    ? splitValues(readValues(raw, 'x-forwarded-host')).at(-1)
    : undefined
  const host = forwarded ?? (hosts.length === 1 ? hosts[0] : undefined)
  return { network: toNetwork(readAddress(raw, isProxy)), host: host === undefined ? undefined : plainHost(host) }
}
