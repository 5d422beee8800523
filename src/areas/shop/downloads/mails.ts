import { accountButton, mailKinds, productsUpdated } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.shop.downloads.mails

const downloads = accountButton(texts.contract.mail.buttons.files, '/downloads')

/** The mails about digital products. */
export const productMails = mailKinds({
  product_given: {
    subject: words.productMails.productGiven.subject,
    paragraphs: [words.productMails.productGiven.paragraphs.schoolHasGivenYouProduct, downloads],
  },
  product_file_replaced: {
    subject: words.productMails.productFileReplaced.subject,
    paragraphs: [words.productMails.productFileReplaced.paragraphs.schoolHasReplacedFilesOf, downloads],
    mute: productsUpdated,
  },
})
