import { inEach } from '#src/contract/language.ts'
import { linkButton, type MailTable, mailKinds, smallPrint } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.shop.orderMails.buyers.mails
const { buttons } = texts.contract.mail

const lines: MailTable = {
  rows: 'lines',
  columns: [words.lines.columns.item, { heading: texts.words.amount, align: 'end' }],
}

const refundedLines: MailTable = { rows: 'lines', columns: [...lines.columns, words.refundedLines.columns.access] }

const patience = texts.shop.orderMails.buyers.mails.patience

// What leads on, what was bought with its sums, and which document is attached. What the button does depends on what was bought.
const bought = [
  linkButton(inEach(() => '{action}')),
  { ...lines, sums: 'sums' },
  { rows: 'notes', columns: [{}] },
] as const

/** The mails to buyers about what became of an order, which nobody can turn off. */
export const buyerMails = mailKinds({
  receipt: {
    subject: words.buyerMails.receipt.subject,
    heading: words.thanks,
    paragraphs: [words.buyerMails.receipt.paragraphs.thankYouForYourOrder, ...bought, smallPrint(words.paid)],
  },
  receipt_free: {
    subject: words.buyerMails.receiptFree.subject,
    heading: words.thanks,
    paragraphs: [words.buyerMails.receiptFree.paragraphs.thankYouForYourOrder, ...bought],
  },
  receipt_of_trial: {
    subject: words.buyerMails.receiptOfTrial.subject,
    paragraphs: [words.buyerMails.receiptOfTrial.paragraphs.thankYouForYourOrder, ...bought],
  },
  receipt_of_test: {
    subject: words.buyerMails.receiptOfTest.subject,
    paragraphs: [words.buyerMails.receiptOfTest.paragraphs.testNoMoneyMovedSchool, ...bought, smallPrint(words.paid)],
  },
  order_failed: {
    subject: words.buyerMails.orderFailed.subject,
    paragraphs: [words.buyerMails.orderFailed.paragraphs.thePaymentOfTotalFor, linkButton(buttons.payAgain)],
  },
  refund: {
    subject: words.buyerMails.refund.subject,
    paragraphs: [
      words.buyerMails.refund.paragraphs.schoolHasRefundedAmountOf,
      refundedLines,
      patience,
      linkButton(buttons.order),
    ],
  },
  refund_not_given: {
    subject: words.buyerMails.refundNotGiven.subject,
    paragraphs: [
      words.buyerMails.refundNotGiven.paragraphs.whenYourPaymentOfOrder,
      lines,
      patience,
      linkButton(buttons.order),
    ],
  },
  refund_overpaid: {
    subject: words.buyerMails.refundOverpaid.subject,
    paragraphs: [words.buyerMails.refundOverpaid.paragraphs.youPaidMoreThanThe, patience, linkButton(buttons.order)],
  },
  invoice: {
    subject: words.buyerMails.invoice.subject,
    paragraphs: [words.buyerMails.invoice.paragraphs.invoiceDocumentForYourOrder, linkButton(buttons.order)],
  },
  credit_note: {
    subject: words.buyerMails.creditNote.subject,
    paragraphs: [words.buyerMails.creditNote.paragraphs.creditNoteDocumentForYour, linkButton(buttons.order)],
  },
})
