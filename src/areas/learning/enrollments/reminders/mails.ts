import { link, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.learning.enrollments.reminders.mails

/** The mails about enrollments. */
export const enrollmentMails = mailKinds({
  enrolled: {
    subject: words.enrollmentMails.enrolled.subject,
    paragraphs: [
      words.enrollmentMails.enrolled.paragraphs.schoolHasEnrolledYouIn,
      words.enrollmentMails.enrolled.paragraphs.startHere,
      link,
    ],
  },
  access_ending: {
    subject: words.enrollmentMails.accessEnding.subject,
    paragraphs: [
      words.enrollmentMails.accessEnding.paragraphs.yourAccessToTheCourse,
      words.enrollmentMails.accessEnding.paragraphs.youCanContinueHereUntil,
      link,
    ],
  },
})
