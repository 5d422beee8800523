// One thing: what orders, payments, seats and uses of codes have to be, in the fewest words in which that can be said.

/** What the shop of the model sells: a course with a limited number of seats, one without, and a product. */
export const items = ['capped', 'course', 'product'] as const
export type Item = (typeof items)[number]
export const prices: Readonly<Record<Item, number>> = { capped: 2000, course: 3000, product: 1200 }
export const SEATS = 2

/** Its codes: the percentage, how many orders and how many of one person may use it, and whether a refund returns a use. */
export const codes = {
  HALF: { percent: 50, most: 2, perMember: 99, returns: true },
  TENTH: { percent: 10, most: 99, perMember: 1, returns: false },
} as const
export type Code = keyof typeof codes

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

type Line = {
  readonly item: Item
  readonly amount: number
  refunded: number
  isGiven: boolean
  isEnded: boolean
  isReserved: boolean
}

/** A payment as the order and as the provider have it: what arrived, and what of it went back. */
export type Payment = {
  readonly provider: 'online' | 'manual'
  readonly amount: number
  state: 'open' | 'processing' | 'succeeded' | 'failed' | 'canceled'
  /** The stage of its page at the provider. */
  page: 'open' | 'processing' | 'succeeded' | 'failed' | 'expired'
  /** It arrives after its page has ended, whatever happens on the page. */
  isLate: boolean
  readonly endsAt: number
  isWanted: boolean
  arrived: number
  back: number
  arrivesAt: number | undefined
  receipts: { readonly amount: number; readonly at: number }[]
  dispute: { state: 'open' | 'won' | 'lost'; readonly amount: number } | undefined
}

/** An order. Instants are milliseconds. */
export type Order = {
  readonly buyer: number
  readonly placedAt: number
  readonly code: Code | undefined
  readonly total: number
  readonly lines: Line[]
  readonly payments: Payment[]
  status: 'pending' | 'processing' | 'paid' | 'failed' | 'expired' | 'canceled'
  use: 'none' | 'held' | 'taken' | 'returned'
  expiresAt: number
  overpaidBack: number
  holds: ('dispute' | 'undone')[]
}

/** Everything that there is, at an instant. */
export type World = { now: number; readonly orders: Order[] }

/** What a command comes to: the code of a refusal, or undefined. */
export type Outcome = string | undefined

const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0)
const isWaiting = ({ status }: Order): boolean => status === 'pending' || status === 'processing'
const isUsed = ({ use }: Order): boolean => use === 'held' || use === 'taken'
const computeRest = ({ amount, refunded }: Line): number => amount - refunded

/** What arrived for an order. */
export const computePaid = ({ payments }: Order): number => sum(payments.map(({ arrived }) => arrived))

const computeLost = ({ dispute }: Payment): number =>
  dispute === undefined || dispute.state === 'won' ? 0 : dispute.amount

/** What went back of an order, by refunds and lost disputes. */
export const computeBack = ({ payments }: Order): number =>
  sum(payments.map(one => one.back + (one.dispute?.state === 'lost' ? one.dispute.amount : 0)))

const computeLeft = (one: Payment): number => Math.max(0, one.arrived - one.back - computeLost(one))

const listLines = (world: World, item: Item) =>
  world.orders.flatMap(order => order.lines.filter(line => line.item === item).map(line => ({ order, line })))

const listHolders = (world: World, item: Item): Set<number> =>
  new Set(listLines(world, item).flatMap(({ order, line }) => (line.isGiven && !line.isEnded ? [order.buyer] : [])))

/** Who has a seat in the course with a limit, or has one reserved. */
export const seated = (world: World, exceptFor?: number): Set<number> => {
  const reserved = listLines(world, 'capped').flatMap(({ order, line }) => (line.isReserved ? [order.buyer] : []))
  return new Set([...listHolders(world, 'capped'), ...reserved.filter(buyer => buyer !== exceptFor)])
}

/** Whether a buyer may use something now. */
export const mayUse = (world: World, buyer: number, item: Item): boolean =>
  listLines(world, item).some(
    ({ order, line }) => order.buyer === buyer && line.isGiven && !line.isEnded && order.holds.length === 0,
  )

/** How many orders use a code, by what of it they have. */
export const countUses = (world: World, code: Code, use: Order['use']): number =>
  world.orders.filter(order => order.code === code && order.use === use).length

const hasUse = (world: World, code: Code, buyer: number): boolean => {
  const used = world.orders.filter(order => order.code === code && isUsed(order))
  return used.length < codes[code].most && used.filter(order => order.buyer === buyer).length < codes[code].perMember
}

