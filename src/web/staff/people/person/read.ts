import type { Static } from 'typebox'
import { EnrollmentPage } from '#src/areas/learning/index.ts'
import { Member } from '#src/areas/people/index.ts'
import { OrderPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatDay } from '#src/kit/format.ts'
import { chooseZone } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'

/** A member as staff read them, with groups and what they paid. */
export type Person = Encoded<Static<typeof Member>>

/** The address of the page of a member. */
export const personPath = (id: string): string => `/staff/people/${id}`

/** The id in the address of a page of a member. */
export const readParams = ({ params }: Pick<StaffContext, 'params'>) => ({ member_id: params.id ?? '' })

/** The member whom a page is about. */
export const readPerson = (context: StaffContext): Promise<Person> =>
  context.call({
    operation: 'getMember',
    params: readParams(context),
    expand: ['groups', 'spent'],
    returns: Member,
  })

const ofOne = (id: string): Pairs => [
  ['member_id', id],
  ['limit', '1'],
  ['include_total', 'true'],
]

/** How many enrollments and orders a member has, for the tabs. */
export const readCounts = async ({ call }: StaffContext, id: string) => {
  const [enrollments, orders] = await Promise.all([
    call({ operation: 'listEnrollments', query: ofOne(id), returns: EnrollmentPage }),
    call({ operation: 'listOrders', query: ofOne(id), returns: OrderPage }),
  ])
  return { courses: enrollments.total ?? 0, orders: orders.total ?? 0 }
}

/** The query of a list of what a member has, newest first. */
export const buildQuery = (id: string, limit: number, cursor = ''): Pairs => [
  ['member_id', id],
  ['limit', String(limit)],
  ...(cursor === '' ? [] : [['cursor', cursor] as const]),
]

/** A day as tables have it, where there is little room. */
export const showShortDay = ({ language, viewer }: Pick<StaffContext, 'language' | 'viewer'>, at: string): string =>
  formatDay(at, chooseZone(viewer), language, 'short')
