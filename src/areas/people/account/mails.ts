import { accountButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.people.account.mails
const { buttons } = texts.contract.mail

/** The mails about the data and the deletion of an account. */
export const accountMails = mailKinds({
  export_ready: {
    subject: words.accountMails.exportReady.subject,
    paragraphs: [
      words.accountMails.exportReady.paragraphs.youRequestedACopyOf,
      words.accountMails.exportReady.paragraphs.ifYouDidNotRequest,
      accountButton(buttons.apps, '/apps'),
    ],
  },
  deletion_begun: {
    subject: words.accountMails.deletionBegun.subject,
    paragraphs: [
      words.accountMails.deletionBegun.paragraphs.asYouRequestedYourAccount,
      words.accountMails.deletionBegun.paragraphs.ifYouChangeYourMind,
      accountButton(buttons.account),
    ],
  },
  account_deleted: {
    subject: words.accountMails.accountDeleted.subject,
    paragraphs: [
      words.accountMails.accountDeleted.paragraphs.asYouRequestedYourAccount,
      words.accountMails.accountDeleted.paragraphs.thisIsTheLastE,
    ],
  },
})
