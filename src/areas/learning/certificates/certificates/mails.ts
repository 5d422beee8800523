import { mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const link = texts.learning.certificates.mails.link

/** The mails about certificates. */
export const certificateMails = mailKinds({
  certificate: {
    subject: texts.learning.certificates.mails.certificateMails.certificate.subject,
    paragraphs: [
      texts.learning.certificates.mails.certificateMails.certificate.paragraphs.wellDoneSchoolHasIssued,
      link,
      texts.learning.certificates.mails.certificateMails.certificate.paragraphs.anyoneWithThisAddressCan,
    ],
  },
})
