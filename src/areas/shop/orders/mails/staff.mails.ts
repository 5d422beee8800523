import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.shop.orderMails.staff.mails
const { buttons } = texts.contract.mail

const lines = { rows: 'lines', columns: [{}, { align: 'end' }] } as const

/** The mails to owners and admins about money that needs somebody. Nobody can turn them off, since each may cost money. */
export const staffMails = mailKinds({
  dispute_opened: {
    subject: words.staffMails.disputeOpened.subject,
    paragraphs: [words.staffMails.disputeOpened.paragraphs.theBuyersBankDisputesAmount, linkButton(buttons.order)],
  },
  dispute_lost: {
    subject: words.staffMails.disputeLost.subject,
    paragraphs: [words.staffMails.disputeLost.paragraphs.theBankHasDecidedThe, linkButton(buttons.order)],
  },
  refund_failed: {
    subject: words.staffMails.refundFailed.subject,
    paragraphs: [words.staffMails.refundFailed.paragraphs.theRefundOfAmountFor, linkButton(buttons.order)],
  },
  refund_by_hand: {
    subject: words.staffMails.refundByHand.subject,
    paragraphs: [words.staffMails.refundByHand.paragraphs.theProviderWasRemoved, linkButton(buttons.order)],
  },
  order_partly_paid: {
    subject: words.staffMails.orderPartlyPaid.subject,
    paragraphs: [words.staffMails.orderPartlyPaid.paragraphs.moneyForOrderNumberArrived, linkButton(buttons.order)],
  },
  order_not_given: {
    subject: words.staffMails.orderNotGiven.subject,
    paragraphs: [words.staffMails.orderNotGiven.paragraphs.orderNumberWasPaidAfter, lines, linkButton(buttons.order)],
  },
  provider_missing: {
    subject: words.staffMails.providerMissing.subject,
    paragraphs: [words.staffMails.providerMissing.paragraphs.theCheckOfProviderFound, linkButton(buttons.provider)],
  },
  provider_failed: {
    subject: words.staffMails.providerFailed.subject,
    paragraphs: [
      words.staffMails.providerFailed.paragraphs.thePaymentProviderProviderHas,
      linkButton(buttons.provider),
    ],
  },
})
