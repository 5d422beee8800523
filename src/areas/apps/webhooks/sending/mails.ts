import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.apps.webhooks.sending.mails

/** The mails about webhooks that fail; they name the host, since addresses may have secrets in them. */
export const webhookMails = mailKinds({
  webhook_failing: {
    subject: words.webhookFailing.subject,
    paragraphs: [words.webhookFailing.paragraphs.notDelivered, linkButton(words.webhookFailing.button)],
  },
  webhook_disabled: {
    subject: words.webhookDisabled.subject,
    paragraphs: [words.webhookDisabled.paragraphs.turnedOff, linkButton(words.webhookDisabled.button)],
  },
})
