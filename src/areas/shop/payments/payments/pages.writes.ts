import { findMember } from '#src/areas/people/index.ts'
import { buildWebhookUrl, providerUnavailable, type TransferInstructions } from '#src/areas/school/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { isOnline } from '#src/contract/payment-providers.ts'
import type { BegunPage, Payer, Provider } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { orderPayer } from '../hooks.ts'
import { insertReferences } from '../references/queries.ts'
import { noteCallEnd } from '../upkeep/outages.writes.ts'
import { lookUp, settleAnswer } from './asking.writes.ts'
import { awaitAnswer, findKeysLast, findPaymentProvider, getUsable, type PaymentParts } from './lookups.ts'
import {
  findPayment,
  noteCall,
  type PageRequest,
  type PaymentOwner,
  type StoredPayment,
  storePage,
  takeLooks,
} from './queries.ts'
import { mayCall, providerNotUsable } from './rules.ts'
import { lockPayment } from './settling.writes.ts'
import { ENDING_JOB } from './writes.ts'

/** A payment that a buyer begins, and until when its page may be open. */
type BeginRequest = PageRequest & { readonly paymentId: string; readonly endsAt: Date }

/** Where the buyer goes next: to the page of the provider, or nowhere, with what to transfer. */
export type BegunPayment =
  | { readonly redirect: string; readonly endsAt: Date }
  | { readonly instructions: TransferInstructions | null; readonly reference: string }

const notOpen = (row: StoredPayment): Refusal =>
  new Refusal(invalidState, `The payment is ${row.ending_at === null ? row.state : 'being canceled'}; begin a new one.`)

const openPage = (row: StoredPayment, now: Date): BegunPayment | undefined =>
  row.page_url === null || row.page_ends_at === null || row.page_ends_at <= now
    ? undefined
    : { redirect: row.page_url, endsAt: row.page_ends_at }

// What has ended cannot be begun, and neither can a page that has ended be opened again with its key.
const checkOpen = (row: StoredPayment, now: Date): void => {
  if ((row.state !== 'asked' && row.state !== 'open') || row.ending_at !== null || row.method_ref !== null)
    throw notOpen(row)
  if (row.page_ends_at !== null && row.page_ends_at <= now) throw notOpen(row)
  if (!mayCall(row, findKeysLast(row.provider), now)) throw notOpen(row)
}

const readPayer = async (
  context: TransactionContext,
  { order_id: orderId, member_id }: StoredPayment,
): Promise<Payer> => {
  const { db, school, now } = context
  const [payer] = orderId === null ? [] : await orderPayer.call({ orderId, now }, context)
  if (payer !== undefined) return payer
  const member = await findMember(db, school.id, member_id)
  return { buyer: { email: member?.email ?? '', name: member?.name ?? '', country: null }, delays: 'allowed' }
}

type Prepared = { readonly row: StoredPayment; readonly done: BegunPayment | undefined }

const prepare = ({ database, school }: PaymentParts, { paymentId, endsAt, ...page }: BeginRequest): Promise<Prepared> =>
  database.transaction(school.id, async (db, now) => {
    const row = await lockPayment({ db, school }, paymentId)
    if (row === undefined) throw new Refusal(notFound, 'There is no such payment.')
    checkOpen(row, now)
    if (row.provider === 'manual') {
      const { instructions } = await getUsable({ db, school }, row.provider)
      return { row, done: { instructions, reference: page.reference } }
    }
    const done = openPage(row, now)
    if (done !== undefined) return { row, done }
    // What it is used for may have changed since it was asked.
    if (row.called_at === null) await getUsable({ db, school }, row.provider)
    // Written before the call: whatever happens next, the payment is known to be at the provider perhaps.
    const stored = row.page ?? { ...page, ...(await readPayer({ db, school, now }, row)) }
    return { row: await noteCall(db, school.id, { id: row.id, page: stored, endsAt, now }), done: undefined }
  })

