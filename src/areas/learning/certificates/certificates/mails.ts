import { linkButton, mailKinds, smallPrint } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

/** The mails about certificates. */
export const certificateMails = mailKinds({
  certificate: {
    subject: texts.learning.certificates.mails.certificateMails.certificate.subject,
    paragraphs: [
      texts.learning.certificates.mails.certificateMails.certificate.paragraphs.wellDoneSchoolHasIssued,
      linkButton(texts.contract.mail.buttons.certificate),
      smallPrint(texts.learning.certificates.mails.certificateMails.certificate.paragraphs.anyoneWithThisAddressCan),
    ],
  },
})
