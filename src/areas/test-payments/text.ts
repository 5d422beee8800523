import type { Phrase } from '#src/contract/language.ts'
import type { TestAction, TestCard, TestStage } from './rules.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of a test payment. */
export const words = {
  title: say('TEST payment', 'Pagamento de TESTE'),
  notice: say(
    'TEST: no money moves. This page takes the place of a payment provider.',
    'TESTE: não há movimentos de dinheiro. Esta página faz de prestador de pagamentos.',
  ),
  amount: say('Amount', 'Montante'),
  nothing: say('Nothing; the card is saved for later', 'Nada; o cartão fica guardado para depois'),
  card: say('Card to save', 'Cartão a guardar'),
  order: say('Order', 'Encomenda'),
  for: say('For', 'Artigos'),
  late: say(
    'The payment will arrive a minute after this page has ended.',
    'O pagamento chegará um minuto depois de esta página terminar.',
  ),
  declined: say('The payment method was declined. Try again.', 'O meio de pagamento foi recusado. Tente novamente.'),
  back: say('Back to {school}', 'Voltar a {school}'),
} as const

/** What each stage means. */
export const stageText: Readonly<Record<TestStage, Phrase>> = {
  open: say('Choose how this payment ends.', 'Escolha como este pagamento termina.'),
  person: say('The bank asks the buyer to confirm.', 'O banco pede a confirmação do comprador.'),
  processing: say('The payment is on its way.', 'O pagamento está a caminho.'),
  succeeded: say('The payment was made.', 'O pagamento foi feito.'),
  disputed: say('The buyer disputes the payment.', 'O comprador contesta o pagamento.'),
  failed: say('The payment failed.', 'O pagamento falhou.'),
  expired: say('This page has ended.', 'Esta página terminou.'),
}

/** The labels of the buttons. */
export const actionText: Readonly<Record<TestAction, Phrase>> = {
  pay: say('Pay', 'Pagar'),
  pay_twice: say('Pay twice', 'Pagar duas vezes'),
  decline: say('Decline; trying again is possible', 'Recusar; é possível tentar novamente'),
  decline_finally: say('Decline for good', 'Recusar definitivamente'),
  ask_person: say('Ask the buyer to confirm', 'Pedir confirmação ao comprador'),
  authenticate: say('Confirm', 'Confirmar'),
  take_long: say('Take long, then arrive', 'Demorar e depois chegar'),
  complete: say('Arrive now', 'Chegar agora'),
  fail: say('Fail now', 'Falhar agora'),
  pay_late: say('Pay after this page has ended', 'Pagar depois de esta página terminar'),
  dispute: say('Dispute the payment', 'Contestar o pagamento'),
  win_dispute: say('The school wins the dispute', 'A escola ganha a contestação'),
  lose_dispute: say('The school loses the dispute', 'A escola perde a contestação'),
}

/** The labels of the buttons on a page that only saves a card. */
export const savingText: Readonly<Partial<Record<TestAction, Phrase>>> = {
  pay: say('Save the card', 'Guardar o cartão'),
}

/** What the cards that can be saved do later. */
export const cardText: Readonly<Record<TestCard, Phrase>> = {
  works: say('4242: every later charge succeeds', '4242: todas as cobranças seguintes são aceites'),
  declined: say('0341: every later charge is declined', '0341: todas as cobranças seguintes são recusadas'),
  declines_once: say(
    '0119: the next charge is declined, and those after it succeed',
    '0119: a próxima cobrança é recusada e as seguintes são aceites',
  ),
  needs_person: say(
    '3155: every later charge needs the confirmation of the buyer',
    '3155: todas as cobranças seguintes precisam da confirmação do comprador',
  ),
  lost: say(
    '9987: it is reported lost, and must not be charged again',
    '9987: é dado como perdido e não pode voltar a ser cobrado',
  ),
}
