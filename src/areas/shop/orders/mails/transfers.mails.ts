import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.shop.orderMails.transfers.mails
const { buttons } = texts.contract.mail

const details = { rows: 'details', columns: [{}, {}] } as const
const notes = { rows: 'notes', columns: [{}] } as const
const reference = texts.shop.orderMails.transfers.mails.reference

/** The mails to buyers who pay by bank transfer or in person, which nobody can turn off. */
export const transferMails = mailKinds({
  transfer_instructions: {
    subject: words.transferMails.transferInstructions.subject,
    paragraphs: [
      words.transferMails.transferInstructions.paragraphs.thankYouForYourOrder,
      details,
      notes,
      reference,
      linkButton(buttons.order),
    ],
  },
  transfer_reminder: {
    subject: words.transferMails.transferReminder.subject,
    paragraphs: [
      words.transferMails.transferReminder.paragraphs.schoolHasNotReceivedAmount,
      details,
      notes,
      reference,
      linkButton(buttons.order),
    ],
  },
  transfer_in_part: {
    subject: words.transferMails.transferInPart.subject,
    paragraphs: [
      words.transferMails.transferInPart.paragraphs.schoolHasReceivedReceivedOf,
      details,
      notes,
      reference,
      linkButton(buttons.order),
    ],
  },
})
