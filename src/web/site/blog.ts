import { fill } from '#src/contract/language.ts'
import type { Viewed } from '#src/contract/view-count.ts'
import { fromId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { blogText as text } from './blog-text.ts'
import { commentsBelow } from './comments.ts'
import type { SiteView } from './frame.ts'
import { blogMain } from './pages/blog.ts'
import { crumbsData, listData } from './pages/item-data.ts'
import { shared } from './pages/picture.ts'
import { postMain } from './pages/post.ts'
import type { PostView } from './reads.ts'
import { moved, type PageRequest, type ShowPage } from './respond.ts'

const PAGE = '12'
const MAX_CURSOR = 500

type Listed = {
  readonly title: string
  readonly intro: string
  readonly path: string
  readonly filter: readonly (readonly [string, string])[]
  readonly category?: string
}

const showList = async (page: PageRequest, { filter, path, ...listed }: Listed): Promise<SiteView> => {
  const { reads, request } = page
  const cursor = cleanLine(new URLSearchParams(request.query).get('cursor') ?? '', MAX_CURSOR)
  const [{ data, next_cursor: next }, { data: categories }, { time_zone: timeZone }] = await Promise.all([
    reads.posts([['limit', PAGE], ...filter, ...(cursor === '' ? [] : [['cursor', cursor] as const])]),
    reads.postCategories(),
    reads.school(),
  ])
  const isFirst = cursor === ''
  return {
    title: listed.title,
    description: listed.intro,
    // The pages after the first one change with every new post.
    path: isFirst && !path.includes('?') ? path : undefined,
    returnTo: path.split('?')[0] ?? path,
    jsonLd: listData(
      page,
      data.map(({ title: name, slug }) => ({ name, path: `/blog/${slug}` })),
    ),
    main: blogMain({ page, timeZone, posts: data, categories, path, next, isFirst, ...listed }),
  }
}

/** GET /blog: the published posts, the newest first, in pages; with `tag` those that have it. */
export const showBlog: ShowPage = page => {
  const { request, language, school } = page
  const tag = cleanLine(new URLSearchParams(request.query).get('tag') ?? '', 50)
  const intro = fill(text.intro, language, { school: school.name })
  if (tag === '') return showList(page, { title: fill(text.title, language), intro, path: '/blog', filter: [] })
  const path = `/blog?${new URLSearchParams({ tag })}`
  return showList(page, { title: fill(text.tagged, language, { tag }), intro: '', path, filter: [['tag', tag]] })
}

/** GET /blog/category/:slug: the posts of a category. */
export const showBlogCategory: ShowPage = async page => {
  const { reads, request, language } = page
  const { id, slug, name, description } = await reads.postCategory(request.params.slug ?? '')
  return showList(page, {
    title: fill(text.inCategory, language, { category: name }),
    intro: description,
    path: `/blog/category/${slug}`,
    filter: [['category_id', id]],
    category: slug,
  })
}

const buildData = (post: PostView) => ({
  '@context': 'https://schema.org',
  '@type': 'BlogPosting',
  headline: post.title,
  url: post.url,
  ...(post.published_at === null ? {} : { datePublished: post.published_at }),
  dateModified: post.updated_at,
  isAccessibleForFree: post.access !== 'paid',
  ...(post.cover === null ? {} : { image: shared(post.cover) }),
  ...(post.author === null ? {} : { author: { '@type': 'Person', name: post.author.name } }),
})

/** A post whose views are counted. */
export const viewedPost = ({ id }: Pick<PostView, 'id'>): Viewed => ({ type: 'post', id: fromId('pst', id) ?? '' })

/** GET /blog/:slug: a post as anybody reads it, or who is signed in; an earlier slug leads to the current one. */
export const showPost: ShowPage = async page => {
  const { reads, request, own } = page
  const slug = request.params.slug ?? ''
  const post = await reads.post(slug)
  const path = `/blog/${post.slug}`
  if (post.slug !== slug) return moved(path)
  // What anybody reads comes from the shared reads, and the rest as who is signed in.
  const isPersonal = own !== undefined && post.reader_access.state === 'locked'
  const shown = isPersonal ? await own.reads.post(post.slug) : post
  const isOpen = shown.reader_access.state === 'open'
  const [{ data: categories }, { time_zone: timeZone }, comments] = await Promise.all([
    reads.postCategories(),
    reads.school(),
    isOpen && commentsBelow(isPersonal ? { ...page, reads: own.reads } : page, post.id),
  ])
  // Who writes it is no reader.
  const isReader = isOpen && shown.allowed_actions?.includes('listPostVersions') !== true
  const view: SiteView = {
    title: post.seo.title ?? post.title,
    description: post.seo.description ?? (post.excerpt === '' ? post.subtitle : post.excerpt),
    path,
    ...(post.canonical_url === null ? {} : { canonicalUrl: post.canonical_url }),
    image: shared(post.cover),
    jsonLd: [
      buildData(post),
      crumbsData(page, [
        { name: fill(text.title, page.language), path: '/blog' },
        { name: post.title, path },
      ]),
    ],
    ...(isReader ? { viewed: viewedPost(post) } : {}),
    main: postMain({ page, timeZone, post: shown, categories, comments, isSignedIn: own !== undefined }),
  }
  return view
}
