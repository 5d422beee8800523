import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import type { SearchResult } from '#src/db/search.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { SiteView } from './frame.ts'
import { type Hit, searchMain } from './pages/search.ts'
import type { PageRequest, ShowPage } from './respond.ts'
import { type Found, positionIn, positionText, toFound } from './search.rules.ts'
import { siteText } from './text.ts'

const PAGE = 20
const NEWEST = '3'
const MAX_WORDS = 200
const SUGGESTIONS = 3

const { search: text } = siteText

const parsePosition = (after: string): SearchResult | undefined => {
  const position = positionIn(after)
  if (after !== '' && position === undefined)
    throw new Refusal(invalidParameter, texts.site.search.positionOf.theAddressOfThisPage)
  return position
}

const joinIds = (found: readonly Found[], wanted: Found['kind']): string =>
  found.flatMap(({ kind, id }) => (kind === wanted ? [id] : [])).join(',')

const buildList = (ids: string) =>
  [
    ['limit', '100'],
    ['id[in]', ids],
  ] as const

// The search says which, and the lists of the API say what anybody may see of them.
const readHits = async ({ reads }: PageRequest, found: readonly Found[]): Promise<Hit[]> => {
  const [courses, lecturers] = [joinIds(found, 'course'), joinIds(found, 'lecturer')]
  const [products, contents] = [joinIds(found, 'digital_product'), joinIds(found, 'page')]
  const [plans, posts, events] = [joinIds(found, 'membership_plan'), joinIds(found, 'post'), joinIds(found, 'event')]
  const [coursePage, lecturerPage, productPage, contentPage, planPage, postPage, eventPage] = await Promise.all([
    courses === '' ? undefined : reads.courses(buildList(courses)),
    lecturers === '' ? undefined : reads.lecturers(buildList(lecturers)),
    products === '' ? undefined : reads.products(buildList(products)),
    contents === '' ? undefined : reads.pages(buildList(contents)),
    plans === '' ? undefined : reads.plans(buildList(plans)),
    posts === '' ? undefined : reads.posts(buildList(posts)),
    events === '' ? undefined : reads.events(buildList(events)),
  ])
  const hits = new Map<string, Hit>([
    ...(coursePage?.data ?? []).map(course => [course.id, { course }] as const),
    ...(lecturerPage?.data ?? []).map(lecturer => [lecturer.id, { lecturer }] as const),
    ...(productPage?.data ?? []).map(product => [product.id, { product }] as const),
    ...(contentPage?.data ?? []).map(content => [content.id, { content }] as const),
    ...(planPage?.data ?? []).map(plan => [plan.id, { plan }] as const),
    ...(postPage?.data ?? []).map(post => [post.id, { post }] as const),
    ...(eventPage?.data ?? []).map(event => [event.id, { event }] as const),
  ])
  return found.flatMap(({ id }) => hits.get(id) ?? [])
}

type Results = {
  /** The words that the results have: those that were searched for, or what they may have been meant to be. */
  readonly used: string
  readonly results: readonly SearchResult[]
  /** Other searches that find something. */
  readonly others: readonly string[]
}

const readResults = async ({ reads }: PageRequest, q: string, after: SearchResult | undefined): Promise<Results> => {
  const results = q === '' ? [] : await reads.search({ q, rows: PAGE + 1, after })
  if (q === '' || results.length > 0 || after !== undefined) return { used: q, results, others: [] }
  const suggestions = await reads.suggestions(q, SUGGESTIONS)
  const tried = await Promise.all(
    suggestions.map(async used => ({ used, results: await reads.search({ q: used, rows: PAGE + 1, after }) })),
  )
  const [first, ...others] = tried.filter(one => one.results.length > 0)
  if (first === undefined) return { used: q, results, others: [] }
  return { ...first, others: others.map(({ used }) => used) }
}

// With the characters that an address to return to may have.
const buildAddress = (q: string): string => {
  const words = encodeURIComponent(q).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16)}`)
  return q === '' ? '/search' : `/search?q=${words}`
}

/** GET /search: what is public and has the words, found by name before found by its text, in pages. */
export const showSearch: ShowPage = async (page): Promise<SiteView> => {
  const { reads, request, language } = page
  const query = new URLSearchParams(request.query)
  const q = cleanLine(query.get('q') ?? '', MAX_WORDS)
  const after = parsePosition(query.get('after') ?? '')
  const { used, results, others } = await readResults(page, q, after)
  const shown = results.slice(0, PAGE)
  const last = results.length > PAGE ? shown.at(-1) : undefined
  const hits = await readHits(page, shown.flatMap(toFound))
  const newest =
    hits.length > 0
      ? []
      : (
          await reads.courses([
            ['limit', NEWEST],
            ['sort', '-created_at'],
          ])
        ).data
  return {
    title: q === '' ? fill(text.title, language) : fill(text.found, language, { q }),
    path: undefined,
    returnTo: buildAddress(q),
    main: searchMain({
      page,
      q,
      used,
      others,
      hits,
      next: last && positionText(last),
      isFirst: after === undefined,
      newest,
    }),
  }
}
