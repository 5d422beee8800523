import { hasDotSegment, httpsUri } from './https-uri.ts'

/** The parts of a redirect URI of the loopback interface. */
type LoopbackUri = { readonly host: string; readonly port: string; readonly path: string }

// RFC 8252 §7.3 with RFC 3986 §3.3; the raw string is checked, since URL parsers are too lenient.
const LOCAL =
  /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9]\d{0,4}))?((?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*)*)$/
const LONGEST = 255
// The parameters that we append (RFC 6749 §4.1.2, RFC 9207): a callback with one of them would get it twice.
const OURS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

/** Reads a redirect URI of this computer, including `localhost`, which open registration does not accept. */
export const localUri = (text: string): LoopbackUri | undefined => {
  if (Buffer.byteLength(text) > LONGEST) return undefined
  const [, host, port = '', path = ''] = LOCAL.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535) return undefined
  return { host, port, path: path === '' ? '/' : path }
}

/** Reads a loopback redirect URI; undefined for anything else. */
export const loopbackUri = (text: string): LoopbackUri | undefined => {
  const uri = localUri(text)
  return uri?.host === 'localhost' ? undefined : uri
}

/** The URI without its port, as it is stored. */
export const withoutPort = ({ host, path }: LoopbackUri): string => `http://${host}${path}`

const hasOurs = (query: string | undefined): boolean => OURS.some(name => new URLSearchParams(query ?? '').has(name))

// RFC 8252 §7.1 and §8.4: the name of a domain in reverse order, so that there is a period, which no scheme of a
// browser has. A browser compares schemes without regard to case, so only one spelling is accepted.
const SCHEME = '[a-z][a-z0-9+-]*(?:\\.[a-z0-9][a-z0-9+-]*)+'
const CHARACTER = "[A-Za-z0-9\\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2}"
const PRIVATE_USE = new RegExp(
  `^(${SCHEME}):(?://[A-Za-z0-9][A-Za-z0-9.-]*)?((?:/(?:${CHARACTER})*)+)(?:\\?((?:${CHARACTER}|[/?])*))?$`,
)

/** The scheme of a redirect URI of an app of the device (RFC 8252 §7.1); undefined for anything else. */
export const privateUseScheme = (text: string): string | undefined => {
  if (Buffer.byteLength(text) > LONGEST) return undefined
  const [, scheme, path = '', query] = PRIVATE_USE.exec(text) ?? []
  // `//` begins an authority, also an empty one.
  if (scheme === undefined || path.startsWith('//') || hasDotSegment(path) || hasOurs(query)) return undefined
  return scheme
}

/** Whether this may be a fixed HTTPS callback: its query has none of the parameters of an authorization response. */
export const isHttpsCallback = (text: string): boolean => {
  const uri = httpsUri(text)
  return uri !== undefined && !hasOurs(uri.query)
}

/** Whether a code that is sent there reaches a program on the device of the person, not a web site. */
export const isOnDevice = (redirectUri: string): boolean =>
  localUri(redirectUri) !== undefined || privateUseScheme(redirectUri) !== undefined

/** The destination of a redirect URI, as shown to people: a host with its port, or the scheme of an app. */
export const describeDestination = (redirectUri: string): string => {
  const scheme = privateUseScheme(redirectUri)
  return scheme === undefined ? new URL(redirectUri).host : `${scheme}:`
}

/**
 * Whether a requested redirect URI is a registered one: byte for byte, except for the port of an address of this
 * computer (RFC 8252 §7.3), whose hosts are never considered equal.
 */
export const matchesRedirect = (registered: readonly string[], requested: string): boolean => {
  const local = localUri(requested)
  if (local !== undefined) return registered.includes(withoutPort(local))
  const isFixed = isHttpsCallback(requested) || privateUseScheme(requested) !== undefined
  return isFixed && registered.includes(requested)
}
