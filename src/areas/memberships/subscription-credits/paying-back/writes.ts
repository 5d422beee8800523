import { getSelling, type SellingValues } from '#src/areas/school/index.ts'
import { beginRefund, leftOfPayments, listLines, lockOrder, type OrderRow, readMoney } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { buildFactAbout, type Effects, type Fact } from '#src/contract/fact.ts'
import { fillEach, formatMoneyInEach, joinPhrases, type Phrase } from '#src/contract/language.ts'
import { toId } from '#src/kit/ids.ts'
import { computeSum } from '#src/kit/money.ts'
import { texts } from '#src/texts/index.ts'
import { addEntries, type NewEntry, readCredit } from '../ledger/queries.ts'
import { type CreditedLine, listCreditedLines } from './queries.ts'
import { computeMoneyBack, computeStanding } from './rules.ts'

const text = texts.memberships.subscriptionCredits.payingBack.writes

/** What may become of a credit. */
export const creditEnds = ['pay_back', 'wait', 'drop'] as const

// A locked subscription with a credit in its currency, and what becomes of that; null is as the school says.
type Ending = {
  readonly id: string
  readonly member_id: string
  readonly price: { readonly currency: string } | null
  readonly credit_on_end: (typeof creditEnds)[number] | null
}

// What goes back besides the credit: the money for the rest of a period.
type OwnRefund = { readonly orderId: string; readonly lineId: string; readonly amount: number }

const NOTHING_OWN: readonly OwnRefund[] = []

type Sums = {
  /** What leaves the credit, and the part of that which paid for the rest of the period that ran. */
  readonly credit: number
  readonly ofPeriod: number
  /** What staff transfer, since no payment can pay it back. */
  readonly transfer: number
  readonly numbers: readonly string[]
}

const money = (amount: number, { price }: Ending): Phrase => formatMoneyInEach(amount, price?.currency ?? 'EUR')

const creditOnly = ({ credit, ofPeriod }: Sums, of: Ending): Phrase => {
  const sums = { credit: money(credit - ofPeriod, of), period: money(ofPeriod, of) }
  return fillEach(ofPeriod === 0 ? text.effectsOf.credit : text.effectsOf.periodAndCredit, sums)
}

const buildEffects = (sums: Sums, of: Ending): Effects => {
  const { transfer, numbers } = sums
  const { paidBack, paidBackWith, transferred, mail } = text.effectsOf
  const orders = numbers.join(', ')
  const back = fillEach(orders === '' ? paidBack : paidBackWith, { what: creditOnly(sums, of), orders })
  const own = fillEach(transferred, { sum: money(transfer, of) })
  return { money: transfer === 0 ? back : joinPhrases(back, own), mail }
}

const buildFact = (of: Ending, verb: 'paid_back' | 'dropped' | 'waits', more: object, effects?: Effects): Fact =>
  buildFactAbout(
    `subscription.credit_${verb}`,
    toId('sub', of.id),
    { member_id: toId('mem', of.member_id), ...more },
    effects,
  )

