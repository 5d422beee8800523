import { fill, inEach, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { isOnLoopback, pagePaths } from '#src/contract/session-path.ts'
import { texts } from '#src/texts/index.ts'
import { httpsUri } from './https-uri.ts'
import { localUri } from './redirect-uri.ts'

const onOwnOrigin: Phrase = texts.oauth.clients.ownHost.onOwnOrigin

const belowPage: Phrase = inEach(language =>
  fill(texts.oauth.clients.ownHost.belowPage, language, { paths: pagePaths.join(', ') }),
)

const onOwnHost: Phrase = texts.oauth.clients.ownHost.onOwnHost

// Some servers decode more than once; no valid callback changes when it is decoded again.
const DECODINGS = 3

const decode = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const decodeAll = (path: string): string => Array.from({ length: DECODINGS }).reduce<string>(decode, path)

/**
 * A path as the most lenient browser or server reads it: decoded, without dot segments and repeated slashes, in lower
 * case.
 */
export const lenientPath = (path: string): string => {
  const segments: string[] = []
  for (const segment of decodeAll(path).replaceAll('\\', '/').toLowerCase().split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return `/${segments.join('/')}`
}

// RFC 6265 §5.1.4: a cookie's path matches itself and everything below it.
const isBelowPage = (path: string): boolean => {
  const read = lenientPath(path)
  return pagePaths.some(page => read === page || read.startsWith(`${page}/`))
}

const errorOnLoopback = (school: School, text: string, impliedPort: string): Phrase | undefined => {
  const uri = localUri(text)
  if (uri === undefined) return undefined
  const own = new URL(school.baseUrl)
  const pages = school.pagesHost ? [new URL(`http://${school.pagesHost}`)] : []
  const port = uri.port || impliedPort
  if ([own, ...pages].some(origin => uri.host === origin.hostname && port === (origin.port || '80'))) return onOwnOrigin
  return uri.host === own.hostname && isBelowPage(uri.path) ? belowPage : undefined
}

/** The reason why a requested redirect URI cannot be used at this school; undefined when it can. */
export const errorOfRequested = (school: School, text: string): Phrase | undefined => {
  if (isOnLoopback(school)) return errorOnLoopback(school, text, '80')
  // The cookies of such a school are not limited to a path or a port.
  return httpsUri(text)?.host === new URL(school.baseUrl).hostname ? onOwnHost : undefined
}

/** The same for a registered URI: without a port, any port may be used (RFC 8252 §7.3). */
export const errorOfRegistered = (school: School, text: string): Phrase | undefined =>
  isOnLoopback(school) ? errorOnLoopback(school, text, '') : errorOfRequested(school, text)
