import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const lines = {
  rows: 'lines',
  columns: [{ heading: say('Item', 'Artigo') }, { heading: say('Amount', 'Valor'), align: 'end' }],
} as const

const link = say('{link}', '{link}')

/** The mails about orders. */
export const orderMails = mailKinds({
  receipt: {
    subject: say('Receipt for order {number} at {school}', 'Recibo da encomenda {number} em {school}'),
    paragraphs: [
      say(
        'Thank you for your order {number}. {school} received {total}.',
        'Obrigado pela sua encomenda {number}. {school} recebeu {total}.',
      ),
      lines,
      say('Your order, and what you bought:', 'A sua encomenda e o que comprou:'),
      link,
    ],
  },
  order_failed: {
    subject: say('The payment of order {number} failed', 'O pagamento da encomenda {number} falhou'),
    paragraphs: [
      say(
        'The payment of {total} for your order {number} at {school} failed, and nothing was charged. What the order kept for you is free again. You can pay again as long as it is on sale:',
        'O pagamento de {total} da sua encomenda {number} em {school} falhou e nada foi cobrado. O que a encomenda lhe reservava voltou a ficar livre. Pode pagar de novo enquanto estiver à venda:',
      ),
      link,
    ],
  },
})
