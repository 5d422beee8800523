import type { Phrase } from '#src/contract/language.ts'
import { mailKinds, marketing } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
const same = (text: string): Phrase => say(text, text)

/** The mailing of a post: what everybody reads of it, and its address. */
export const postMails = mailKinds({
  post_mailing: {
    mute: marketing,
    subject: same('{title}'),
    paragraphs: [
      say('New on the blog of {school}: {title}', 'Novo no blogue de {school}: {title}'),
      same('{excerpt}'),
      say('Read on:', 'Ler mais:'),
      same('{link}'),
      say(
        'You get this mail because you agreed to news of {school}. Do not want these mails? {unsubscribe}',
        'Recebe esta mensagem porque aceitou novidades de {school}. Não quer receber estas mensagens? {unsubscribe}',
      ),
    ],
  },
})
