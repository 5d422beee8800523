import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.learning.submissions.mails
const { buttons } = texts.contract.mail

/** The mails about graded and returned work. */
export const submissionMails = mailKinds({
  submission_graded: {
    subject: words.submissionMails.submissionGraded.subject,
    paragraphs: [words.submissionMails.submissionGraded.paragraphs.yourWorkForTheLesson, linkButton(buttons.feedback)],
  },
  submission_returned: {
    subject: words.submissionMails.submissionReturned.subject,
    paragraphs: [
      words.submissionMails.submissionReturned.paragraphs.yourWorkForTheLesson,
      linkButton(buttons.feedback),
    ],
  },
})
