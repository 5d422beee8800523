import type { School } from '#src/contract/school.ts'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  wasm: 'application/wasm',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

/** The media type of a file by the ending of its name. */
export const chooseContentType = (path: string): string => {
  const [, ending = ''] = /\.([a-z0-9]{1,11})$/i.exec(path) ?? []
  const type = ending.toLowerCase()
  return Object.hasOwn(TYPES, type) ? (TYPES[type] ?? '') : 'application/octet-stream'
}

const decodedSegment = (segment: string): string | undefined => {
  try {
    const text = decodeURIComponent(segment).normalize('NFC')
    return text.includes('/') || text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** The path of a file in a part of an address, decoded once; undefined for one that no file can have. */
export const parseFilePath = (address: string): string | undefined => {
  const segments = address.split('/').map(decodedSegment)
  return segments.includes(undefined) ? undefined : segments.join('/')
}

/** A file that may be meant by an address, the most likely first: the file, the index of a folder, and the page for neither. */
type Candidate = { readonly path: string; readonly is: 'file' | 'folder' | 'index' | 'missing' }

/** What the rest of an address behind the path of a page may mean; it begins with a slash, or is empty. */
export const listCandidates = (rest: string): readonly Candidate[] => {
  const missing = { path: '404.html', is: 'missing' } as const
  const path = parseFilePath(rest.slice(1))
  if (path === undefined) return [missing]
  if (rest === '') return [{ path: 'index.html', is: 'folder' }, missing]
  if (path === '' || path.endsWith('/')) return [{ path: `${path}index.html`, is: 'index' }, missing]
  return [{ path, is: 'file' }, { path: `${path}/index.html`, is: 'folder' }, missing]
}

const MAX_SEGMENTS = 4

/** The paths that a page with this address may have, the longest first. */
export const listPagePaths = (address: string): readonly string[] => {
  const [, ...segments] = address.split('/')
  const named = segments.findIndex(segment => !/^[a-z0-9-]{1,60}$/.test(segment))
  const most = Math.min(MAX_SEGMENTS, named === -1 ? segments.length : named)
  return Array.from({ length: most }, (_, at) => `/${segments.slice(0, most - at).join('/')}`)
}

const HASH = /(?:^|[^0-9a-f])([0-9a-f]{16,64})(?:[^0-9a-f]|$)/

/**
 * Whether the name of a file contains at least 16 digits of the hash of its content, so that an address with this name
 * never has other content. Names that bundlers make are claims that cannot be checked.
 */
export const isNamedByHash = (path: string, sha256: Buffer): boolean => {
  const [, digits] = HASH.exec(path.slice(path.lastIndexOf('/') + 1)) ?? []
  return digits !== undefined && sha256.toString('hex').startsWith(digits)
}

/** The content policy of uploaded pages: their own scripts, the school's public API, and media of others. */
export const buildPolicy = ({ baseUrl, siteOrigin }: Pick<School, 'baseUrl' | 'siteOrigin'>): string =>
  [
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
    "img-src 'self' data: blob: https:",
    "media-src 'self' data: blob: https:",
    'frame-src https:',
    `connect-src 'self' ${[...new Set([baseUrl, siteOrigin])].join(' ')}`,
    `form-action 'self' ${siteOrigin}`,
    `frame-ancestors 'self' ${siteOrigin}`,
    "base-uri 'self'",
    "object-src 'none'",
  ].join('; ')
