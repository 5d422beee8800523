import { accountButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.oauth.mails
const seeApps = accountButton(texts.contract.mail.buttons.apps, '/apps')

/** The mails about connected apps. */
export const oauthMails = mailKinds({
  app_connected: {
    subject: words.oauthMails.appConnected.subject,
    paragraphs: [words.oauthMails.appConnected.hasAccess, seeApps],
  },
  app_stopped: {
    subject: words.oauthMails.appStopped.subject,
    paragraphs: [words.oauthMails.appStopped.usedAnOutdatedKey, seeApps],
  },
})