const callBegin = async ({ school }: PaymentParts, provider: Provider, row: StoredPayment) => {
  const { id, member_id, amount, currency, page, called_at: begunAt, page_ends_at: endsAt } = row
  if (page === null || begunAt === null || endsAt === null) throw new Error(`the payment ${id} has no page`)
  try {
    return await awaitAnswer(
      provider.begin({
        paymentId: toId('pay', id),
        memberId: toId('mem', member_id),
        amount,
        currency,
        saves: row.saves,
        ...(row.customer_ref === null ? {} : { customerRef: row.customer_ref }),
        ...page,
        webhookUrl: buildWebhookUrl(school, provider.name),
        begunAt,
        endsAt,
      }),
    )
  } catch (error) {
    const detail = 'The payment provider did not open a page.'
    throw Object.assign(new Refusal(providerUnavailable, detail, { headers: { 'retry-after': '5' } }), { cause: error })
  }
}

const providerFor = async (parts: PaymentParts, id: string): Promise<Provider | undefined> => {
  const { database, school } = parts
  const row = await database.statements(school.id, db => findPayment(db, school.id, id))
  if (row === undefined || !isOnline(row.provider)) return undefined
  const provider = await findPaymentProvider(parts, row)
  if (provider === undefined)
    throw new Refusal(providerNotUsable, `Payments by ${row.provider} are not accepted here any more.`)
  return provider
}

// The order may have ended meanwhile; then the page is ended too, and the buyer is not sent there.
const store = ({ database, school }: PaymentParts, id: string, page: BegunPage): Promise<StoredPayment> =>
  database.transaction(school.id, async (db, now) => {
    const locked = await lockPayment({ db, school }, id)
    if (locked === undefined) throw new Refusal(notFound, 'There is no such payment.')
    const row = await storePage(db, school.id, { id, page, now })
    await insertReferences(db, school.id, row, [page.ref])
    await noteCallEnd({ db, school, now }, id, true)
    if (row.ending_at !== null) await putJob(db, school.id, { kind: ENDING_JOB, id, dueAt: now })
    return row
  })

/**
 * Opens the page on which a buyer pays, outside any transaction: the provider is called between two of its own. Called
 * again, also after a crash or at once, it returns the same page. Refuses with 409 a payment that is over, and with 503 when
 * the provider does not answer.
 */
export const beginPayment = async (parts: PaymentParts, request: BeginRequest): Promise<BegunPayment> => {
  const { school } = parts
  // Before anything is written: without the provider no call is made.
  const provider = await providerFor(parts, request.paymentId)
  const { row, done } = await prepare(parts, request)
  if (done !== undefined) return done
  if (provider === undefined) throw new Error(`there is no provider for the payment ${row.id}`)
  const page = await callBegin(parts, provider, row).catch(async (error: unknown) => {
    await parts.database.transaction(school.id, (db, now) => noteCallEnd({ db, school, now }, row.id, false))
    throw error
  })
  const stored = await store(parts, row.id, page)
  if (stored.ending_at !== null) throw notOpen(stored)
  return { redirect: page.redirect, endsAt: page.expiresAt }
}

const LOOK_SECONDS = 5

/**
 * Asks the providers of an order's payments, or of those that save a method for something, what became of them, each at most once
 * in five seconds, so that a buyer who returns sees it without a webhook. Errors of a provider are left to the worker.
 */
export const refreshPayments = async (parts: PaymentParts, owner: PaymentOwner): Promise<void> => {
  const { database, school } = parts
  const looks = await database.statements(school.id, db => takeLooks(db, school.id, owner, LOOK_SECONDS))
  for (const { id } of looks) {
    const found = await lookUp(parts, id).catch(() => undefined)
    if (found !== undefined)
      await database.transaction(school.id, (db, now) => settleAnswer({ db, school, now }, id, found))
  }
}