/** Places an order of a buyer. */
export const place = (
  world: World,
  { buyer, items, code }: { buyer: number; items: readonly Item[]; code: Code | undefined },
): Outcome => {
  const { now } = world
  const open = world.orders.filter(order => order.buyer === buyer && order.status === 'pending')
  if (open.filter(({ expiresAt }) => expiresAt > now).length >= 3) return 'too_many_pending_orders'
  // Who has the course already takes no other seat, but is offered it as to anybody.
  const offeredTo = mayUse(world, buyer, 'capped') ? undefined : buyer
  if (items.includes('capped') && seated(world, offeredTo).size >= SEATS) return 'sold_out'
  if (code !== undefined && !hasUse(world, code, buyer)) return 'code_refused'
  const share = code === undefined ? 100 : 100 - codes[code].percent
  const lines = items.map(item => ({
    ...{ item, amount: (prices[item] * share) / 100, refunded: 0 },
    ...{ isGiven: false, isEnded: false, isReserved: item === 'capped' },
  }))
  world.orders.push({
    ...{ buyer, code, lines, placedAt: now, expiresAt: now + 30 * MINUTE, overpaidBack: 0 },
    ...{ total: sum(lines.map(({ amount }) => amount)), payments: [], holds: [] },
    ...{ status: 'pending', use: code === undefined ? 'none' : 'held' },
  })
  return undefined
}

const cancelPayments = ({ payments }: Order): void => {
  for (const one of payments.filter(({ state, isWanted }) => state === 'open' && isWanted)) {
    one.isWanted = false
    one.state = 'canceled'
    if (one.page === 'open') one.page = 'expired'
  }
}

const endLines = (lines: readonly Line[]): void => {
  for (const line of lines) if (line.isGiven) line.isEnded = true
}

const release = (order: Order): void => {
  cancelPayments(order)
  for (const line of order.lines) line.isReserved = false
  if (order.use === 'held') order.use = 'returned'
  else if (order.use === 'taken' && order.code !== undefined && codes[order.code].returns) order.use = 'returned'
  endLines(order.lines)
  order.holds = []
}

const end = (order: Order, status: 'failed' | 'expired' | 'canceled'): void => {
  order.status = status
  release(order)
}

const canPayBack = ({ dispute }: Payment): boolean => dispute === undefined || dispute.state === 'won'

const payBack = (order: Order, parts: readonly { readonly line: Line; readonly amount: number }[]): Outcome => {
  let due = sum(parts.map(({ amount }) => amount))
  if (due > sum(order.payments.map(computeLeft))) return 'More than is left would be refunded.'
  for (const payment of order.payments.toReversed()) {
    const part = Math.min(due, computeLeft(payment))
    payment.back += part
    due -= part
  }
  for (const { line, amount } of parts) {
    line.refunded += amount
    if (computeRest(line) === 0) endLines([line])
  }
  const isAll = order.lines.every(line => computeRest(line) === 0)
  if (isAll && order.use === 'taken' && order.code !== undefined && codes[order.code].returns) order.use = 'returned'
  return undefined
}

const giveLine = (world: World, order: Order, line: Line): void => {
  if (line.isEnded) return
  const hasSeat = line.item !== 'capped' || line.isReserved || seated(world, order.buyer).size < SEATS
  if (hasSeat) line.isGiven = true
}

const complete = (world: World, order: Order): void => {
  if (order.use === 'returned')
    order.use = order.code !== undefined && hasUse(world, order.code, order.buyer) ? 'taken' : 'returned'
  else if (order.use === 'held') order.use = 'taken'
  order.holds = order.holds.filter(hold => hold !== 'undone')
  const mayGive = order.use !== 'returned'
  for (const line of order.lines) if (!line.isGiven && mayGive) giveLine(world, order, line)
  for (const line of order.lines) line.isReserved = false
  order.status = 'paid'
  cancelPayments(order)
  const owed = order.lines.filter(line => (!line.isGiven || line.isEnded) && computeRest(line) > 0)
  if (owed.length > 0)
    payBack(
      order,
      owed.map(line => ({ line, amount: computeRest(line) })),
    )
}

/** What more money means to an order. */
const receive = (world: World, order: Order, payment: Payment): void => {
  if (order.status !== 'paid' && computePaid(order) >= order.total) complete(world, order)
  const over = Math.min(computePaid(order) - order.total - order.overpaidBack, payment.arrived, computeLeft(payment))
  if (over <= 0 || !canPayBack(payment)) return
  payment.back += over
  order.overpaidBack += over
}

const isUnderWay = (order: Order, { state }: Payment): boolean =>
  order.status === 'processing' ? state === 'processing' : state === 'open' || state === 'processing'

