import { type PublishedPage, previewedPage, staticAddress } from '#src/areas/publishing/index.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { stripMarkdown } from '#src/kit/body/plain.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import type { SiteView } from './frame.ts'
import { contentMain } from './pages/blocks.ts'
import { sizeText } from './pages/cards.ts'
import type { ContentView, Reads } from './reads.ts'
import { moved, type PageRequest, type ShowPage } from './respond.ts'

const nothing = (): Refusal => new Refusal(notFound, 'There is nothing at this address.')

// The first text of the page, where nothing else is said.
const aboutPage = ({ seo, blocks }: ContentView): string =>
  seo.description ??
  blocks.map(block => (block.type === 'text' ? stripMarkdown(block.body) : '')).find(text => text !== '') ??
  ''

const findImage = ({ blocks, files }: ContentView): string | undefined => {
  const first = blocks.find(block => block.type === 'image')
  const url = files.find(({ file_id: id }) => id === first?.file_id)?.url
  return url === undefined ? undefined : `${url}${url.includes('?') ? '&' : '?'}width=1280`
}

const buildPath = ({ visibility, path, is_home: isHome }: ContentView): string | undefined => {
  if (isHome) return '/'
  return visibility === 'listed' ? path : undefined
}

// How much there is to learn in the courses of which the page has cards.
const readSizes = async ({ blocks, cards = [] }: ContentView, { reads, language }: PageRequest) => {
  const ids = cards.flatMap(({ block, cards: shown }) =>
    blocks[block]?.type === 'courses' ? shown.map(({ id }) => id) : [],
  )
  const courses = await Promise.all(ids.map(id => reads.courseWithId(id)))
  return new Map(
    courses.flatMap(course => (course === undefined ? [] : [[course.id, sizeText(course, language)] as const])),
  )
}

const renderView = async (content: ContentView, page: PageRequest): Promise<SiteView> => ({
  title: content.seo.title ?? content.title,
  description: aboutPage(content),
  path: buildPath(content),
  returnTo: content.is_home ? '/' : content.path,
  image: findImage(content),
  main: contentMain(content, {
    ...page,
    enrolled: page.enrolled ?? (await page.own?.enrolled()),
    ...(await page.reads.offering(page.person?.member)),
    sizes: await readSizes(content, page),
  }),
})

// Where the page is changes, and whether it is for members, so no browser keeps this.
const elsewhere = (location: string): Reply => ({ status: 302, headers: { location, 'cache-control': 'no-store' } })

const showStatic = async (
  { request }: PageRequest,
  { id, live_deployment_id: live }: PublishedPage,
): Promise<Reply> => {
  const { school, database } = request
  if (live === null) throw nothing()
  const addresses = await database.statements(school.id, db =>
    staticAddress.call({ pageId: id, deploymentId: live }, { school, db }),
  )
  const address = addresses.find(one => one !== undefined)
  if (address === undefined) throw nothing()
  return elsewhere(address)
}

// A published page for anybody; one for members is on pages that know who is signed in.
const showPublished = async (page: PageRequest, found: PublishedPage): Promise<SiteView | Reply> => {
  const id = toId('pag', found.id)
  if (found.visibility === 'members') return elsewhere(`/account/pages/${id}`)
  if (found.kind === 'static') return showStatic(page, found)
  return renderView(await page.reads.page(id), page)
}

const PATH = /^(?:\/[a-z0-9-]{1,60}){1,4}$/

/** The page of blocks at `/`, if the school has one that is published. */
export const showHomePage = async (page: PageRequest): Promise<SiteView | Reply | undefined> => {
  const home = await page.reads.homePage()
  return home && showPublished(page, home)
}

/** The page at a path, a redirect to it, or a refusal where there is none. */
export const showPath: ShowPage = async page => {
  const { path } = page.request
  const simple = path.toLowerCase().replace(/\/$/, '')
  if (!PATH.test(simple)) throw nothing()
  const found = await page.reads.pageAt(simple)
  if (found === undefined) throw nothing()
  if (found.is_home) return moved('/')
  return path === found.path ? showPublished(page, found) : moved(found.path)
}

/** GET /pages/:page: the present address of a page, for links that name it by its id. */
export const showById: ShowPage = async page => {
  const id = fromId('pag', page.request.params.page ?? '')
  const found = id === undefined ? undefined : await page.reads.pageWithId(id)
  if (found === undefined) throw nothing()
  return elsewhere(found.is_home ? '/' : found.path)
}

/** GET /pages/previews/:page/:token: the newest version of a page, for those who have the address. */
export const showPagePreview =
  (keyFor: (purpose: string) => Buffer): ShowPage =>
  async page => {
    const { params } = page.request
    const content = await previewedPage(page.request, keyFor, { id: params.page ?? '', token: params.token ?? '' })
    return { ...(await renderView(content, page)), path: undefined, isPreview: true }
  }

/** Whether a page is at the path of a request, in any spelling that leads to one. */
export const hasPage = async ({ path }: EndpointRequest, reads: Reads): Promise<boolean> => {
  const simple = path.toLowerCase().replace(/\/$/, '')
  return PATH.test(simple) && (await reads.pageAt(simple)) !== undefined
}
