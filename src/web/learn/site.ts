import { LecturerPage } from '#src/areas/courses/index.ts'
import { Event, OccurrencePage, TicketTypePage } from '#src/areas/events/index.ts'
import { Post, PostCategoryPage, SitePage } from '#src/areas/publishing/index.ts'
import { readOffering } from '#src/areas/school/index.ts'
import { selectOffering } from '#src/web/offering.ts'
import { page, redirect } from '#src/web/page/index.ts'
import { contentMain, eventMain, postMain, viewedPost } from '#src/web/site/index.ts'
import { commentsOn } from './comments.ts'
import { framed } from './frame.ts'
import { learners } from './parts.ts'

const all = [['limit', '100']] as const

/**
 * Pages, posts and events of the site as the person who is signed in finds them, such as those for members; they are never
 * stored. Below /account, so that no course is at the same address.
 */
export const sitePages = [
  page('GET /account/pages/:page', learners, async context => {
    const params = { page_id: context.params.page ?? '' }
    const content = await context.call({ operation: 'getPage', params, expand: ['cards'], returns: SitePage })
    const { canSell, missing } = selectOffering(await readOffering(context.request), context.session.member)
    return framed(context, { title: content.title, main: contentMain(content, { ...context, canSell, missing }) })
  }),
  page('GET /account/posts/:slug', learners, async context => {
    const { params, call, timeZone } = context
    const { slug = '' } = params
    const post = await call({ operation: 'getPost', params: { post_id: `slug:${slug}` }, returns: Post })
    if (post.slug !== slug) return redirect(`/account/posts/${post.slug}`)
    const { data: categories } = await call({ operation: 'listPostCategories', query: all, returns: PostCategoryPage })
    const isOpen = post.reader_access.state === 'open'
    const comments = isOpen && (await commentsOn(context, post.id))
    const main = postMain({ page: context, timeZone, post, categories, comments, isSignedIn: true })
    const reply = framed(context, { title: post.title, main })
    // Who writes it is no reader.
    const isReader = isOpen && post.allowed_actions?.includes('listPostVersions') !== true
    return isReader ? { ...reply, viewed: viewedPost(post) } : reply
  }),
  page('GET /account/events/:slug/details', learners, async context => {
    const { params, call, request } = context
    const { slug = '' } = params
    const event = await call({ operation: 'getEvent', params: { event_id: `slug:${slug}` }, returns: Event })
    if (event.slug !== slug) return redirect(`/account/events/${event.slug}/details`)
    const of = { event_id: event.id }
    const coming = [
      ['ended', 'false'],
      ['limit', '50'],
    ] as const
    const [dates, tickets, lecturers, comments, offering] = await Promise.all([
      call({ operation: 'listOccurrences', params: of, query: coming, returns: OccurrencePage }),
      call({ operation: 'listTicketTypes', params: of, query: all, returns: TicketTypePage }),
      call({ operation: 'listLecturers', query: all, returns: LecturerPage }),
      commentsOn(context, event.id),
      readOffering(request),
    ])
    const hosts = lecturers.data.filter(({ id }) => event.lecturer_ids.some(one => one === id))
    const { canSell, missing } = selectOffering(offering, context.session.member)
    const shown = { dates: dates.data, hasMore: dates.has_more, tickets: tickets.data, canSell, missing }
    return framed(context, { title: event.name, main: eventMain({ page: context, event, ...shown, hosts, comments }) })
  }),
]
