import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.moving.imports.mails

/** The mails to whoever started an import. */
export const importMails = mailKinds({
  import_completed: {
    subject: words.ended.subject,
    paragraphs: [words.ended.paragraphs.counts, words.ended.paragraphs.undo, linkButton(words.button)],
  },
  import_stopped: {
    subject: words.stopped.subject,
    paragraphs: [words.stopped.paragraphs.why, linkButton(words.button)],
  },
  import_undone: {
    subject: words.undone.subject,
    paragraphs: [words.undone.paragraphs.report, linkButton(words.button)],
  },
})
