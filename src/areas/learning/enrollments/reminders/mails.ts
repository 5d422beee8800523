import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.learning.enrollments.reminders.mails

/** The mails about enrollments. */
export const enrollmentMails = mailKinds({
  enrolled: {
    subject: words.enrollmentMails.enrolled.subject,
    paragraphs: [
      words.enrollmentMails.enrolled.paragraphs.schoolHasEnrolledYouIn,
      linkButton(texts.contract.mail.buttons.startCourse),
    ],
  },
  access_ending: {
    subject: words.enrollmentMails.accessEnding.subject,
    paragraphs: [
      words.enrollmentMails.accessEnding.paragraphs.yourAccessToTheCourse,
      words.enrollmentMails.accessEnding.paragraphs.youCanContinueHereUntil,
      linkButton(texts.contract.mail.buttons.continueCourse),
    ],
  },
})
