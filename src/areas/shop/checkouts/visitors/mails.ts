import { linkButton, mailKinds, smallPrint } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.shop.checkouts.visitors.mails

/** The mail of a checkout to an address that has an account, which nobody can turn off. */
export const checkoutMails = mailKinds({
  checkout_sign_in: {
    subject: words.checkoutMails.checkoutSignIn.subject,
    paragraphs: [
      words.checkoutMails.checkoutSignIn.paragraphs.someoneProbablyYouIsBuying,
      linkButton(texts.contract.mail.buttons.purchase),
      words.checkoutMails.checkoutSignIn.paragraphs.theLinkIsValidFor,
      smallPrint(words.checkoutMails.checkoutSignIn.paragraphs.ifThisWasNotYou),
    ],
  },
})
