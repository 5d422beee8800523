import { problem } from '#src/contract/problem.ts'
import { slugCandidates } from '#src/db/ref.ts'

/** Another page has the path, or the path leads to another page. */
export const pathTaken = problem(
  409,
  'path_taken',
  'The path leads to another page',
  'A path leads to one page. The detail names the page that has it; change the path of that page, or remove it from its redirects, first.',
)

/**
 * The first segments of paths that the server answers itself. A test compares them with the routes of all operations and
 * endpoints; the rest is reserved for what comes.
 */
const reservedSegments: ReadonlySet<string> = new Set([
  'account',
  'api',
  'appearance',
  'assets',
  'blog',
  'calendar',
  'certificates',
  'checkout',
  'courses',
  'credentials',
  'developers',
  'docs',
  'downloads',
  'events',
  'files',
  'forms',
  'healthz',
  'learn',
  'lecturers',
  'oauth',
  'pages',
  'plans',
  'problems',
  'products',
  'readyz',
  'search',
  'sitemaps',
  'staff',
  'test-payments',
  'unsubscribe',
  'webhooks',
])

/** Whether the server answers a path, or something below its first segment. */
export const isReserved = (path: string): boolean => reservedSegments.has(path.split('/')[1] ?? '')

/** The most redirects of a page. */
export const MAX_REDIRECTS = 50

/** The paths to try for a page, in order: the wanted one, then with a number, and last with a part of its id. */
export const pathCandidates = (wanted: string, id: string): string[] =>
  slugCandidates(wanted, id).filter(path => !isReserved(path))

/** The redirects of a page whose path changed: the new path is none of them, and the old one is, in place of the first one. */
export const redirectsAfter = (
  redirects: readonly string[],
  { from, to }: { readonly from: string | undefined; readonly to: string },
): string[] =>
  [...redirects.filter(path => path !== to), ...(from === undefined ? [] : [from])].slice(-MAX_REDIRECTS).toSorted()
