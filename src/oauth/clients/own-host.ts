import type { Phrase } from '#src/contract/language.ts'
import { isOnLoopback, type School } from '#src/contract/school.ts'
import { texts } from '#src/texts/index.ts'
import { httpsUri } from './https-uri.ts'
import { localUri } from './redirect-uri.ts'

const { onOwnOrigin, onOwnHost } = texts.oauth.clients.ownHost

const hasPort = (uri: string, port: string): boolean => port === (new URL(uri).port || '80')

// Every name of this computer on the port of the school is the school.
const errorOnLoopback = ({ siteOrigin, pagesHost }: School, text: string, impliedPort: string): Phrase | undefined => {
  const uri = localUri(text)
  if (uri === undefined) return undefined
  const port = uri.port || impliedPort
  const isPages = pagesHost != null && new URL(`http://${pagesHost}`).hostname === uri.host
  const isOwn = hasPort(siteOrigin, port) || (isPages && hasPort(`http://${pagesHost}`, port))
  return isOwn ? onOwnOrigin : undefined
}

// The cookies of a host are sent to all of its ports.
const errorOnHost = ({ baseUrl, pagesHost }: School, text: string): Phrase | undefined => {
  const host = (httpsUri(text) ?? localUri(text))?.host
  const own = [baseUrl, ...(pagesHost ? [`https://${pagesHost}`] : [])].map(address => new URL(address).hostname)
  return host !== undefined && own.includes(host) ? onOwnHost : undefined
}

/** The reason why a requested redirect URI cannot be used at this school; undefined when it can. */
export const errorOfRequested = (school: School, text: string): Phrase | undefined =>
  isOnLoopback(school) ? errorOnLoopback(school, text, '80') : errorOnHost(school, text)

/** The same for a registered URI: without a port, any port may be used (RFC 8252 §7.3). */
export const errorOfRegistered = (school: School, text: string): Phrase | undefined =>
  isOnLoopback(school) ? errorOnLoopback(school, text, '') : errorOnHost(school, text)
