import { issueCreditNote, issueInvoice, skipPrinting } from '#src/areas/invoices/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { includedTax, parsePercent } from '#src/kit/money.ts'
import { findMemberId, hasInvoices } from './queries.ts'

const RATE = '23'

const lineOf = (now: Date, name: string, amount: number) => ({
  lineId: newUuid(now.getTime()),
  name,
  quantity: 1,
  unitAmount: amount,
  discountAmount: 0,
  taxPercent: RATE,
  taxName: 'IVA',
  taxAmount: includedTax(amount, parsePercent(RATE) ?? 0).tax,
  amount,
})

// Undefined if Dev does not exist or the school has invoices.
const issueFirst = (database: Database, schoolId: string) =>
  database.transaction(schoolId, async (db, now) => {
    const memberId = await findMemberId(db, schoolId, 'dev@crumb.example')
    if (memberId === undefined || (await hasInvoices(db, schoolId))) return undefined
    const lines = [lineOf(now, 'Sourdough from scratch', 4900), lineOf(now, 'Baking with rye', 2900)]
    const { id } = await issueInvoice(
      { db, school: await getSchool(db, schoolId), now },
      {
        orderId: newUuid(now.getTime()),
        orderNumber: 'ORD-1',
        memberId,
        currency: 'EUR',
        tax: { mode: 'inclusive', country: 'PT', reverseCharge: false },
        lines,
        buyer: {
          name: 'Dev Patel',
          company: null,
          address: { line1: 'Travessa da Farinha 8', postal_code: '1100-255', city: 'Lisboa' },
          country: 'PT',
          tax_id: null,
        },
        payment: { provider: 'test', brand: null, last4: null, paidAt: now },
        isTest: true,
      },
    )
    return { id, refunded: lines.slice(1) }
  })

/**
 * Issues an invoice to Dev for two courses, and a credit note for one of them. The worker prints them where there is a store
 * of files. Does nothing if he does not exist or the school has invoices.
 */
export const createDemoInvoices = async (database: Database, schoolId: string, isPrinted: boolean): Promise<void> => {
  const invoice = await issueFirst(database, schoolId)
  if (invoice === undefined) return
  await database.transaction(schoolId, async (db, now) => {
    const lines = invoice.refunded.map(({ lineId, amount, taxAmount }) => ({ lineId, quantity: 1, amount, taxAmount }))
    const where = { db, school: await getSchool(db, schoolId), now }
    const note = await issueCreditNote(where, { invoiceId: invoice.id, lines, reason: 'requested' })
    if (!isPrinted) for (const { id } of [invoice, note]) await skipPrinting(db, schoolId, id)
  })
}
