import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The announcement of a new price to those who hold the old one, which nobody can turn off. */
export const moveMails = mailKinds({
  price_move: {
    subject: say('The price of {name} changes on {date}', 'O preço de {name} muda em {date}'),
    paragraphs: [
      say(
        '{school} changes the price of your subscription {name}. Until now you pay {before}; from {date} on you will pay {after}.',
        '{school} altera o preço da sua assinatura {name}. Até agora paga {before}; a partir de {date} pagará {after}.',
      ),
      say(
        'You need not do anything if you agree. If you do not, cancel before {date}: then you never pay the new price.',
        'Se concorda, não precisa de fazer nada. Se não concorda, cancele antes de {date}: assim nunca pagará o novo preço.',
      ),
      say('{link}', '{link}'),
    ],
  },
})
