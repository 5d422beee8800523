import { lessonsOpened, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const account = texts.learning.progress.notices.mails.account
// The address of the course on the learning pages.
const link = texts.learning.progress.notices.mails.link

/** The mails about lessons that became available. */
export const noticeMails = mailKinds({
  lesson_opened: {
    mute: lessonsOpened,
    subject: texts.learning.progress.notices.mails.noticeMails.lessonOpened.subject,
    paragraphs: [
      texts.learning.progress.notices.mails.noticeMails.lessonOpened.paragraphs.youCanStartLessons,
      link,
      texts.learning.progress.notices.mails.noticeMails.lessonOpened.paragraphs.youTurnedOnTheseE,
      account,
    ],
  },
})
