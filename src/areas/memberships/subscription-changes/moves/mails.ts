import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.memberships.subscriptionChanges.moves.mails
const { buttons } = texts.contract.mail

/** The announcement of a new price to those who hold the old one, which nobody can turn off. */
export const moveMails = mailKinds({
  price_move: {
    subject: words.moveMails.priceMove.subject,
    paragraphs: [
      words.moveMails.priceMove.paragraphs.schoolChangesThePriceOf,
      words.moveMails.priceMove.paragraphs.youNeedNotDoAnything,
      linkButton(buttons.subscription),
    ],
  },
})
