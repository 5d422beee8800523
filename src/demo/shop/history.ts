import { enroll } from '#src/areas/learning/index.ts'
import type { PaymentParts } from '#src/areas/shop/index.ts'
import { DAY, openEarlier } from '../clock.ts'
import { type Learner, learners } from '../people/learners.ts'
import { findBySlug, findMemberId } from '../queries.ts'
import { type Purchase, payByTest, payByTransfer, placePurchase, refundLines } from './purchases.ts'

const WORKBOOK = 'sourdough-workbook'

type Step = Pick<Purchase, 'of' | 'code'> & {
  readonly by: 'transfer' | 'test' | 'declined' | 'free'
  readonly isRefunded?: true
}

// What somebody does first, one after the other in turn.
const FIRST: readonly Step[] = [
  { by: 'transfer', of: ['sourdough-from-scratch'] },
  { by: 'free', of: ['first-loaf'] },
  { by: 'test', of: ['sourdough-from-scratch', WORKBOOK] },
  { by: 'transfer', of: ['croissants-layer-by-layer'] },
  { by: 'test', of: ['bakers-club/year'] },
  { by: 'transfer', of: ['sourdough-from-scratch'], code: 'SUMMER20' },
  { by: 'declined', of: ['croissants-layer-by-layer'] },
  { by: 'transfer', of: ['baguettes-at-home'] },
  { by: 'free', of: ['bread-without-an-oven'] },
  { by: 'transfer', of: ['baguettes-at-home'], isRefunded: true },
]

// What some come back for, halfway between that day and today.
const LATER: readonly (Step | undefined)[] = [
  { by: 'transfer', of: [WORKBOOK] },
  { by: 'test', of: ['keep-your-starter-alive'] },
  { by: 'test', of: ['bakers-club/year'] },
  { by: 'transfer', of: ['keep-your-starter-alive', WORKBOOK], code: 'WELCOME-10' },
  undefined,
  { by: 'transfer', of: ['baguettes-at-home'] },
  { by: 'transfer', of: ['croissants-layer-by-layer'] },
]

type Visit = Step & { readonly email: string; readonly minutes: number }

const BROA: Step = { by: 'transfer', of: ['broa-de-milho'] }

const buildVisits = ({ email, locale, joined }: Learner, index: number): Visit[] => {
  const first = locale.startsWith('pt') && index % 3 === 2 ? BROA : FIRST[index % FIRST.length]
  const later = LATER[index % LATER.length]
  return [
    ...(first === undefined ? [] : [{ ...first, email, minutes: joined - 10 }]),
    ...(later === undefined ? [] : [{ ...later, email, minutes: Math.round(joined / 2) }]),
  ]
}

const REFUNDED_AFTER = 4 * DAY

const enrollFree = ({ database, school }: PaymentParts, { email, of }: Visit): Promise<void> =>
  database.transaction(school.id, async (db, now) => {
    const memberId = await findMemberId(db, school.id, email)
    for (const slug of of) {
      const courseId = await findBySlug(db, school.id, 'courses', slug)
      if (memberId !== undefined && courseId !== undefined)
        await enroll({ db, school, now }, { memberId, courseId, source: 'free', notify: false })
    }
  })

const sell = async (parts: PaymentParts, { by, minutes, isRefunded, ...purchase }: Visit): Promise<void> => {
  const at = (ago: number): PaymentParts => ({ ...parts, database: openEarlier(parts.database, ago) })
  const then = at(minutes)
  const order = await placePurchase(then, purchase)
  if (by === 'transfer') await payByTransfer(then, order)
  else await payByTest(then, order, by === 'test' ? ['pay'] : ['decline_finally'])
  if (isRefunded && minutes > REFUNDED_AFTER) await refundLines(at(minutes - REFUNDED_AFTER), order, 1)
}

/**
 * Has the learners of the demo enroll and buy over the last three months, in the order of time. Where the demo sells nothing they
 * are given the courses.
 */
export const createDemoHistory = async (parts: PaymentParts, sells: boolean): Promise<void> => {
  const visits = learners.flatMap(buildVisits).sort((one, other) => other.minutes - one.minutes)
  for (const visit of visits) {
    if (sells && visit.by !== 'free') await sell(parts, visit)
    else await enrollFree({ ...parts, database: openEarlier(parts.database, visit.minutes) }, visit)
  }
}
