import { CoursePage, FoundLessons } from '#src/areas/courses/index.ts'
import { EventPage } from '#src/areas/events/index.ts'
import { StudentPage } from '#src/areas/learning/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import { PostPage, SitePageList } from '#src/areas/publishing/index.ts'
import { CouponPage, DigitalProductPage, OrderPage } from '#src/areas/shop/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../audience.ts'
import type { StaffRole } from '../section.ts'

const { groups } = texts.staff.search.common

/** Something that was found, with the page that shows it. */
export type Hit = { readonly href: string; readonly name: string; readonly about: string }

type Found = { readonly hits: readonly Hit[]; readonly hasMore: boolean }

/** A kind of thing that can be found, as its list finds it for the person who searches. */
export type Kind = {
  readonly kind: keyof typeof groups
  /** The role with the fewest rights that finds it. */
  readonly least: StaffRole
  /** The list with all that was found; unset where a list cannot be searched. */
  readonly list?: `/staff/${string}`
  find(context: StaffContext, query: Pairs): Promise<Found>
}

const managed = (query: Pairs): Pairs => [...query, ['managed', 'true']]

type Listed<Row> = { readonly data: readonly Row[]; readonly has_more?: boolean }

const found = <Row>({ data, has_more: hasMore = false }: Listed<Row>, renderHit: (row: Row) => Hit): Found => ({
  hits: data.map(renderHit),
  hasMore,
})

const NOTHING: Found = { hits: [], hasMore: false }

// A lecturer who teaches no course yet has no list of students.
const refusedRole = (error: unknown): undefined => {
  if (error instanceof Refusal && error.problem === roleRequired) return undefined
  throw error
}

const people: Kind = {
  kind: 'people',
  least: 'admin',
  list: '/staff/people',
  find: async ({ call }, query) =>
    found(await call({ operation: 'listMembers', query, returns: MemberPage }), ({ id, name, email }) => ({
      href: `/staff/people/${id}`,
      name: isVisible(name) ? name : email,
      about: email,
    })),
}

// Whoever teaches finds their students; staff find them among the people.
const students: Kind = {
  kind: 'students',
  least: 'lecturer',
  list: '/staff/students',
  find: async ({ call, isStaff }, query) => {
    if (isStaff) return NOTHING
    const students = await call({ operation: 'listStudents', query, returns: StudentPage }).catch(refusedRole)
    return students === undefined
      ? NOTHING
      : found(students, ({ name, email }) => ({
          href: `/staff/students?${new URLSearchParams({ q: name })}`,
          name,
          about: email ?? '',
        }))
  },
}

const orders: Kind = {
  kind: 'orders',
  least: 'admin',
  list: '/staff/orders',
  find: async ({ call }, query) =>
    found(await call({ operation: 'listOrders', query, returns: OrderPage }), ({ number, email }) => ({
      href: `/staff/orders/${number}`,
      name: number,
      about: email ?? '',
    })),
}

const courses: Kind = {
  kind: 'courses',
  least: 'lecturer',
  list: '/staff/courses',
  find: async ({ call, t }, query) =>
    found(
      await call({ operation: 'listCourses', query: managed(query), returns: CoursePage }),
      ({ id, name, status }) => ({
        href: `/staff/courses/${id}`,
        name,
        about: t(texts.staff.courses.common.statuses[status]),
      }),
    ),
}

const lessons: Kind = {
  kind: 'lessons',
  least: 'lecturer',
  find: async ({ call }, query) => {
    const q = query.filter(([name]) => name === 'q')
    const { data } = await call({ operation: 'findLessons', query: q, returns: FoundLessons })
    return found({ data: data.slice(0, 5) }, ({ id, name, course_id: courseId, course }) => ({
      href: `/staff/courses/${courseId}/lessons/${id}`,
      name,
      about: course,
    }))
  },
}

const products: Kind = {
  kind: 'products',
  least: 'admin',
  list: '/staff/products',
  find: async ({ call, t }, query) =>
    found(
      await call({ operation: 'listDigitalProducts', query, returns: DigitalProductPage }),
      ({ id, name, status }) => ({
        href: `/staff/products/${id}`,
        name,
        about: t(texts.staff.products.common.statuses[status]),
      }),
    ),
}

const plans: Kind = {
  kind: 'plans',
  least: 'admin',
  find: async ({ call }, query) =>
    found(await call({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage }), ({ id, name }) => ({
      href: `/staff/plans/${id}`,
      name,
      about: '',
    })),
}

const coupons: Kind = {
  kind: 'coupons',
  least: 'admin',
  list: '/staff/coupons',
  find: async ({ call }, query) =>
    found(await call({ operation: 'listCoupons', query, returns: CouponPage }), ({ id, name, codes }) => ({
      href: `/staff/coupons/${id}`,
      name,
      about: codes[0]?.code ?? '',
    })),
}

const events: Kind = {
  kind: 'events',
  least: 'lecturer',
  list: '/staff/events',
  find: async ({ call }, query) =>
    found(await call({ operation: 'listEvents', query: managed(query), returns: EventPage }), ({ id, name }) => ({
      href: `/staff/events/${id}`,
      name,
      about: '',
    })),
}

const posts: Kind = {
  kind: 'posts',
  least: 'lecturer',
  list: '/staff/posts',
  find: async ({ call }, query) =>
    found(await call({ operation: 'listPosts', query: managed(query), returns: PostPage }), ({ id, title }) => ({
      href: `/staff/posts/${id}`,
      name: title,
      about: '',
    })),
}

const pages: Kind = {
  kind: 'pages',
  least: 'admin',
  list: '/staff/pages',
  find: async ({ call }, query) =>
    found(await call({ operation: 'listPages', query, returns: SitePageList }), ({ id, title, path }) => ({
      href: `/staff/pages/${id}`,
      name: title,
      about: path,
    })),
}

/** What can be found, in the order in which it is shown. */
export const kinds: readonly Kind[] = [
  ...[people, students, orders, courses, lessons, products, plans, coupons, events, posts, pages],
]
