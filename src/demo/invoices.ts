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

/**
 * Issues an invoice to Dev for two courses, and a credit note for one of them. The worker prints them where there is a store
 * of files. Does nothing if he does not exist or the school has invoices.
 */
export const createDemoInvoices = (database: Database, schoolId: string, isPrinted: boolean): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const memberId = await findMemberId(db, schoolId, 'dev@crumb.example')
    if (memberId === undefined || (await hasInvoices(db, schoolId))) return false
    const where = { db, school: await getSchool(db, schoolId), now }
    const [first, second] = [lineOf(now, 'Sourdough from scratch', 4900), lineOf(now, 'Baking with rye', 2900)]
    const invoice = await issueInvoice(where, {
      orderId: newUuid(now.getTime()),
      orderNumber: 'ORD-1',
      memberId,
      currency: 'EUR',
      tax: { mode: 'inclusive', country: 'PT', reverseCharge: false },
      lines: [first, second],
      buyer: {
        name: 'Dev Patel',
        company: null,
        address: { line1: 'Travessa da Farinha 8', postal_code: '1100-255', city: 'Lisboa' },
        country: 'PT',
        tax_id: null,
      },
      payment: { provider: 'test', brand: null, last4: null, paidAt: now },
      isTest: true,
    })
    const credit = await issueCreditNote(where, {
      invoiceId: invoice.id,
      lines: [{ lineId: second.lineId, quantity: 1, amount: second.amount, taxAmount: second.taxAmount }],
      reason: 'requested',
    })
    if (!isPrinted) for (const { id } of [invoice, credit]) await skipPrinting(db, schoolId, id)
    return true
  })
