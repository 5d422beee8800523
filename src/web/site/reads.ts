import type { Static, TSchema } from 'typebox'
import {
  Category,
  CategoryPage,
  Course,
  CoursePage,
  Lecturer,
  LecturerPage,
  Lesson,
  Outline,
  ReviewPage,
} from '#src/areas/courses/index.ts'
import { Event, EventPage, OccurrencePage, TicketTypePage } from '#src/areas/events/index.ts'
import { clockNow, courseLook } from '#src/areas/learning/index.ts'
import { MembershipPlan, MembershipPlanPage } from '#src/areas/memberships/index.ts'
import {
  CommentableSubject,
  CommentPage,
  findHomePage,
  findPublishedById,
  findPublishedPage,
  Post,
  PostCategory,
  PostCategoryPage,
  PostPage,
  SitePage,
  SitePageList,
} from '#src/areas/publishing/index.ts'
import { readOffering, School } from '#src/areas/school/index.ts'
import { DigitalProduct, DigitalProductPage, ProductFilePage } from '#src/areas/shop/index.ts'
import type { Role } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { CallAsPerson, PageCall, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { publicKinds, type SearchResult, searchAll, suggestSearches } from '#src/db/search.ts'
import type { Pairs } from '#src/kit/form.ts'
import { fromId } from '#src/kit/ids.ts'
import { selectOffering } from '#src/web/offering.ts'
import { createCache } from './cache.ts'

/** The school, as the API returns it to anybody. */
export type SchoolView = Encoded<Static<typeof School>>
/** A course, as the API returns it to anybody. */
export type CourseView = Encoded<Static<typeof Course>>
/** A lecturer, as the API returns it to anybody. */
export type LecturerView = Encoded<Static<typeof Lecturer>>
/** The outline of a course, as the API returns it to anybody. */
export type OutlineView = Encoded<Static<typeof Outline>>
/** A lesson with its content, as the API returns it to anybody. */
export type LessonView = Encoded<Static<typeof Lesson>>
/** A category, as the API returns it to anybody. */
export type CategoryView = Encoded<Static<typeof Category>>
/** A review, as the API returns it to anybody. */
export type ReviewView = Encoded<Static<typeof ReviewPage>>['data'][number]
/** A digital product, as the API returns it to anybody. */
export type ProductView = Encoded<Static<typeof DigitalProduct>>
/** A file of a product, as the API returns it to anybody. */
export type ProductFileView = Encoded<Static<typeof ProductFilePage>>['data'][number]
/** A membership plan, as the API returns it to anybody. */
export type PlanView = Encoded<Static<typeof MembershipPlan>>
/** A price, as the API returns it to anybody. */
export type PriceView = NonNullable<CourseView['primary_price']>

/** A page of blocks in a list, as the API returns it to anybody. */
export type ContentLine = Encoded<Static<typeof SitePageList>>['data'][number]
/** A page with its cards, as the API returns it to anybody. */
export type ContentView = Encoded<Static<typeof SitePage>>

/** A post, as the API returns it to anybody. */
export type PostView = Encoded<Static<typeof Post>>
/** An event, as the API returns it to anybody. */
export type EventView = Encoded<Static<typeof Event>>
/** A date of an event, as the API returns it to anybody. */
export type OccurrenceView = Encoded<Static<typeof OccurrencePage>>['data'][number]
/** A ticket of an event, as the API returns it to anybody. */
export type TicketView = Encoded<Static<typeof TicketTypePage>>['data'][number]
/** A category of posts, as the API returns it to anybody. */
export type PostCategoryView = Encoded<Static<typeof PostCategory>>

/** A search of the site; `after` is the last result of the page before. */
type Search = { readonly q: string; readonly rows: number; readonly after: SearchResult | undefined }

const orNone = async <Value>(found: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await found
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const bySlug = (slug: string): string => `slug:${slug}`

/**
 * What the pages of the site read, as an anonymous visitor: a page can show nothing that the API hides. A preview reads as
 * the person who looks at it, and keeps nothing. Throws the refusals of the operations.
 */
export const createReads = (performAs: CallAsPerson) => {
  const cache = createCache()
  return ({ school, schoolReadAt, database, requestId, network }: EndpointRequest, person?: SignedInPerson) => {
    let since = schoolReadAt
    const keep = <Value>(key: readonly unknown[], readNow: () => Promise<Value>): Promise<Value> =>
      cache(JSON.stringify([school.id, ...key]), readNow, {
        writtenAt: database.writtenAt(school.id),
        onRead: at => {
          since = Math.min(since, at)
        },
      })
    const read = <Returns extends TSchema>(call: PageCall<Returns> & { readonly returns: Returns }) => {
      if (person !== undefined) return performAs<Returns>(person, call)
      const { operation, params, query, expand } = call
      const key = [school.siteOrigin, operation, params, query, expand]
      return keep(key, () => performAs<Returns>({ school, requestId, network }, call))
    }
    return {
      /** Before what was read was read, on the clock of this process. */
      since: () => since,
      school: () => read({ operation: 'getSchool', returns: School }),
      courses: (query: Pairs) =>
        read({ operation: 'listCourses', query, expand: ['lecturers', 'prices'], returns: CoursePage }),
      course: (slug: string) =>
        read({
          operation: 'getCourse',
          params: { course_id: bySlug(slug) },
          expand: ['lecturers', 'categories', 'prices'],
          returns: Course,
        }),
      // A course that is not public has an id, and no page.
      courseWithId: (id: string) =>
        orNone(read({ operation: 'getCourse', params: { course_id: id }, returns: Course })),
      outline: (courseId: string) =>
        read({ operation: 'getOutline', params: { course_id: courseId }, returns: Outline }),
      lesson: (lessonId: string) => read({ operation: 'getLesson', params: { lesson_id: lessonId }, returns: Lesson }),
      reviews: (courseId: string, limit: number) =>
        read({
          operation: 'listCourseReviews',
          params: { course_id: courseId },
          query: [['limit', String(limit)]],
          returns: ReviewPage,
        }),
      // Never from the cache: who has just written a comment looks for it.
      comments: (subject: string) =>
        performAs<typeof CommentPage>(person ?? { school, requestId, network }, {
          operation: 'listComments',
          query: [
            ['subject', subject],
            ['sort', '-created_at'],
            ['limit', '100'],
          ],
          returns: CommentPage,
        }),
      commented: (subject: string) =>
        read({ operation: 'getCommentSubject', params: { subject }, returns: CommentableSubject }),
      categories: () => read({ operation: 'listCategories', query: [['limit', '100']], returns: CategoryPage }),
      category: (slug: string) =>
        read({ operation: 'getCategory', params: { category_id: bySlug(slug) }, returns: Category }),
      now: () => keep(['now'], () => database.statements(school.id, clockNow)),
      // Whoever completes a course with a template gets a certificate; what the template says is for staff.
      hasCertificate: (courseId: string) =>
        keep(['certificate', courseId], () =>
          database.statements(school.id, async db => {
            const id = fromId('crs', courseId)
            return id !== undefined && (await courseLook({ db, school }, id)) !== undefined
          }),
        ),
      // The seller settings are for staff; buyers are told this of them.
      offering: async (member?: { readonly role: Role }) =>
        selectOffering(await keep(['offering'], () => readOffering({ database, school })), member),
      // It finds ids of what is public alone; what a page shows of them comes from the lists.
      search: (search: Search) =>
        keep(['search', search], () =>
          database.statements(school.id, db => searchAll(db, { ...search, kinds: publicKinds })),
        ),
      suggestions: (q: string, most: number) =>
        keep(['suggestions', q, most], () => database.statements(school.id, db => suggestSearches(db, q, most))),
      page: (id: string) =>
        read({ operation: 'getPage', params: { page_id: id }, expand: ['cards'], returns: SitePage }),
      pages: (query: Pairs) => read({ operation: 'listPages', query, returns: SitePageList }),
      // Where a page is: what it says comes from the API, and a page for members is on their own pages.
      homePage: () => keep(['home page'], () => database.statements(school.id, db => findHomePage(db, school.id))),
      pageAt: (path: string) =>
        keep(['page at', path], () => database.statements(school.id, db => findPublishedPage(db, school.id, path))),
      pageWithId: (id: string) =>
        keep(['page with', id], () => database.statements(school.id, db => findPublishedById(db, school.id, id))),
      hasProducts: async () => {
        const query = [['limit', '1']] as const
        return (await read({ operation: 'listDigitalProducts', query, returns: DigitalProductPage })).data.length > 0
      },
      hasPlans: async () => {
        const query = [['limit', '1']] as const
        return (await read({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage })).data.length > 0
      },
      hasPosts: async () => {
        const query = [['limit', '1']] as const
        return (await read({ operation: 'listPosts', query, returns: PostPage })).data.length > 0
      },
      hasEvents: async () => {
        const query = [['limit', '1']] as const
        return (await read({ operation: 'listEvents', query, returns: EventPage })).data.length > 0
      },
      events: (query: Pairs) => read({ operation: 'listEvents', query, returns: EventPage }),
      event: (slug: string) => read({ operation: 'getEvent', params: { event_id: bySlug(slug) }, returns: Event }),
      tickets: (eventId: string) =>
        read({
          operation: 'listTicketTypes',
          params: { event_id: eventId },
          query: [['limit', '100']],
          returns: TicketTypePage,
        }),
      occurrences: (eventId: string, query: Pairs) =>
        read({ operation: 'listOccurrences', params: { event_id: eventId }, query, returns: OccurrencePage }),
      posts: (query: Pairs) => read({ operation: 'listPosts', query, returns: PostPage }),
      post: (slug: string) => read({ operation: 'getPost', params: { post_id: bySlug(slug) }, returns: Post }),
      postCategories: () =>
        read({ operation: 'listPostCategories', query: [['limit', '100']], returns: PostCategoryPage }),
      postCategory: (slug: string) =>
        read({ operation: 'getPostCategory', params: { category_id: bySlug(slug) }, returns: PostCategory }),
      products: (query: Pairs) => read({ operation: 'listDigitalProducts', query, returns: DigitalProductPage }),
      product: (slug: string) =>
        read({
          operation: 'getDigitalProduct',
          params: { product_id: bySlug(slug) },
          expand: ['prices'],
          returns: DigitalProduct,
        }),
      plans: (query: Pairs) => read({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage }),
      plan: (slug: string) =>
        read({ operation: 'getMembershipPlan', params: { plan_id: bySlug(slug) }, returns: MembershipPlan }),
      productFiles: (productId: string) =>
        read({
          operation: 'listProductFiles',
          params: { product_id: productId },
          query: [['limit', '100']],
          returns: ProductFilePage,
        }),
      lecturers: (query: Pairs) => read({ operation: 'listLecturers', query, returns: LecturerPage }),
      lecturer: (slug: string) =>
        read({ operation: 'getLecturer', params: { lecturer_id: bySlug(slug) }, returns: Lecturer }),
    }
  }
}

/** The reads for one request. */
export type Reads = ReturnType<ReturnType<typeof createReads>>
