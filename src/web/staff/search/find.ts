import { CouponPage } from '#src/areas/coupons/index.ts'
import { CoursePage } from '#src/areas/courses/index.ts'
import { DigitalProductPage } from '#src/areas/digital-products/index.ts'
import { MemberPage } from '#src/areas/members/index.ts'
import { OrderPage } from '#src/areas/orders/index.ts'
import type { CallAsPerson, SignedInPerson } from '#src/contract/page-call.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { searchText } from './text.ts'

/** Something that was found, with the page that shows it. */
type Hit = { readonly href: string; readonly name: string; readonly about: string }

/** What was found of one kind, and the page with all of it; null where there is no more. */
export type Hits = {
  readonly kind: keyof (typeof searchText)['groups']
  readonly hits: readonly Hit[]
  readonly more: string | null
}

const SHOWN = 5

// Where the console has no page for one of them yet, their pages on the site show them.
type Paths = {
  course(course: { id: string; slug: string }): string
  product(product: { id: string; slug: string }): string
}

/** Finds people, courses, orders, products and coupons by the searches of their lists. */
export const findEverything = async (
  performAs: CallAsPerson,
  person: SignedInPerson,
  q: string,
  paths: Paths,
): Promise<Hits[]> => {
  const query: Pairs = [
    ['q', q],
    ['limit', String(SHOWN)],
  ]
  const [members, courses, orders, products, coupons] = await Promise.all([
    performAs(person, { operation: 'listMembers', query, returns: MemberPage }),
    performAs(person, { operation: 'listCourses', query, returns: CoursePage }),
    performAs(person, { operation: 'listOrders', query, returns: OrderPage }),
    performAs(person, { operation: 'listDigitalProducts', query, returns: DigitalProductPage }),
    performAs(person, { operation: 'listCoupons', query, returns: CouponPage }),
  ])
  const moreAt = (path: string, hasMore: boolean): string | null =>
    hasMore ? `${path}?${new URLSearchParams({ q })}` : null
  const all: Hits[] = [
    {
      kind: 'people',
      hits: members.data.map(({ id, name, email }) => ({ href: `/staff/people/${id}`, name, about: email })),
      more: moreAt('/staff/people', members.has_more),
    },
    {
      kind: 'courses',
      hits: courses.data.map(course => ({ href: paths.course(course), name: course.name, about: course.status })),
      more: null,
    },
    {
      kind: 'orders',
      hits: orders.data.map(({ number, email }) => ({
        href: `/staff/orders/${number}`,
        name: number,
        about: email ?? '',
      })),
      more: moreAt('/staff/orders', orders.has_more),
    },
    {
      kind: 'products',
      hits: products.data.map(product => ({ href: paths.product(product), name: product.name, about: product.status })),
      more: null,
    },
    {
      kind: 'coupons',
      hits: coupons.data.map(({ id, name, codes }) => ({
        href: `/staff/coupons/${id}`,
        name,
        about: codes[0]?.code ?? '',
      })),
      more: moreAt('/staff/coupons', coupons.has_more),
    },
  ]
  return all.filter(({ hits }) => hits.length > 0)
}
