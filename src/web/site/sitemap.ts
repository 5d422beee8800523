import { countPublic, countVisible, listPublicSlugs, listVisibleSlugs } from '#src/areas/courses/index.ts'
import { countPublicEvents, listPublicEvents } from '#src/areas/events/index.ts'
import { countPublicPlans, listPublicPlans } from '#src/areas/memberships/index.ts'
import { countPublicPages, countPublicPosts, listPublicPaths, listPublicPosts } from '#src/areas/publishing/index.ts'
import { countPublicProducts, listPublicProducts } from '#src/areas/shop/index.ts'
import type { Db } from '#src/contract/db.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { type Address, filesFor, MAX_ADDRESSES, renderSitemap, renderSitemapIndex } from './sitemap.rules.ts'

const SECONDS = 300

type Kind = {
  /** The path below which each page of this kind has its slug. */
  readonly path: string
  count(db: Db, schoolId: string): Promise<number>
  list(
    db: Db,
    schoolId: string,
    part: { readonly from: number; readonly rows: number },
  ): Promise<readonly { readonly slug: string; readonly updated_at: Date }[]>
}

// The statements have the conditions of the lists of the API for an anonymous caller.
const kinds: Readonly<Record<string, Kind>> = {
  content: {
    path: '',
    count: countPublicPages,
    list: async (db, schoolId, part) =>
      (await listPublicPaths(db, schoolId, part)).map(({ path, updated_at }) => ({ slug: path.slice(1), updated_at })),
  },
  courses: { path: '/courses', count: countPublic, list: listPublicSlugs },
  products: { path: '/products', count: countPublicProducts, list: listPublicProducts },
  plans: { path: '/plans', count: countPublicPlans, list: listPublicPlans },
  posts: { path: '/blog', count: countPublicPosts, list: listPublicPosts },
  events: { path: '/events', count: countPublicEvents, list: listPublicEvents },
  lecturers: { path: '/lecturers', count: countVisible, list: listVisibleSlugs },
}

const PAGES = ['/', '/courses', '/lecturers', '/developers']

// Lists that are in the navigation only while they have something.
const LISTS = ['products', 'plans', 'posts', 'events']

const readPaths = ({ school, database }: EndpointRequest): Promise<string[]> =>
  database.statements(school.id, async db => {
    const lists = await Promise.all(
      LISTS.map(async name => {
        const kind = kinds[name]
        return kind !== undefined && (await kind.count(db, school.id)) > 0 ? [kind.path] : []
      }),
    )
    return [...PAGES, ...lists.flat()]
  })

const xml = (request: EndpointRequest, body: string): Reply =>
  cacheable(request.header('if-none-match'), 'application/xml; charset=utf-8', body, SECONDS)

const showIndex = async (request: EndpointRequest): Promise<Reply> => {
  const { school, database } = request
  const files = await database.statements(school.id, async db => {
    const names = Object.entries(kinds).map(async ([name, { count }]) =>
      Array.from({ length: filesFor(await count(db, school.id)) }, (_, index) => `${name}-${index + 1}`),
    )
    return ['pages-1', ...(await Promise.all(names)).flat()]
  })
  return xml(request, renderSitemapIndex(files.map(name => `${school.siteOrigin}/sitemaps/${name}.xml`)))
}

const findAddresses = async (request: EndpointRequest, file: string): Promise<Address[] | undefined> => {
  const { school, database } = request
  if (file === 'pages-1.xml') return (await readPaths(request)).map(path => ({ url: `${school.siteOrigin}${path}` }))
  const [, name = '', number = ''] = /^([a-z]+)-([1-9]\d{0,3})\.xml$/.exec(file) ?? []
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (kind === undefined) return undefined
  const part = { from: (Number(number) - 1) * MAX_ADDRESSES, rows: MAX_ADDRESSES }
  const rows = await database.statements(school.id, db => kind.list(db, school.id, part))
  // A file beyond the last one is not there.
  if (rows.length === 0 && part.from > 0) return undefined
  return rows.map(({ slug, updated_at: changedAt }) => ({ url: `${school.siteOrigin}${kind.path}/${slug}`, changedAt }))
}

const showFile = async (request: EndpointRequest): Promise<Reply> => {
  const addresses = await findAddresses(request, request.params.file ?? '')
  if (addresses === undefined) throw new Refusal(notFound, 'There is no such sitemap.')
  return xml(request, renderSitemap(addresses))
}

// What people do there is theirs, and the rest is for programs.
const HIDDEN = ['/account', '/staff', '/checkout', '/oauth/', '/api/', '/search']

const showRobots = async (request: EndpointRequest): Promise<Reply> => {
  const rules = (request.school.isTest ? ['/'] : HIDDEN).map(path => `Disallow: ${path}\n`).join('')
  const body = `User-agent: *\n${rules}\nSitemap: ${request.school.siteOrigin}/sitemap.xml\n`
  return cacheable(request.header('if-none-match'), 'text/plain; charset=utf-8', body, SECONDS)
}

/** /robots.txt, /sitemap.xml and the files that it lists: every page of the site that search engines may list. */
export const sitemapEndpoints = (): Endpoint[] => [
  endpoint({ route: 'GET /robots.txt', handle: showRobots }),
  endpoint({ route: 'GET /sitemap.xml', handle: showIndex }),
  endpoint({ route: 'GET /sitemaps/:file', handle: showFile }),
]
