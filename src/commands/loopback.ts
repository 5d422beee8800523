import { get } from 'node:http'
import type { LookupFunction } from 'node:net'
import { text } from 'node:stream/consumers'

const PATIENCE_MS = 5000

/** What answers at an address. */
type Answer = {
  readonly status: number
  readonly location: string | null
  readonly type: string
  readonly body: string
}

// RFC 6761 §6.3: browsers take names below localhost for this computer, the resolver of the system may not.
const isBelowLocalhost = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && hostname.endsWith('.localhost')

const lookup: LookupFunction = (_hostname, _options, found) =>
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])

const getHere = (url: URL): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    get(url, { lookup, signal, agent: false }, response => {
      const { statusCode = 0, headers } = response
      const { location = null, 'content-type': type = '' } = headers
      text(response).then(body => resolve({ status: statusCode, location, type, body }), reject)
    }).on('error', reject)
  })

/** Sends a GET to an address without following a redirect; rejects where nothing answers in time. */
export const getAddress = async (address: string): Promise<Answer> => {
  const url = new URL(address)
  if (isBelowLocalhost(url)) return getHere(url)
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
  const { status, headers } = response
  return {
    status,
    location: headers.get('location'),
    type: headers.get('content-type') ?? '',
    body: await response.text(),
  }
}

/** What to do where a browser does not resolve the name of an address; empty for a name that needs nothing. */
export const hostsFileHint = (address: string): string => {
  const url = new URL(address)
  if (!isBelowLocalhost(url)) return ''
  return `; for a browser that does not resolve the name, add this line to the hosts file: 127.0.0.1 ${url.hostname}`
}

/** What an operator of a school on loopback is told, since browsers send its cookies to every port of this computer. */
export const HTTPS_FOR_OTHERS = 'serve other people over https (docs/operations.md)'
