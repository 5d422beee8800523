import type { Phrase } from '#src/contract/language.ts'
import { mailKinds, productsUpdated } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
const downloads = say('{account}/downloads', '{account}/downloads')

/** The mails about digital products. */
export const productMails = mailKinds({
  product_given: {
    subject: say('“{product}” is yours, from {school}', '«{product}» é seu, de {school}'),
    paragraphs: [
      say('{school} has given you “{product}”.', '{school} ofereceu-lhe «{product}».'),
      say('You can download its files in your account:', 'Pode descarregar os ficheiros na sua conta:'),
      downloads,
    ],
  },
  product_file_replaced: {
    subject: say('New version of “{product}” at {school}', 'Nova versão de «{product}» em {school}'),
    paragraphs: [
      say(
        '{school} has replaced files of “{product}” by a new version.',
        '{school} substituiu ficheiros de «{product}» por uma nova versão.',
      ),
      say('You can download them in your account:', 'Pode descarregá-los na sua conta:'),
      downloads,
      say('Do not want these mails? {unsubscribe}', 'Não quer receber estas mensagens? {unsubscribe}'),
    ],
    mute: productsUpdated,
  },
})
