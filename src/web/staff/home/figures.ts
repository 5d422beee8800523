import { CoursePage, ReviewPage } from '#src/areas/courses/index.ts'
import { AppearanceDraft } from '#src/areas/files/index.ts'
import { AttemptPage, SubmissionPage } from '#src/areas/learning/index.ts'
import { WaitingCredits } from '#src/areas/memberships/index.ts'
import { OutboxPage, SchoolUsage } from '#src/areas/school/index.ts'
import { OrderPage } from '#src/areas/shop/index.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { StaffContext } from '../audience.ts'
import type { staffText } from '../pages/text.ts'
import { waitingFor } from '../shop/orders/waiting.ts'

/** Something that waits for staff: how much of it, and the page where it is. */
type WaitingItem = {
  readonly kind: keyof (typeof staffText)['home']['waiting']
  readonly count: number
  readonly path: `/staff/${string}`
  /** Whether there may be more than were counted. */
  readonly isLeast?: boolean
}

/** A number that says how the school does. */
type Figure = {
  readonly kind: keyof (typeof staffText)['home']['figures']
  readonly count: number
  readonly path: `/staff/${string}`
}

const counting = (...query: Pairs): Pairs => [...query, ['limit', '1'], ['include_total', 'true']]

type Counted = { readonly total?: number | undefined }

const computeTotal = ({ total = 0 }: Counted): number => total

/** The figures of the first page: sums that the lists of the API count. */
export const readFigures = async ({ call }: StaffContext): Promise<Figure[]> => {
  const [usage, courses, orders] = await Promise.all([
    call({ operation: 'getSchoolUsage', returns: SchoolUsage }),
    call({ operation: 'listCourses', query: counting(['status', 'published']), returns: CoursePage }),
    call({ operation: 'listOrders', query: counting(['status[in]', 'paid']), returns: OrderPage }),
  ])
  return [
    { kind: 'active', count: usage.members.active ?? 0, path: '/staff/people?status=active' },
    { kind: 'courses', count: computeTotal(courses), path: '/staff/courses?status=published' },
    { kind: 'paid', count: computeTotal(orders), path: '/staff/orders?status=paid' },
  ]
}

const teachingWaits = async ({ call }: StaffContext): Promise<WaitingItem[]> => {
  const ungraded = counting(['graded', 'false'])
  const [work, answers, reviews] = await Promise.all([
    call({ operation: 'listSubmissions', query: ungraded, returns: SubmissionPage }),
    call({ operation: 'listQuizAttempts', query: ungraded, returns: AttemptPage }),
    call({ operation: 'listReviews', query: counting(['status', 'pending']), returns: ReviewPage }),
  ])
  return [
    { kind: 'work', count: computeTotal(work), path: '/staff/grading' },
    { kind: 'answers', count: computeTotal(answers), path: '/staff/grading' },
    { kind: 'reviews', count: computeTotal(reviews), path: '/staff/reviews?status=pending' },
  ]
}

const sellingWaits = async ({ parts, person }: StaffContext): Promise<WaitingItem[]> => {
  const { transfers, disputes, failedRefunds, notGiven } = await waitingFor(parts.performAs, person)
  const item = (kind: WaitingItem['kind'], { length }: readonly unknown[]): WaitingItem => ({
    kind,
    count: length,
    path: '/staff/orders' as const,
    isLeast: length === 5,
  })
  return [
    item('transfers', transfers),
    item('disputes', disputes),
    item('refunds', failedRefunds),
    item('notGiven', notGiven),
  ]
}

const failedMails: PageCall<typeof OutboxPage> = {
  operation: 'listOutboxMails',
  query: counting(['state', 'failed']),
  returns: OutboxPage,
}

/** What waits for staff; what does not wait is left out. */
export const readWaits = async (context: StaffContext, confirmations: number): Promise<WaitingItem[]> => {
  const selling = await sellingWaits(context)
  const teaching = await teachingWaits(context)
  const credits = await context.call({ operation: 'listWaitingCredits', returns: WaitingCredits })
  const mails = await context.call(failedMails)
  const all: WaitingItem[] = [
    { kind: 'confirmations', count: confirmations, path: '/staff/confirmations' },
    ...selling,
    { kind: 'credits', count: credits.total, path: '/staff/subscriptions' },
    ...teaching,
    { kind: 'mails', count: computeTotal(mails), path: '/staff/outbox?state=failed' },
  ]
  return all.filter(({ count }) => count > 0)
}

/** What the appearance lacks. */
export const readWarnings = async ({ call }: StaffContext) =>
  (await call({ operation: 'getAppearanceDraft', returns: AppearanceDraft })).warnings

/** Everything that the first page shows of the state of the school. */
export type Waits = Awaited<ReturnType<typeof readWaits>>

/** The figures of the first page. */
export type Figures = Awaited<ReturnType<typeof readFigures>>
