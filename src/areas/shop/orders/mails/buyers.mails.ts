import { link, type MailTable, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.shop.orderMails.buyers.mails

const lines: MailTable = {
  rows: 'lines',
  columns: [words.lines.columns.item, { heading: texts.words.amount, align: 'end' }],
}

const refundedLines: MailTable = { rows: 'lines', columns: [...lines.columns, words.refundedLines.columns.access] }

const yourOrder = texts.shop.orderMails.buyers.mails.yourOrder
const patience = texts.shop.orderMails.buyers.mails.patience

/** The mails to buyers about what became of an order, which nobody can turn off. */
export const buyerMails = mailKinds({
  receipt: {
    subject: words.buyerMails.receipt.subject,
    paragraphs: [words.buyerMails.receipt.paragraphs.thankYouForYourOrder, lines, yourOrder, link],
  },
  receipt_free: {
    subject: words.buyerMails.receiptFree.subject,
    paragraphs: [words.buyerMails.receiptFree.paragraphs.thankYouForYourOrder, lines, yourOrder, link],
  },
  receipt_of_trial: {
    subject: words.buyerMails.receiptOfTrial.subject,
    paragraphs: [words.buyerMails.receiptOfTrial.paragraphs.thankYouForYourOrder, lines, yourOrder, link],
  },
  receipt_of_test: {
    subject: words.buyerMails.receiptOfTest.subject,
    paragraphs: [words.buyerMails.receiptOfTest.paragraphs.testNoMoneyMovedSchool, lines, yourOrder, link],
  },
  order_failed: {
    subject: words.buyerMails.orderFailed.subject,
    paragraphs: [words.buyerMails.orderFailed.paragraphs.thePaymentOfTotalFor, link],
  },
  refund: {
    subject: words.buyerMails.refund.subject,
    paragraphs: [words.buyerMails.refund.paragraphs.schoolHasRefundedAmountOf, refundedLines, patience, link],
  },
  refund_not_given: {
    subject: words.buyerMails.refundNotGiven.subject,
    paragraphs: [words.buyerMails.refundNotGiven.paragraphs.whenYourPaymentOfOrder, lines, patience, link],
  },
  refund_overpaid: {
    subject: words.buyerMails.refundOverpaid.subject,
    paragraphs: [words.buyerMails.refundOverpaid.paragraphs.youPaidMoreThanThe, patience, link],
  },
  invoice: {
    subject: words.buyerMails.invoice.subject,
    paragraphs: [words.buyerMails.invoice.paragraphs.invoiceDocumentForYourOrder, link],
  },
  credit_note: {
    subject: words.buyerMails.creditNote.subject,
    paragraphs: [words.buyerMails.creditNote.paragraphs.creditNoteDocumentForYour, link],
  },
})
