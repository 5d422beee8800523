import { mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.learning.enrollments.reminders.mails

// The address of the course on the learning pages.
const link = texts.learning.enrollments.reminders.mails.link

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