const fail = (order: Order, payment: Payment): void => {
  payment.state = 'failed'
  if (isWaiting(order) && !order.payments.some(one => one !== payment && isUnderWay(order, one))) end(order, 'failed')
}

const arrive = (world: World, order: Order, payment: Payment, times = 1): void => {
  Object.assign(payment, { state: 'succeeded', page: 'succeeded', isWanted: true, arrivesAt: undefined })
  payment.arrived += times * payment.amount
  receive(world, order, payment)
}

/** Asks for a payment, by transfer or on a page of the provider, which is opened for so many minutes at most. */
export const ask = (
  world: World,
  order: Order,
  { provider, minutes }: { readonly provider: Payment['provider']; readonly minutes: number },
): Outcome => {
  const { now } = world
  if (order.status !== 'pending' && order.status !== 'failed') return 'invalid_state'
  const isAgain = order.status === 'failed'
  if (isAgain) {
    const pending = world.orders.filter(one => one.buyer === order.buyer && one.status === 'pending')
    if (pending.filter(({ expiresAt }) => expiresAt > now).length >= 3) return 'too_many_pending_orders'
    if (order.code !== undefined && order.use === 'returned' && !hasUse(world, order.code, order.buyer))
      return 'code_refused'
    const seat = order.lines.find(({ item }) => item === 'capped')
    if (seat !== undefined && seated(world, order.buyer).size >= SEATS) return 'sold_out'
    if (order.use === 'returned') order.use = 'held'
    order.status = 'pending'
  }
  for (const line of order.lines) line.isReserved = line.item === 'capped'
  const most = isAgain ? now + 31 * MINUTE : order.placedAt + 90 * MINUTE
  const before = isAgain ? now : order.expiresAt
  const page = Math.max(before, Math.min(now + 31 * MINUTE, most))
  const transfer = isAgain ? now + 3 * DAY : Math.max(before, Math.min(now, order.placedAt + 90 * MINUTE) + 3 * DAY)
  order.expiresAt = provider === 'manual' ? transfer : page
  const open = order.payments.find(
    one =>
      one.provider === provider && one.state === 'open' && one.isWanted && (provider === 'manual' || one.endsAt > now),
  )
  if (open !== undefined) return undefined
  cancelPayments(order)
  order.payments.push({
    ...{ provider, amount: order.total, state: 'open', page: 'open', isLate: false, isWanted: true },
    ...{
      endsAt: Math.min(order.expiresAt - MINUTE, now + minutes * MINUTE),
      arrived: 0,
      back: 0,
      arrivesAt: undefined,
      receipts: [],
      dispute: undefined,
    },
  })
  return undefined
}

/** What buyers and banks do on the page of a payment. */
export const pageActions = [
  'pay',
  'pay_twice',
  'decline',
  'decline_finally',
  'take_long',
  'complete',
  'fail',
  'pay_late',
  'dispute',
  'win_dispute',
  'lose_dispute',
] as const
export type PageAction = (typeof pageActions)[number]

/** Whether the page has a button. A second dispute of one payment is left out. */
export const canPress = (
  { now }: World,
  { page, endsAt, dispute, arrived, amount, isWanted }: Payment,
  action: PageAction,
): boolean => {
  if (page === 'open')
    return (
      endsAt > now &&
      isWanted &&
      ['pay', 'pay_twice', 'decline', 'decline_finally', 'take_long', 'pay_late'].includes(action)
    )
  if (page === 'processing') return action === 'complete' || action === 'fail'
  if (page !== 'succeeded') return false
  if (dispute?.state === 'open') return action === 'win_dispute' || action === 'lose_dispute'
  return action === 'dispute' ? dispute === undefined : action === 'pay_twice' && arrived === amount
}

/** Presses a button that is there. */
export const press = (world: World, order: Order, payment: Payment, action: PageAction): Outcome => {
  if (action === 'pay' || action === 'complete') arrive(world, order, payment)
  if (action === 'pay_twice') arrive(world, order, payment, payment.page === 'succeeded' ? 1 : 2)
  if (action === 'decline_finally' || action === 'fail') {
    payment.page = 'failed'
    if (!payment.isLate) payment.arrivesAt = undefined
    fail(order, payment)
  }
  if (action === 'take_long') {
    Object.assign(payment, { page: 'processing', state: 'processing', arrivesAt: world.now + MINUTE })
    if (order.status === 'pending') order.status = 'processing'
  }
  if (action === 'pay_late') Object.assign(payment, { isLate: true, arrivesAt: payment.endsAt + MINUTE })
  if (action === 'dispute') {
    payment.dispute = { state: 'open', amount: payment.arrived }
    if (order.lines.some(({ isGiven, isEnded }) => isGiven && !isEnded)) order.holds.push('dispute')
  }
  if (action === 'win_dispute' && payment.dispute !== undefined) {
    payment.dispute.state = 'won'
    order.holds = order.holds.filter(hold => hold !== 'dispute')
  }
  if (action === 'lose_dispute' && payment.dispute !== undefined) {
    payment.dispute.state = 'lost'
    endLines(order.lines)
    order.holds = []
  }
  return undefined
}

