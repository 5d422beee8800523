import type { IncomingMessage } from 'node:http'
import { forwardedAddress, networkOf } from '#src/kit/net.ts'

/** Who is at the other end: the network limits are counted for, and the host that was asked for. */
export type Peer = { readonly network: string; readonly host: string | undefined }

const last = (values: readonly string[] | undefined): string[] =>
  (values ?? []).flatMap(value => value.split(',')).map(value => value.trim())

// From the right, since each proxy appends whom it saw. Behind what is no address anybody may have written the rest, so
// that the request counts as one of the proxy that wrote it.
const addressOf = (raw: IncomingMessage, isProxy: (address: string) => boolean): string => {
  const chain = last(raw.headersDistinct['x-forwarded-for'])
  let address = raw.socket.remoteAddress ?? ''
  while (isProxy(address) && chain.length > 0) {
    const seen = forwardedAddress(chain.pop() ?? '')
    if (seen === undefined) return address
    address = seen
  }
  return address
}

// A Host header may carry the scheme's own port, which a base URL leaves out.
const plainHost = (host: string): string => host.toLowerCase().replace(/:(?:443|80)$/, '')

// RFC 9112 §3.2: a request with two Host headers is refused; Node shows only the first of them.
const hostsOf = (raw: IncomingMessage): string[] =>
  raw.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === 'host' ? [raw.rawHeaders[at + 1] ?? ''] : [],
  )

/** Reads who asks; what proxies say counts only when the peer is one of ours. */
export const peerOf = (raw: IncomingMessage, isProxy: (address: string) => boolean): Peer => {
  const hosts = hostsOf(raw)
  const forwarded = isProxy(raw.socket.remoteAddress ?? '')
    ? last(raw.headersDistinct['x-forwarded-host']).at(-1)
    : undefined
  const host = forwarded ?? (hosts.length === 1 ? hosts[0] : undefined)
  return { network: networkOf(addressOf(raw, isProxy)), host: host === undefined ? undefined : plainHost(host) }
}
