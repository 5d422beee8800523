import { type PreviewSheet, previewLook, previewPath, previewSheet } from '#src/areas/files/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Fallback, type Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { LookLink } from '#src/contract/look.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { Session } from '#src/identity/index.ts'
import { namesHtml } from '#src/kit/accept.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { html } from '#src/kit/html.ts'
import { type SitePage, sitePage } from '#src/kit/html-page.ts'
import { markScheme, schemeIn } from '#src/kit/scheme.ts'
import { bucketOrigin } from '#src/web/bucket-origin.ts'
import { atPage, formToken, languageAt } from '#src/web/page/index.ts'
import { framed, type SiteView } from './frame.ts'
import type { Linked } from './header.ts'
import { createOwn, type Enrolled, type Own } from './own.ts'
import type { SitePagesParts } from './parts.ts'
import { type Person, respondToBrowser } from './person.ts'
import { createReads, type Reads } from './reads.ts'
import { siteText as text } from './text.ts'

/** One request for a page of the site. */
export type PageRequest = {
  readonly request: EndpointRequest
  readonly school: EndpointRequest['school']
  readonly language: Language
  readonly reads: Reads
  /** The path of a preview of the appearance, below which the page is shown. */
  readonly preview?: string | undefined
  /** Who is signed in; undefined for a visitor. */
  readonly person?: Person | undefined
  /** What holds for who is signed in; undefined for a visitor. */
  readonly own?: Own | undefined
  /** Their courses, where the page shows cards of courses. */
  readonly enrolled?: Enrolled | undefined
}

/** Answers a request with a page, or with a redirect. */
export type ShowPage = (request: PageRequest) => Promise<SiteView | Reply>

/** A page whose cards of courses say how far whoever is signed in has come in each. */
export const withEnrolled =
  (show: ShowPage): ShowPage =>
  async page =>
    show({ ...page, enrolled: await page.own?.enrolled() })

const PLAYERS = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.loom.com',
  'https://open.spotify.com',
  'https://w.soundcloud.com',
].join(' ')

const policyIn = (bucket: string): string =>
  [
    "default-src 'none'; style-src 'self'; font-src 'self'",
    `img-src 'self'${bucket}; manifest-src 'self'; media-src 'self'${bucket}; frame-src ${PLAYERS}`,
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ].join('; ')

/** The content security policy of pages with the pictures, recordings and players of a school. */
export const buildPolicy = async (files: SitePagesParts['files']): Promise<string> =>
  policyIn(await bucketOrigin(files))

const buildHeaders = (policy: string, status: number): Record<string, string> => ({
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  // Every page is the same for every visitor who reads it in one language.
  'cache-control': 'public, max-age=0, must-revalidate',
  // Programs get a problem instead of the page that says that there is nothing.
  vary: status === 200 ? 'Accept-Language, Cookie' : 'Accept, Accept-Language, Cookie',
})

/** A permanent redirect to another page of the site. */
export const moved = (location: string): Reply => ({
  status: 301,
  headers: { location, 'cache-control': 'public, max-age=0, must-revalidate' },
})

// No other host can be read in it: one slash, and no backslash, which browsers read as a slash.
const LOCAL_PATH = /^(?:\/[\w.~%-]+)+$/

// What is edited or expired in the address of a preview leads nowhere.
const PREVIEW = /^\/(?:~preview|(?:pages|appearance)\/previews)\//

// What is percent-encoded has its digits in capital letters.
const inSmallLetters = (path: string): string =>
  path.replaceAll(/%[\dA-F]{2}|[A-Z]+/g, part => (part.startsWith('%') ? part : part.toLowerCase()))

/**
 * Where a page may be of which an address has slashes too many or capital letters, if there is nothing at it. The slashes go
 * first, since an address may have a part in which capital letters matter.
 */
const canonicalAddress = ({ path, query }: EndpointRequest): string | undefined => {
  const trimmed = `/${path.split('/').filter(Boolean).join('/')}`
  const canonical = trimmed === path ? inSmallLetters(path) : trimmed
  if (canonical === path || PREVIEW.test(path) || !(LOCAL_PATH.test(canonical) || canonical === '/')) return undefined
  return query === '' ? canonical : `${canonical}?${query}`
}

const notFoundView = ({ language }: PageRequest): SiteView => ({
  title: fill(text.notFoundTitle, language),
  path: undefined,
  status: 404,
  main: html`<div class="wrap message">
<h1>${fill(text.notFoundTitle, language)}</h1>
<p class="message-text">${fill(text.notFound, language)}</p>
<p class="actions"><a class="button main" href="/courses">${fill(text.toCourses, language)}</a> <a class="button" href="/">${fill(text.toHome, language)}</a></p>
</div>`,
})

const isNotFound = (error: unknown): boolean => error instanceof Refusal && error.problem.status === 404

