/** A redirect URI of the loopback interface, in its parts. */
export type LoopbackUri = { readonly host: string; readonly port: string; readonly path: string }

// RFC 8252 §7.3 with RFC 3986 §3.3; the raw string is judged, since URL parsers forgive too much.
const LOOPBACK =
  /^http:\/\/(127\.0\.0\.1|\[::1\])(?::([1-9]\d{0,4}))?((?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*)*)$/
const LONGEST = 255

/** Reads a loopback redirect URI; undefined for anything else. */
export const loopbackUri = (text: string): LoopbackUri | undefined => {
  if (Buffer.byteLength(text) > LONGEST) return undefined
  const [, host, port = '', path = ''] = LOOPBACK.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535) return undefined
  return { host, port, path: path === '' ? '/' : path }
}

/** The URI without its port, as clients are described by. */
export const withoutPort = ({ host, path }: LoopbackUri): string => `http://${host}${path}`

/** Whether a requested redirect URI is a registered one: equal, but for the port of a loopback address (RFC 8252 §7.3). */
export const matchesRedirect = (registered: readonly string[], requested: string): boolean => {
  const uri = loopbackUri(requested)
  return uri !== undefined && registered.includes(withoutPort(uri))
}
