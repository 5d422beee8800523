import type { Phrase } from '#src/contract/language.ts'
import { type MailTable, mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const lines: MailTable = {
  rows: 'lines',
  columns: [{ heading: say('Item', 'Artigo') }, { heading: say('Amount', 'Valor'), align: 'end' }],
}

const refundedLines: MailTable = { rows: 'lines', columns: [...lines.columns, { heading: say('Access', 'Acesso') }] }

const link = say('{link}', '{link}')
const yourOrder = say('Your order, and what you bought:', 'A sua encomenda e o que comprou:')
const patience = say(
  'Depending on how you paid, it may take some days until you see the money.',
  'Consoante a forma como pagou, o dinheiro pode demorar alguns dias a chegar.',
)

/** The mails to buyers about what became of an order, which nobody can turn off. */
export const buyerMails = mailKinds({
  receipt: {
    subject: say('Receipt for order {number} at {school}', 'Recibo da encomenda {number} em {school}'),
    paragraphs: [
      say(
        'Thank you for your order {number}. {school} received {total}.',
        'Obrigado pela sua encomenda {number}. {school} recebeu {total}.',
      ),
      lines,
      yourOrder,
      link,
    ],
  },
  receipt_free: {
    subject: say('Your order {number} at {school}', 'A sua encomenda {number} em {school}'),
    paragraphs: [
      say(
        'Thank you for your order {number} at {school}. There is nothing to pay.',
        'Obrigado pela sua encomenda {number} em {school}. Não há nada a pagar.',
      ),
      lines,
      yourOrder,
      link,
    ],
  },
  receipt_of_test: {
    subject: say('TEST: receipt for order {number} at {school}', 'TESTE: recibo da encomenda {number} em {school}'),
    paragraphs: [
      say(
        'TEST: no money moved. {school} received a test payment of {total} for your order {number}.',
        'TESTE: não houve movimentos de dinheiro. {school} recebeu um pagamento de teste de {total} pela sua encomenda {number}.',
      ),
      lines,
      yourOrder,
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
  refund: {
    subject: say('Refund of {amount} for order {number}', 'Reembolso de {amount} da encomenda {number}'),
    paragraphs: [
      say(
        '{school} has refunded {amount} of your order {number}.',
        '{school} reembolsou {amount} da sua encomenda {number}.',
      ),
      refundedLines,
      patience,
      link,
    ],
  },
  refund_not_given: {
    subject: say('Refund of {amount} for order {number}', 'Reembolso de {amount} da encomenda {number}'),
    paragraphs: [
      say(
        'When your payment of order {number} arrived, a part of the order could not be given to you any more. {school} has refunded {amount} for it:',
        'Quando o seu pagamento da encomenda {number} chegou, já não foi possível entregar-lhe uma parte dela. {school} reembolsou {amount} por essa parte:',
      ),
      lines,
      patience,
      link,
    ],
  },
  refund_overpaid: {
    subject: say('Refund of {amount} for order {number}', 'Reembolso de {amount} da encomenda {number}'),
    paragraphs: [
      say(
        'You paid more than the total of your order {number}. {school} has refunded the difference of {amount}.',
        'Pagou mais do que o total da sua encomenda {number}. {school} reembolsou a diferença de {amount}.',
      ),
      patience,
      link,
    ],
  },
  invoice: {
    subject: say('Invoice {document} from {school}', 'Fatura {document} de {school}'),
    paragraphs: [
      say(
        'Invoice {document} for your order {number} at {school} is attached.',
        'Segue em anexo a fatura {document} da sua encomenda {number} em {school}.',
      ),
      link,
    ],
  },
  credit_note: {
    subject: say('Credit note {document} from {school}', 'Nota de crédito {document} de {school}'),
    paragraphs: [
      say(
        'Credit note {document} for your order {number} at {school} is attached.',
        'Segue em anexo a nota de crédito {document} da sua encomenda {number} em {school}.',
      ),
      link,
    ],
  },
})
