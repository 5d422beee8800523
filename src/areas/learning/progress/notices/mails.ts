import { lessonsOpened, linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

/** The mails about lessons that became available. */
export const noticeMails = mailKinds({
  lesson_opened: {
    mute: lessonsOpened,
    subject: texts.learning.progress.notices.mails.noticeMails.lessonOpened.subject,
    paragraphs: [
      texts.learning.progress.notices.mails.noticeMails.lessonOpened.paragraphs.youCanStartLessons,
      linkButton(texts.contract.mail.buttons.continueCourse),
    ],
  },
})
