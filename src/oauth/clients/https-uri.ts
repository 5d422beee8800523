/** The parts of an HTTPS address, as written. */
type HttpsUri = {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly query: string | undefined
}

// RFC 3986 §3 for names alone: the last label begins with a letter, so that no spelling of an IPv4 address is one. The
// raw string is checked, since URL parsers are too lenient.
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const NAME = `(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`
const CHARACTER = "[A-Za-z0-9\\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2}"
const HTTPS = new RegExp(
  `^https://(${NAME})(?::([1-9]\\d{0,4}))?((?:/(?:${CHARACTER})*)*)(?:\\?((?:${CHARACTER}|[/?])*))?$`,
)
const LONGEST = 255

/** Whether a path has a segment `.` or `..`, which browsers and servers remove, so the address would change. */
export const hasDotSegment = (path: string): boolean =>
  path.split('/').some(segment => /^(?:\.|%2e){1,2}$/i.test(segment))

/**
 * Reads an HTTPS address of a named host: at most 255 bytes, no user info, dot segment or fragment; undefined for
 * anything else.
 */
export const httpsUri = (text: string): HttpsUri | undefined => {
  if (Buffer.byteLength(text) > LONGEST) return undefined
  const [, host, port = '443', path = '', query] = HTTPS.exec(text) ?? []
  if (host === undefined || host.length > 253 || Number(port) > 65_535 || hasDotSegment(path)) return undefined
  return { host, port: Number(port), path, query }
}
