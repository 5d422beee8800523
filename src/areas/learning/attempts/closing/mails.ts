import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

/** The mails about graded attempts. */
export const attemptMails = mailKinds({
  quiz_attempt_graded: {
    subject: texts.learning.attempts.closing.mails.attemptMails.quizAttemptGraded.subject,
    paragraphs: [
      texts.learning.attempts.closing.mails.attemptMails.quizAttemptGraded.paragraphs.yourAnswersInTheQuiz,
      linkButton(texts.contract.mail.buttons.feedback),
    ],
  },
})
