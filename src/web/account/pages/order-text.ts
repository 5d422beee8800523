import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of orders, in every language; `{…}` is filled in. */
export const orderText = {
  title: say('Your orders', 'As suas encomendas'),
  none: say('You have not bought anything yet.', 'Ainda não comprou nada.'),
  catalogue: say('See all courses', 'Ver todos os cursos'),
  older: say('Older orders', 'Encomendas mais antigas'),
  newest: say('Newest orders', 'Encomendas mais recentes'),
  back: say('Back to your orders', 'Voltar às suas encomendas'),
  one: say('Order {number}', 'Encomenda {number}'),
  test: say('TEST', 'TESTE'),
  testNote: say(
    'TEST: no money moves, and invoices of this order are not invoices.',
    'TESTE: nenhum dinheiro é movido, e as faturas desta encomenda não são faturas.',
  ),
  missing: {
    title: say('No such order', 'Não existe esta encomenda'),
    text: say(
      'There is no order with this number in your account. You are signed in as {name} ({email}).',
      'Não existe uma encomenda com este número na sua conta. A sessão é de {name} ({email}).',
    ),
    other: say(
      'If it is the order of another account of yours, sign out here, sign in as that person and open the link again.',
      'Se a encomenda é de outra conta sua, termine aqui a sessão, inicie sessão como essa pessoa e abra a ligação outra vez.',
    ),
    button: say('Sign out', 'Terminar sessão'),
  },
  status: {
    pending: say('Waiting for payment', 'À espera de pagamento'),
    processing: say('Payment on its way', 'Pagamento a caminho'),
    paid: say('Paid', 'Paga'),
    failed: say('Payment failed', 'O pagamento falhou'),
    expired: say('Expired', 'Expirada'),
    canceled: say('Canceled', 'Cancelada'),
    partially_refunded: say('Partially refunded', 'Reembolsada em parte'),
    refunded: say('Refunded', 'Reembolsada'),
    disputed: say('Payment disputed', 'Pagamento contestado'),
    lost: say('Payment taken back', 'Pagamento retirado'),
  },
  about: {
    pending: say(
      'Everything in this order is kept for you until {until}.',
      'Tudo o que está nesta encomenda fica guardado para si até {until}.',
    ),
    processing: say(
      'Your payment is on its way. This can take some days. Everything stays kept for you meanwhile.',
      'O seu pagamento está a caminho. Pode demorar alguns dias. Entretanto, tudo fica guardado para si.',
    ),
    paid: say('Thank you! Everything is ready for you.', 'Obrigado! Está tudo pronto para si.'),
    failed: say(
      'The payment did not succeed, so nothing was charged and nothing is kept for you any more. You can try again.',
      'O pagamento não foi concluído, por isso nada foi cobrado e já nada está guardado para si. Pode tentar de novo.',
    ),
    expired: say(
      'This order was not paid in time, so it ended and nothing is kept for you any more. If your payment arrives late, the order is paid with it, or the money goes back to you.',
      'Esta encomenda não foi paga a tempo, por isso terminou e já nada está guardado para si. Se o seu pagamento chegar tarde, a encomenda fica paga com ele, ou o dinheiro é devolvido.',
    ),
    canceled: {
      buyer: say('You canceled this order. Nothing is owed.', 'Cancelou esta encomenda. Não deve nada.'),
      staff: say(
        'The school canceled this order. Nothing is owed.',
        'A escola cancelou esta encomenda. Não deve nada.',
      ),
    },
    partially_refunded: say(
      '{refunded} of {paid} goes back to you, or has been paid back.',
      '{refunded} de {paid} são-lhe devolvidos, ou já o foram.',
    ),
    refunded: say(
      'All that you paid goes back to you, or has been paid back.',
      'Tudo o que pagou é-lhe devolvido, ou já o foi.',
    ),
    disputed: say(
      'This payment is disputed at your bank. Until that is decided, you cannot use what you bought. If it was a mistake, tell your bank and the school.',
      'Este pagamento foi contestado no seu banco. Até haver uma decisão, não pode usar o que comprou. Se foi um engano, informe o seu banco e a escola.',
    ),
    lost: say(
      'The bank took this payment back, so you can no longer use what you bought.',
      'O banco retirou este pagamento, por isso já não pode usar o que comprou.',
    ),
  },
  // Why the last payment failed, and what the buyer can do.
  failure: {
    retry: say(
      'You can try again with the same card or another one.',
      'Pode tentar de novo com o mesmo cartão ou outro.',
    ),
    other: say('Choose another card or another way to pay.', 'Escolha outro cartão ou outra forma de pagar.'),
    declined: say('Your last attempt was declined.', 'A sua última tentativa foi recusada.'),
  },
  partlyPaid: say('{paid} of {total} has arrived. {rest} is missing.', 'Chegaram {paid} de {total}. Faltam {rest}.'),
  again: say(
    'This page looks again by itself every few seconds.',
    'Esta página volta a verificar sozinha de poucos em poucos segundos.',
  ),
  lookAgain: say('Look again', 'Verificar de novo'),
  pay: say('Pay {amount}', 'Pagar {amount}'),
  payAgain: say('Try to pay again', 'Tentar pagar de novo'),
  payOther: say('Pay in another way', 'Pagar de outra forma'),
  buyAgain: say('See the courses of the school', 'Ver os cursos da escola'),
  bought: say('What you bought', 'O que comprou'),
  start: say('Start', 'Começar'),
  startOf: say('Start: {name}', 'Começar: {name}'),
  download: say('Download', 'Descarregar'),
  downloadOf: say('Download: {name}', 'Descarregar: {name}'),
  ended: say('You can no longer use this.', 'Já não pode usar isto.'),
  notGiven: say(
    'This could not be given any more when the payment arrived. What you paid for it goes back to you.',
    'Isto já não estava disponível quando o pagamento chegou. O que pagou por isto é-lhe devolvido.',
  ),
  suspended: say('Suspended until the dispute is decided.', 'Suspenso até haver uma decisão.'),
  summary: say('Summary', 'Resumo'),
  documents: say('Invoices', 'Faturas'),
  document: {
    invoice: say('Invoice {number}', 'Fatura {number}'),
    credit_note: say('Credit note {number}', 'Nota de crédito {number}'),
  },
  beingMade: say('being made', 'a ser feita'),
  refunds: say('Refunds', 'Reembolsos'),
  refund: {
    asked: say('{amount}, on its way', '{amount}, a caminho'),
    processing: say('{amount}, on its way', '{amount}, a caminho'),
    succeeded: say('{amount}, paid back on {day}', '{amount}, devolvidos em {day}'),
    failed: say(
      '{amount}, could not be paid back; the school is told',
      '{amount}, não foi possível devolver; a escola foi avisada',
    ),
  },
  password: say(
    'You have no password yet. Choose one, or sign in with a code by mail whenever you come back.',
    'Ainda não tem palavra-passe. Escolha uma, ou inicie sessão com um código por e-mail sempre que voltar.',
  ),
  choosePassword: say('Choose a password', 'Escolher uma palavra-passe'),
  details: say('Details', 'Detalhes'),
  placed: say('Placed on', 'Data'),
  paidOn: say('Paid on', 'Paga em'),
  paidWith: say('Paid with', 'Paga com'),
  testPayment: say('A test payment', 'Um pagamento de teste'),
  ending: say('{brand} ending in {last4}', '{brand} terminado em {last4}'),
  app: say('Requested by the app', 'Pedida pela aplicação'),
  billedTo: say('Billed to', 'Faturado a'),
  taxId: say('Tax id {id}', 'NIF {id}'),
  change: say('Change', 'Alterar'),
  cancel: say('Cancel this order', 'Cancelar esta encomenda'),
  cancelAbout: say(
    'Nothing is kept for you any more, and nothing is owed.',
    'Deixa de estar algo guardado para si, e não fica a dever nada.',
  ),
  cancelButton: say('Cancel the order', 'Cancelar a encomenda'),
  refused: say(
    'This is not possible any more. Below is the order as it is now.',
    'Isto já não é possível. Abaixo está a encomenda como está agora.',
  ),
  done: {
    canceled: say('The order was canceled.', 'A encomenda foi cancelada.'),
    billing: say('The billing was changed.', 'Os dados de faturação foram alterados.'),
  },
} as const