const LINK =
  /(<(?:a|form)\b[^>]* (?:href|action)=")(?:\/(?=")|(\/(?:courses|lecturers|products|plans|events|blog|search|developers)(?=["/?#])))/g

// The page of the appearance shows it in a frame; pages of another origin cannot.
const allowOwnFrames = (policy: string): Record<string, string> => ({
  'content-security-policy': policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
  'x-frame-options': 'SAMEORIGIN',
})

// Within a preview the links to other pages of the site lead to their previews.
const previewed = (page: SitePage, status: number | undefined, preview: string, policy: string): Reply => ({
  status: status ?? 200,
  headers: {
    ...buildHeaders(policy, 404),
    ...(preview !== '' && allowOwnFrames(policy)),
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'content-type': 'text/html; charset=utf-8',
  },
  body:
    preview === ''
      ? sitePage(page)
      : sitePage(page).replace(LINK, (_, before: string, path = '') => `${before}${preview}${path}`),
})

// The pages that have a name in the navigation; the home page is behind the name of the school.
const readNamed = async (reads: Reads): Promise<LookLink[]> => {
  const { data } = await reads.pages([['limit', '100']])
  return data.flatMap(({ nav_label: label, path, is_home: isHome }) =>
    label === null || isHome ? [] : [{ label, href: path }],
  )
}

/** What the header and the footer link to. */
export const readLinked = async (reads: Reads): Promise<Linked> => {
  const [hasProducts, hasPlans, hasPosts, hasEvents, named] = await Promise.all([
    reads.hasProducts(),
    reads.hasPlans(),
    reads.hasPosts(),
    reads.hasEvents(),
    readNamed(reads),
  ])
  return { hasProducts, hasPlans, hasPosts, hasEvents, named }
}

const answer = async (page: PageRequest, show: ShowPage, policy: string): Promise<Reply> => {
  const { request } = page
  const view = await show(page).catch((error: unknown) => {
    const address = isNotFound(error) && page.preview === undefined ? canonicalAddress(request) : undefined
    if (address !== undefined) return moved(address)
    if (isNotFound(error) && namesHtml(request.header('accept'))) return notFoundView(page)
    throw error
  })
  if (!('main' in view)) return view
  const { school, language, preview, person, reads } = page
  const whole = framed(view, { school, language, preview, person, ...(await readLinked(reads)) })
  if (view.isPreview === true) return previewed(whole, view.status, '', policy)
  if (preview !== undefined) return previewed(whole, view.status, preview, policy)
  const body = sitePage(whole)
  const etag = `"${sha256(body).toString('base64url').slice(0, 22)}"`
  const { status = 200 } = view
  const headers = { ...buildHeaders(policy, status), etag, 'content-type': 'text/html; charset=utf-8' }
  return { status, headers, body, publicSince: reads.since(), viewed: view.viewed }
}

// The school with the look of its draft, and the path of the preview; or who is signed in.
type Shown = {
  readonly school?: EndpointRequest['school']
  readonly preview?: string
  readonly session?: Session | undefined
}

/** Declares pages of the site and their previews. */
export const createPages = ({ performAs, files, keyFor, secret }: SitePagesParts) => {
  const readsFor = createReads(performAs)
  let policy: Promise<string> | undefined
  const respond = async (request: EndpointRequest, show: ShowPage, shown: Shown = {}): Promise<Reply> => {
    policy ??= buildPolicy(files)
    const { school = request.school, preview, session } = shown
    const language = languageAt(request, session)
    const person = session && { member: session.member, token: formToken(secret, school.id, { session }) }
    const reads = readsFor(request)
    const by = session && atPage(request, session)
    const own = by && createOwn(performAs, by, readsFor(request, by))
    return answer({ request, school, language, reads, preview, person, own }, show, await policy)
  }
  const respondToAnybody = (request: EndpointRequest, show: ShowPage): Promise<Reply> =>
    respondToBrowser(request, session => respond(request, show, { session }))
  const page = (route: Endpoint['route'], show: ShowPage): Endpoint =>
    endpoint({ route, handle: request => respondToAnybody(request, show) })
  const respondInPreview = async (request: EndpointRequest, show: ShowPage): Promise<Reply> => {
    const token = request.params.preview ?? ''
    const look = await previewLook(request, keyFor, token)
    const reply = await respond(request, show, { school: { ...request.school, look }, preview: previewPath(token) })
    const scheme = schemeIn(request.query)
    return scheme !== undefined && typeof reply.body === 'string'
      ? { ...reply, body: markScheme(reply.body, scheme) }
      : reply
  }
  const createPreview = (route: Endpoint['route'], show: ShowPage): Endpoint =>
    endpoint({
      route: `GET /appearance/previews/:preview${route.slice('GET '.length).replace(/^\/$/, '')}`,
      handle: request => respondInPreview(request, show),
    })
  const previewStyle = (sheet: PreviewSheet): Endpoint =>
    endpoint({
      route: `GET /appearance/previews/:preview/${sheet}`,
      handle: async request => ({
        status: 200,
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-store' },
        body: await previewSheet(request, keyFor, { token: request.params.preview ?? '', sheet }),
      }),
    })
  // People see the header and the navigation of the school also where there is nothing.
  const createFallback =
    (hasPage: (request: EndpointRequest, reads: Reads) => Promise<boolean>, show: ShowPage): Fallback =>
    async request =>
      namesHtml(request.header('accept')) ||
      canonicalAddress(request) !== undefined ||
      (await hasPage(request, readsFor(request)))
        ? respondToAnybody(request, show)
        : undefined
  return { page, createPreview, previewStyle, createFallback }
}
