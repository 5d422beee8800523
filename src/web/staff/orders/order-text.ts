import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of one order, in every language; `{…}` is filled in. */
export const orderText = {
  title: say('Order {number}', 'Encomenda {number}'),
  status: say('Status', 'Estado'),
  buyer: say('Buyer', 'Comprador(a)'),
  email: say('E-mail address', 'Endereço de e-mail'),
  placed: say('Ordered', 'Encomendada'),
  paidAt: say('Paid', 'Paga'),
  expires: say('Waits for payment until', 'Espera pelo pagamento até'),
  canceled: say('Canceled', 'Cancelada'),
  canceledBy: {
    buyer: say('by the buyer', 'pelo comprador'),
    staff: say('by staff', 'pela equipa'),
    erasure: say('with the account of the buyer', 'com a conta do comprador'),
  },
  arrived: say('Arrived', 'Recebido'),
  missing: say('Missing', 'Em falta'),
  paidBack: say('Paid back', 'Reembolsado'),
  billing: say('Billed to', 'Faturada a'),
  source: say('Placed through', 'Feita através de'),
  sources: {
    outside: say('Recorded by staff as paid elsewhere', 'Registada pela equipa como paga noutro lado'),
    app: say('The app {app}', 'A aplicação {app}'),
    page: say('The page {page}', 'A página {page}'),
    site: say('The pages of the school', 'As páginas da escola'),
    campaign: say('campaign {campaign}', 'campanha {campaign}'),
  },
  terms: say('Terms accepted', 'Termos aceites'),
  lines: say('What was ordered', 'O que foi encomendado'),
  lineRefunded: say('Refunded: {amount}', 'Reembolsado: {amount}'),
  given: say('Access', 'Acesso'),
  notGiven: say('{name}: no access was given.', '{name}: não foi dado acesso.'),
  active: say('{name}: since {from}, without an end', '{name}: desde {from}, sem fim'),
  activeUntil: say('{name}: since {from}, until {until}', '{name}: desde {from}, até {until}'),
  ended: say('{name}: ended on {until} ({by})', '{name}: terminou a {until} ({by})'),
  endedBy: {
    refund: say('refund', 'reembolso'),
    dispute: say('dispute', 'contestação'),
    expiry: say('it had run out', 'expirou'),
    staff: say('by staff', 'pela equipa'),
  },
  payments: say('Payments', 'Pagamentos'),
  noPayments: say('Nothing was paid yet.', 'Ainda nada foi pago.'),
  card: say('{brand} ending in {last4}', '{brand} terminado em {last4}'),
  states: {
    asked: say('requested', 'pedido'),
    open: say('waiting', 'à espera'),
    processing: say('on its way', 'a caminho'),
    succeeded: say('succeeded', 'concluído'),
    failed: say('failed', 'falhou'),
    canceled: say('canceled', 'cancelado'),
  },
  part: say('{paid} of {amount}', '{paid} de {amount}'),
  failure: say('Reason: {code}', 'Motivo: {code}'),
  reference: say('At the provider: {reference}', 'No prestador: {reference}'),
  refunds: say('Refunds', 'Reembolsos'),
  dispute: say('Dispute', 'Contestação'),
  disputeStates: {
    open: say(
      'The bank of the buyer took back {amount} on {day}. What the order gave is suspended until the bank decides.',
      'O banco do comprador retirou {amount} a {day}. O que a encomenda deu está suspenso até o banco decidir.',
    ),
    won: say('Decided for the school: {amount} came back.', 'Decidida a favor da escola: {amount} voltou.'),
    lost: say('Lost: {amount} went back to the buyer.', 'Perdida: {amount} voltou para o comprador.'),
  },
  disputeReason: say('Reason: {reason}', 'Motivo: {reason}'),
  documents: say('Invoices', 'Faturas'),
  documentKinds: {
    invoice: say('Invoice {number}', 'Fatura {number}'),
    credit_note: say('Credit note {number}', 'Nota de crédito {number}'),
  },
  notAnInvoice: say('test, not an invoice', 'teste, não é uma fatura'),
  printing: say('the PDF is being made', 'o PDF está a ser feito'),
  notPrinted: say('the PDF cannot be made yet', 'o PDF ainda não pode ser feito'),
  decide: say('What you can do', 'O que pode fazer'),
  refund: {
    title: say('Refund', 'Reembolsar'),
    about: say(
      'In whole or by line. You see what it does to money, access and mail before anything happens.',
      'Toda ou por linha. Vê o efeito no dinheiro, no acesso e no correio antes de acontecer algo.',
    ),
    button: say('Refund this order', 'Reembolsar esta encomenda'),
  },
  amount: say('Amount that arrived', 'Valor recebido'),
  amountHint: say('Empty: all that is missing, {missing}', 'Vazio: tudo o que falta, {missing}'),
  amountMore: say('The order is paid already; this comes on top.', 'A encomenda já está paga; isto acresce.'),
  receivedOn: say('Arrived on', 'Recebido em'),
  receivedHint: say('Empty: today', 'Vazio: hoje'),
  note: say('Note (visible to staff only)', 'Nota (só para a equipa)'),
  acts: {
    confirm: {
      title: say('Confirm a transfer', 'Confirmar uma transferência'),
      about: say(
        'Says that money arrived on the account of the school or in person. Once the whole total has arrived, the order is paid: the buyer gets access and a receipt by mail. A part is noted, and the order goes on waiting. What arrives beyond the total counts as refunded: transfer it back yourself.',
        'Diz que chegou dinheiro à conta da escola ou em mão. Quando o total tiver chegado, a encomenda fica paga: o comprador recebe acesso e um recibo por correio. Uma parte fica anotada e a encomenda continua à espera. O que exceder o total conta como reembolsado: devolva-o por transferência.',
      ),
      button: say('Confirm the transfer', 'Confirmar a transferência'),
    },
    undo: {
      title: say('Undo the last confirmation', 'Anular a última confirmação'),
      about: say(
        'Takes back the last confirmation of a transfer, within a day of it. If the order is no longer paid then, it waits for payment again and its access is suspended. No money moves.',
        'Anula a última confirmação de uma transferência, no prazo de um dia. Se a encomenda deixar de estar paga, volta a esperar pelo pagamento e o seu acesso fica suspenso. Não há movimento de dinheiro.',
      ),
      button: say('Undo the confirmation', 'Anular a confirmação'),
    },
    cancel: {
      title: say('Cancel the order', 'Cancelar a encomenda'),
      about: say(
        'Ends the order and gives back its places and codes at once. No money moves and nobody gets access. Money that arrives later still pays it.',
        'Termina a encomenda e liberta já os seus lugares e códigos. Não há movimento de dinheiro e ninguém recebe acesso. Dinheiro que chegue depois ainda a paga.',
      ),
      button: say('Cancel the order', 'Cancelar a encomenda'),
    },
    dispute: {
      title: say('Accept the dispute', 'Aceitar a contestação'),
      about: say(
        'Ends the access that the order gave, now and for good. The money is decided by the bank alone. No mail is sent.',
        'Termina já e de vez o acesso que a encomenda deu. Sobre o dinheiro decide só o banco. Nada é enviado por correio.',
      ),
      button: say('Accept the dispute', 'Aceitar a contestação'),
    },
    receipt: {
      title: say('Send the receipt again', 'Enviar o recibo de novo'),
      about: say(
        'Mails the receipt to the address of the buyer. Money and access stay as they are.',
        'Envia o recibo para o endereço do comprador. O dinheiro e o acesso ficam como estão.',
      ),
      button: say('Send the receipt', 'Enviar o recibo'),
    },
    note: {
      title: say('Note', 'Nota'),
      about: say(
        'Only staff see it. Money, access and mail stay as they are.',
        'Só a equipa a vê. O dinheiro, o acesso e o correio ficam como estão.',
      ),
      button: say('Save the note', 'Guardar a nota'),
    },
  },
  done: {
    confirm: say('The transfer was confirmed.', 'A transferência foi confirmada.'),
    undo: say('The confirmation was undone.', 'A confirmação foi anulada.'),
    cancel: say('The order was canceled.', 'A encomenda foi cancelada.'),
    dispute: say('The dispute was accepted; the access has ended.', 'A contestação foi aceite; o acesso terminou.'),
    receipt: say('The receipt is on its way.', 'O recibo vai a caminho.'),
    note: say('The note was saved.', 'A nota foi guardada.'),
    refund: say('The refund has begun.', 'O reembolso começou.'),
    recorded: say('The order was recorded.', 'A encomenda foi registada.'),
  },
  refusals: {
    undo: say(
      'Nothing was done: a confirmation can be undone within a day, and while nothing was refunded. Refund the order instead.',
      'Nada foi feito: uma confirmação pode ser anulada no prazo de um dia e enquanto nada foi reembolsado. Em vez disso, reembolse a encomenda.',
    ),
  },
} as const
