import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

/** The mail to the members whom a form names, at most once an hour; it has no answers in it. */
export const formMails = mailKinds({
  form_submissions: {
    subject: texts.publishing.formSubmissions.digest.mails.formMails.formSubmissions.subject,
    paragraphs: [
      texts.publishing.formSubmissions.digest.mails.formMails.formSubmissions.paragraphs.theFormTitleOfSchool,
      linkButton(texts.contract.mail.buttons.submissions),
    ],
  },
})
