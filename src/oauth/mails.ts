import { account, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.oauth.mails
const seeApps = words.seeApps

/** The mails about connected apps. */
export const oauthMails = mailKinds({
  app_connected: {
    subject: words.oauthMails.appConnected.subject,
    paragraphs: [words.oauthMails.appConnected.hasAccess, seeApps, account],
  },
  app_stopped: {
    subject: words.oauthMails.appStopped.subject,
    paragraphs: [words.oauthMails.appStopped.usedAnOutdatedKey, seeApps, account],
  },
})
