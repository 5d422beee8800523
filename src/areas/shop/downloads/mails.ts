import { mailKinds, productsUpdated } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.shop.downloads.mails

const downloads = texts.shop.downloads.mails.downloads

/** The mails about digital products. */
export const productMails = mailKinds({
  product_given: {
    subject: words.productMails.productGiven.subject,
    paragraphs: [
      words.productMails.productGiven.paragraphs.schoolHasGivenYouProduct,
      words.productMails.productGiven.paragraphs.youCanDownloadItsFiles,
      downloads,
    ],
  },
  product_file_replaced: {
    subject: words.productMails.productFileReplaced.subject,
    paragraphs: [
      words.productMails.productFileReplaced.paragraphs.schoolHasReplacedFilesOf,
      words.productMails.productFileReplaced.paragraphs.youCanDownloadThemIn,
      downloads,
      words.productMails.productFileReplaced.paragraphs.doNotWantTheseMails,
    ],
    mute: productsUpdated,
  },
})
