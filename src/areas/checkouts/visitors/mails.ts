import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The mail of a checkout to an address that has an account, which nobody can turn off. */
export const checkoutMails = mailKinds({
  checkout_sign_in: {
    subject: say('Continue your purchase at {school}', 'Continue a sua compra em {school}'),
    paragraphs: [
      say(
        'Someone, probably you, is buying at {school} with this address. You already have an account, so there is no code: open this link in the browser in which you began, and continue there.',
        'Alguém, provavelmente você, está a comprar em {school} com este endereço. Já tem uma conta, por isso não há código: abra esta ligação no navegador em que começou e continue aí.',
      ),
      say('{link}', '{link}'),
      say(
        'The link is valid for 15 minutes and works once, in that browser only. Do not forward this e-mail.',
        'A ligação é válida durante 15 minutos e funciona uma vez, apenas nesse navegador. Não reencaminhe esta mensagem.',
      ),
      say(
        'If this was not you, you can ignore this e-mail: nothing was bought.',
        'Se não foi você, pode ignorar esta mensagem: nada foi comprado.',
      ),
    ],
  },
})