/** Staff confirm that an amount arrived by transfer. */
export const confirm = (world: World, order: Order, amount: number): Outcome => {
  let payment = order.payments.findLast(({ provider }) => provider === 'manual')
  if (payment === undefined) {
    payment = {
      ...{ provider: 'manual', amount: order.total, state: 'open', page: 'open', isLate: false, isWanted: true },
      ...{ endsAt: 0, arrived: 0, back: 0, arrivesAt: undefined, receipts: [], dispute: undefined },
    }
    order.payments.push(payment)
  }
  payment.receipts.push({ amount, at: world.now })
  payment.arrived += amount
  if (payment.arrived >= payment.amount) Object.assign(payment, { state: 'succeeded', isWanted: true })
  receive(world, order, payment)
  return undefined
}

/** Staff undo the latest confirmation. */
export const undo = (world: World, order: Order): Outcome => {
  const last = order.payments
    .flatMap(payment => payment.receipts.map(receipt => ({ payment, receipt })))
    .toSorted((one, other) => one.receipt.at - other.receipt.at)
    .at(-1)
  if (last === undefined) return 'No transfer of the order was confirmed.'
  const { payment, receipt } = last
  if (world.now - receipt.at > DAY) return 'A confirmation can be undone within a day. Refund the payment instead.'
  if (payment.back > 0) return 'A part of the payment was refunded, so its confirmation cannot be undone.'
  payment.receipts.splice(payment.receipts.indexOf(receipt), 1)
  payment.arrived -= receipt.amount
  if (payment.state === 'succeeded' && payment.arrived < payment.amount) payment.state = 'open'
  if (order.status !== 'paid' || computePaid(order) >= order.total) return undefined
  order.status = 'pending'
  order.expiresAt = world.now + 3 * DAY
  if (order.lines.some(({ isGiven, isEnded }) => isGiven && !isEnded)) order.holds.push('undone')
  return undefined
}

/** The buyer cancels. */
export const cancel = (_: World, order: Order): Outcome => {
  if (order.status === 'canceled') return undefined
  if (order.status !== 'pending') return 'invalid_state'
  end(order, 'canceled')
  return undefined
}

/** Staff refund all that is left, or a part of a line. */
export const refund = (_: World, order: Order, part?: { readonly line: number; readonly amount: number }): Outcome => {
  if (order.status !== 'paid') return `The order is ${order.status} and not paid.`
  const line = order.lines[part?.line ?? -1]
  if (part !== undefined && line !== undefined) {
    if (part.amount > computeRest(line)) return 'More than is left would be refunded.'
    return payBack(order, [{ line, amount: part.amount }])
  }
  const rest = order.lines.filter(one => computeRest(one) > 0).map(one => ({ line: one, amount: computeRest(one) }))
  return rest.length === 0 ? 'Nothing is left to refund.' : payBack(order, rest)
}

type Due = { readonly at: number; happen(): void }

const buildDue = (world: World, order: Order): Due[] => [
  ...(order.status === 'pending' ? [{ at: order.expiresAt, happen: () => end(order, 'expired') }] : []),
  ...order.payments.flatMap(payment =>
    payment.arrivesAt === undefined ? [] : [{ at: payment.arrivesAt, happen: () => arrive(world, order, payment) }],
  ),
]

/** What happens next by the clock alone. */
export const nextDue = (world: World): Due | undefined =>
  world.orders.flatMap(order => buildDue(world, order)).toSorted((one, other) => one.at - other.at)[0]

/** Lets time pass until an instant. */
export const advance = (world: World, until: number): void => {
  for (let due = nextDue(world); due !== undefined && due.at <= until; due = nextDue(world)) {
    world.now = Math.max(world.now, due.at)
    due.happen()
  }
  world.now = Math.max(world.now, until)
}

/** The status that is shown. */
export const shownStatus = ({ status, lines }: Order): string => {
  if (status !== 'paid' || lines.every(({ refunded }) => refunded === 0)) return status
  return lines.every(line => computeRest(line) === 0) ? 'refunded' : 'partially_refunded'
}
