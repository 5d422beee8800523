import { CoursePage } from '#src/areas/courses/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import { SitePageList } from '#src/areas/publishing/index.ts'
import { CouponPage, DigitalProductPage, OrderPage } from '#src/areas/shop/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../audience.ts'
import { coursesText } from '../courses/courses/text.ts'
import { editorText } from '../publishing/pages/text.ts'

/** Something that was found, with the page that shows it. */
type Hit = { readonly href: string; readonly name: string; readonly about: string }

/** What was found of one kind, and the page with all of it; null where there is no more. */
export type Hits = {
  readonly kind: keyof (typeof texts.staff.search.common)['groups']
  readonly hits: readonly Hit[]
  readonly more: string | null
}

const SHOWN = 5

/** Finds people, courses, orders, products, coupons and pages by the searches of their lists. */
export const findEverything = async ({ call, t }: StaffContext, q: string): Promise<Hits[]> => {
  const query: Pairs = [
    ['q', q],
    ['limit', String(SHOWN)],
  ]
  const [members, courses, orders, products, coupons, pages] = await Promise.all([
    call({ operation: 'listMembers', query, returns: MemberPage }),
    call({ operation: 'listCourses', query, returns: CoursePage }),
    call({ operation: 'listOrders', query, returns: OrderPage }),
    call({ operation: 'listDigitalProducts', query, returns: DigitalProductPage }),
    call({ operation: 'listCoupons', query, returns: CouponPage }),
    call({ operation: 'listPages', query, returns: SitePageList }),
  ])
  const group = <Found>(
    kind: Hits['kind'],
    { data, has_more: hasMore }: { readonly data: readonly Found[]; readonly has_more: boolean },
    renderHit: (found: Found) => Hit,
  ): Hits => ({
    kind,
    hits: data.map(renderHit),
    more: hasMore ? `/staff/${kind}?${new URLSearchParams({ q })}` : null,
  })
  return [
    group('people', members, ({ id, name, email }) => ({
      href: `/staff/people/${id}`,
      name: isVisible(name) ? name : email,
      about: email,
    })),
    group('courses', courses, ({ id, name, status }) => ({
      href: `/staff/courses/${id}`,
      name,
      about: t(coursesText.statuses[status]).toLowerCase(),
    })),
    group('orders', orders, ({ number, email }) => ({
      href: `/staff/orders/${number}`,
      name: number,
      about: email ?? '',
    })),
    group('products', products, ({ id, name, status }) => ({
      href: `/staff/products/${id}`,
      name,
      about: t(texts.staff.products.common.statuses[status]),
    })),
    group('coupons', coupons, ({ id, name, codes }) => ({
      href: `/staff/coupons/${id}`,
      name,
      about: codes[0]?.code ?? '',
    })),
    group('pages', pages, ({ id, title, status }) => ({
      href: `/staff/pages/${id}`,
      name: title,
      about: t(editorText.statuses[status]),
    })),
  ].filter(({ hits }) => hits.length > 0)
}
