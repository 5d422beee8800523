import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts that several pages of orders have, in every language; `{…}` is filled in. */
export const ordersText = {
  title: say('Orders', 'Encomendas'),
  about: say(
    'Confirm transfers, refund, find what was bought',
    'Confirmar transferências, reembolsar, procurar compras',
  ),
  record: say('Record an outside order', 'Registar uma encomenda externa'),
  recordAbout: say('What a member paid elsewhere', 'O que um membro pagou noutro lado'),
  back: say('Back to the orders', 'Voltar às encomendas'),
  statuses: {
    pending: say('waiting for payment', 'à espera de pagamento'),
    processing: say('payment on its way', 'pagamento a caminho'),
    paid: say('paid', 'paga'),
    failed: say('payment failed', 'pagamento falhado'),
    expired: say('expired', 'expirada'),
    canceled: say('canceled', 'cancelada'),
    partially_refunded: say('partly refunded', 'reembolsada em parte'),
    refunded: say('refunded', 'reembolsada'),
  },
  disputed: say('disputed', 'contestada'),
  providers: {
    free: say('Free', 'Grátis'),
    manual: say('Bank transfer', 'Transferência bancária'),
    test: say('Test payments', 'Pagamentos de teste'),
    stripe: say('Stripe', 'Stripe'),
  },
  reasons: {
    requested: say('The buyer asked for it', 'O comprador pediu'),
    duplicate: say('Bought twice', 'Comprada duas vezes'),
    fraud: say('Fraud', 'Fraude'),
    event_cancelled: say('The event was canceled', 'O evento foi cancelado'),
    other: say('Another reason', 'Outro motivo'),
    late_payment: say('Paid too late to be given', 'Paga tarde demais para ser entregue'),
    overpaid: say('Paid too much', 'Pago a mais'),
  },
  nobody: say('(removed member)', '(membro removido)'),
} as const

/** The sentences for refusals that several pages of orders have. */
export const orderRefusals = {
  precondition_failed: say(
    'The order has changed since you opened the page, so nothing was done. Check it again below.',
    'A encomenda mudou desde que abriu a página, por isso nada foi feito. Verifique-a de novo abaixo.',
  ),
  invalid_state: say(
    'Nothing was done: the status of the order does not allow this any more. It is shown below as it is now.',
    'Nada foi feito: o estado da encomenda já não o permite. Está abaixo como é agora.',
  ),
  refund_too_large: say(
    'Nothing was refunded: less than that is left of the order. What is left is shown below.',
    'Nada foi reembolsado: resta menos do que isso na encomenda. O que resta está abaixo.',
  ),
  provider_not_usable: say(
    'Nothing was done: the school does not accept bank transfers. An owner can change that under Payments.',
    'Nada foi feito: a escola não aceita transferências bancárias. Um proprietário pode mudar isso em Pagamentos.',
  ),
  'invalid_body amount': say(
    'This is not an amount. Write it as 12.50 or 12,50, more than 0.',
    'Isto não é um valor. Escreva 12.50 ou 12,50, mais do que 0.',
  ),
  'invalid_body received_on': say(
    'This is not a day on which the money can have arrived.',
    'Isto não é um dia em que o dinheiro possa ter chegado.',
  ),
  billing_changes_tax: say(
    'Nothing was done: with this country or tax id the order would have been taxed in another way. Refund it and sell it again.',
    'Nada foi feito: com este país ou número fiscal a encomenda teria outro imposto. Reembolse-a e venda-a de novo.',
  ),
  'invalid_body address': say('An address needs a street and a town.', 'Um endereço precisa de rua e localidade.'),
  'invalid_body country': say(
    'The country is two capital letters, such as PT.',
    'O país são duas letras maiúsculas, como PT.',
  ),
  'invalid_body tax_id': say('This is not a tax id of the country.', 'Isto não é um número fiscal do país.'),
  'invalid_body note': say('The note is too long.', 'A nota é demasiado longa.'),
  'invalid_body lines': say(
    'A line has an amount or a quantity that cannot be refunded. Check the lines below.',
    'Uma linha tem um valor ou uma quantidade que não pode ser reembolsada. Verifique as linhas abaixo.',
  ),
  'invalid_body reason': say('Choose a reason.', 'Escolha um motivo.'),
} as const