// All are locked in one order before the numbers of credit notes are taken.
const lockAll = async (
  { db, school }: TransactionContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OrderRow>> => {
  const orders = new Map<string, OrderRow>()
  for (const ref of [...new Set(ids)].toSorted()) {
    const order = await lockOrder(db, school.id, { ref })
    if (order !== undefined) orders.set(ref, order)
  }
  return orders
}

// How much of an order its payments can pay back; undefined while the bank of the buyer decides about one of them.
const payableBack = async (context: TransactionContext, order: OrderRow | undefined): Promise<number | undefined> => {
  if (order?.status !== 'paid') return 0
  const rows = await readMoney(context, order.id)
  if (rows.disputes.some(({ state }) => state === 'open')) return undefined
  return computeSum(leftOfPayments(rows, order.currency).map(({ left }) => left))
}

type Piece = {
  readonly line: CreditedLine
  readonly credit: number
  readonly amount: number
  readonly transfer: number
}

const choosePieces = async (
  context: TransactionContext,
  { id }: Ending,
  orders: ReadonlyMap<string, OrderRow>,
  wanted: number,
): Promise<{ readonly pieces: readonly Piece[]; readonly transfer: number }> => {
  const { db, school } = context
  const credit = await readCredit(db, school.id, id)
  const pieces: Piece[] = []
  let left = Math.min(wanted, credit)
  let unknown = credit
  for (const { line, standing } of computeStanding(await listCreditedLines(db, school.id, id), credit)) {
    unknown -= standing
    const part = Math.min(left, standing)
    const payable = part === 0 ? 0 : await payableBack(context, orders.get(line.order_id))
    // What the bank decides about waits.
    if (payable === undefined || part === 0) continue
    const back = computeMoneyBack(line, part)
    const amount = Math.min(back, payable)
    pieces.push({ line, credit: part, amount, transfer: back === 0 ? part : back - amount })
    left -= part
  }
  return { pieces, transfer: Math.min(left, unknown) }
}

const refund = async (
  context: TransactionContext,
  order: OrderRow | undefined,
  amount: number,
): Promise<readonly Fact[]> => {
  if (order === undefined || amount === 0) return []
  const [line] = await listLines(context.db, context.school.id, [order.id])
  if (line === undefined) throw new Error('an order of a subscription has a line')
  const part = { line, quantity: 0, amount, endsAccess: false }
  return (await beginRefund(context, order, { parts: [part], reason: 'requested' })).facts
}

/**
 * Pays back the credit of a locked subscription, or a part of it: with the orders whose money it is, the one that was credited
 * last first. What no payment can pay back is a transfer by staff; what a bank still decides about stays. `own` goes back besides,
 * and `ofPeriod` is the part of the credit that had paid for the rest of a period. Call it last. Returns the facts.
 */
export const payBack = async (
  context: TransactionContext,
  of: Ending,
  { amount = Number.MAX_SAFE_INTEGER, own = NOTHING_OWN, ofPeriod = 0 }: PayingBack = {},
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const lines = await listCreditedLines(db, school.id, of.id)
  const orders = await lockAll(context, [...lines.map(({ order_id: id }) => id), ...own.map(({ orderId }) => orderId)])
  const { pieces, transfer } = await choosePieces(context, of, orders, amount)
  const entries: NewEntry[] = [
    ...pieces.map(({ line, credit }) => ({ kind: 'paid_back' as const, amount: -credit, from_line_id: line.line_id })),
    ...(transfer === 0 ? [] : [{ kind: 'paid_back' as const, amount: -transfer }]),
  ]
  if (entries.length > 0) await addEntries(db, school.id, of.id, entries, now)
  const facts: Fact[] = []
  for (const one of own) facts.push(...(await refund(context, orders.get(one.orderId), one.amount)))
  for (const piece of pieces) facts.push(...(await refund(context, orders.get(piece.line.order_id), piece.amount)))
  if (entries.length === 0) return facts
  const sums: Sums = {
    credit: computeSum(entries.map(entry => -entry.amount)),
    ofPeriod,
    transfer: transfer + computeSum(pieces.map(piece => piece.transfer)),
    numbers: pieces.filter(piece => piece.amount > 0).map(({ line }) => line.number),
  }
  const payload = { amount: sums.credit, transfer: sums.transfer }
  return [buildFact(of, 'paid_back', payload, buildEffects(sums, of)), ...facts]
}

type PayingBack = {
  readonly amount?: number | undefined
  readonly own?: readonly OwnRefund[]
  readonly ofPeriod?: number
}

/** Drops so much of the credit of a locked subscription that has ended, all that stands; returns the facts. */
export const dropCredit = async (
  { db, school, now }: TransactionContext,
  of: Ending,
  credit: number,
): Promise<readonly Fact[]> => {
  await addEntries(db, school.id, of.id, [{ kind: 'dropped', amount: -credit }], now)
  const effects: Effects = {
    money: fillEach(text.dropCredit.money, { sum: money(credit, of) }),
    mail: text.dropCredit.mail,
  }
  return [buildFact(of, 'dropped', { amount: credit }, effects)]
}

const wait = (of: Ending, credit: number): readonly Fact[] => [
  buildFact(of, 'waits', { amount: credit }, { money: fillEach(text.wait, { sum: money(credit, of) }) }),
]

/** What becomes of the credit of a subscription when it ends: what was chosen, or what the school says for all. */
export const chooseCreditEnd = (
  { credit_on_end: chosen }: Pick<Ending, 'credit_on_end'>,
  { subscriptions }: Pick<SellingValues, 'subscriptions'>,
): (typeof creditEnds)[number] => chosen ?? (subscriptions.credit_on_end === 'pay_back' ? 'pay_back' : 'wait')

/**
 * Does with the credit of a locked subscription that has ended what was chosen, or what the school says for all: it is paid back,
 * waits, or is dropped. Call it last. Returns the facts.
 */
export const endCredit = async (
  context: TransactionContext,
  of: Ending,
  more: PayingBack = {},
): Promise<readonly Fact[]> => {
  const { db, school } = context
  const { subscriptions } = await getSelling(db, school.id)
  const choice = chooseCreditEnd(of, { subscriptions })
  const facts =
    choice === 'pay_back' ? await payBack(context, of, more) : await payBack(context, of, { ...more, amount: 0 })
  const credit = await readCredit(db, school.id, of.id)
  if (credit === 0) return facts
  return [...facts, ...(choice === 'drop' ? await dropCredit(context, of, credit) : wait(of, credit))]
}
