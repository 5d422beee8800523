import { enroll } from '#src/areas/learning/index.ts'
import type { PaymentParts } from '#src/areas/shop/index.ts'
import { backdate, DAY, openWithin } from '../clock.ts'
import { type Learner, learners } from '../people/learners.ts'
import { findBySlug, findMemberId } from '../queries.ts'
import { type Purchase, payByTest, payByTransfer, placePurchase, refundLast, type Visit } from './purchases.ts'
import { buildSales } from './sales.ts'

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

type Planned = Step & { readonly email: string; readonly minutes: number }

const BROA: Step = { by: 'transfer', of: ['broa-de-milho'] }

const planVisits = ({ email, locale, joined }: Learner, index: number): Planned[] => {
  const first = locale.startsWith('pt') && index % 3 === 2 ? BROA : FIRST[index % FIRST.length]
  const later = LATER[index % LATER.length]
  return [
    ...(first === undefined ? [] : [{ ...first, email, minutes: joined - 10 }]),
    ...(later === undefined ? [] : [{ ...later, email, minutes: Math.round(joined / 2) }]),
  ]
}

const REFUNDED_AFTER = 4 * DAY

const enrollFree = ({ database, school }: PaymentParts, { email, of }: Planned): Promise<void> =>
  database.transaction(school.id, async (db, now) => {
    const memberId = await findMemberId(db, school.id, email)
    for (const slug of of) {
      const courseId = await findBySlug(db, school.id, 'courses', slug)
      if (memberId !== undefined && courseId !== undefined)
        await enroll({ db, school, now }, { memberId, courseId, source: 'free', notify: false })
    }
  })

const sell = async (then: PaymentParts, { by, ...purchase }: Planned): Promise<void> => {
  const order = await placePurchase(then, purchase)
  if (by === 'transfer') await payByTransfer(then, order)
  else await payByTest(then, order, by === 'test' ? ['pay'] : ['decline_finally'])
}

const buildVisits = (planned: Planned, sells: boolean): Visit[] => {
  const { by, email, isRefunded, minutes } = planned
  if (!sells || by === 'free') return [{ minutes, run: then => enrollFree(then, planned) }]
  const sale: Visit = { minutes, run: then => sell(then, planned) }
  if (!isRefunded || minutes < REFUNDED_AFTER) return [sale]
  return [sale, { minutes: minutes - REFUNDED_AFTER, run: then => refundLast(then, email) }]
}

/**
 * Has people of the demo enroll and buy over the last three months, in the order of time. Where the demo sells nothing the learners
 * are given the courses.
 */
export const createDemoHistory = async (parts: PaymentParts, sells: boolean): Promise<void> => {
  const visits = [
    ...learners.flatMap(planVisits).flatMap(planned => buildVisits(planned, sells)),
    ...(sells ? buildSales() : []),
  ]
  const { database, school } = parts
  await database.transaction(school.id, async (db, now) => {
    for (const { minutes, run } of visits.sort((one, other) => other.minutes - one.minutes))
      await run({ ...parts, database: openWithin(database, await backdate({ db, now }, minutes)) })
  })
}
