import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
const account = say('{account}', '{account}')
const seeApps = say(
  'See your connected apps, and disconnect those you no longer use:',
  'Veja as aplicações ligadas à sua conta e desligue as que já não usa:',
)
const unnamed = say('An app that calls itself “{client}”', 'Uma aplicação que se apresenta como «{client}»')

/** The mails about connected apps. */
export const oauthMails = mailKinds({
  app_connected: {
    subject: say(
      'An app was connected to your account at {school}',
      'Uma aplicação foi ligada à sua conta em {school}',
    ),
    paragraphs: [
      say(
        `${unnamed.en} now has access to your account. You allowed this for the first time today.`,
        `${unnamed.pt} tem agora acesso à sua conta. Permitiu-o hoje pela primeira vez.`,
      ),
      seeApps,
      account,
    ],
  },
  app_stopped: {
    subject: say(
      'An app was disconnected from your account at {school}',
      'Uma aplicação foi desligada da sua conta em {school}',
    ),
    paragraphs: [
      say(
        `${unnamed.en} used an outdated key to your account, which can mean that the key was stolen. For your safety its access was ended; the app can ask you for access again.`,
        `${unnamed.pt} usou uma chave desatualizada da sua conta, o que pode significar que a chave foi roubada. Por segurança, o acesso foi terminado; a aplicação pode voltar a pedi-lo.`,
      ),
      seeApps,
      account,
    ],
  },
})
