import { mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.school.outbox.mails

/** The message by which staff learn whether the mails of the school arrive. */
export const outboxMails = mailKinds({
  mail_test: {
    subject: words.mailTest.subject,
    heading: words.mailTest.heading,
    paragraphs: [words.mailTest.paragraphs.sent, words.mailTest.paragraphs.look],
    isTest: true,
  },
})
