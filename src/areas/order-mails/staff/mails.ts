import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const lines = { rows: 'lines', columns: [{}, { align: 'end' }] } as const
const link = say('{link}', '{link}')

/** The mails to owners and admins about money that needs somebody. Nobody can turn them off, since each may cost money. */
export const staffMails = mailKinds({
  dispute_opened: {
    subject: say('Dispute about order {number} at {school}', 'Contestação da encomenda {number} em {school}'),
    paragraphs: [
      say(
        "The buyer's bank disputes {amount} of order {number}. What the order gave is suspended. Answer the bank on the site of your payment provider, or accept the dispute here:",
        'O banco do comprador contesta {amount} da encomenda {number}. O acesso dado pela encomenda está suspenso. Responda ao banco no site do seu fornecedor de pagamentos ou aceite a contestação aqui:',
      ),
      link,
    ],
  },
  dispute_lost: {
    subject: say('Dispute about order {number} lost', 'Contestação da encomenda {number} perdida'),
    paragraphs: [
      say(
        'The bank has decided the dispute about order {number} for the buyer. {amount} went back, and what the order gave has ended.',
        'O banco decidiu a contestação da encomenda {number} a favor do comprador. {amount} foram devolvidos e o acesso dado pela encomenda terminou.',
      ),
      link,
    ],
  },
  refund_failed: {
    subject: say('Refund for order {number} failed', 'O reembolso da encomenda {number} falhou'),
    paragraphs: [
      say(
        'The refund of {amount} for order {number} failed, so the buyer has not got the money back. The payment provider says: {code}. Refund it again, or transfer the money:',
        'O reembolso de {amount} da encomenda {number} falhou, por isso o comprador não recebeu o dinheiro. O fornecedor de pagamentos diz: {code}. Faça o reembolso de novo ou transfira o dinheiro:',
      ),
      link,
    ],
  },
  order_partly_paid: {
    subject: say('Order {number} is paid in part', 'A encomenda {number} foi paga em parte'),
    paragraphs: [
      say(
        'Money for order {number} arrived, and {missing} of {total} is still missing. The order is not paid until the rest arrives:',
        'Chegou dinheiro para a encomenda {number} e ainda faltam {missing} de {total}. A encomenda só fica paga quando chegar o resto:',
      ),
      link,
    ],
  },
  order_not_given: {
    subject: say(
      'A part of order {number} could not be given',
      'Não foi possível entregar uma parte da encomenda {number}',
    ),
    paragraphs: [
      say(
        'Order {number} was paid after it had ended, and this could not be given any more. What was paid for it is refunded:',
        'A encomenda {number} foi paga depois de ter terminado e já não foi possível entregar o seguinte. O que foi pago por isso é reembolsado:',
      ),
      lines,
      link,
    ],
  },
  provider_failed: {
    subject: say('Payments by {provider} fail at {school}', 'Os pagamentos por {provider} falham em {school}'),
    paragraphs: [
      say(
        'The payment provider {provider} has not answered several times in a row, so people may be unable to pay, and refunds wait. Check the keys of the provider and its status page. What waits is tried again.',
        'O fornecedor de pagamentos {provider} não respondeu várias vezes seguidas, por isso pode não ser possível pagar e os reembolsos esperam. Verifique as chaves e a página de estado do fornecedor. O que espera volta a ser tentado.',
      ),
      link,
    ],
  },
})
