import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page on which outside orders are recorded, in every language; `{…}` is filled in. */
export const recordText = {
  intro: say(
    'Records what a member bought and paid elsewhere, at the prices of the school. The order is paid at once and gives access.',
    'Regista o que um membro comprou e pagou noutro lado, aos preços da escola. A encomenda fica logo paga e dá acesso.',
  ),
  who: say('Who bought it? Search by name or e-mail', 'Quem comprou? Procurar por nome ou e-mail'),
  find: say('Find', 'Procurar'),
  nobody: say('No members found.', 'Ninguém foi encontrado.'),
  person: say('Buyer', 'Comprador(a)'),
  another: say('Choose another person', 'Escolher outra pessoa'),
  chosen: say('What was bought', 'O que foi comprado'),
  removeLast: say('Remove the last item', 'Retirar o último artigo'),
  item: say('Add an item: search courses and products', 'Acrescentar um artigo: procurar cursos e produtos'),
  paid: say('How it was paid', 'Como foi paga'),
  receivedOn: say('Paid on', 'Paga em'),
  receivedHint: say('Empty: today', 'Vazio: hoje'),
  invoice: say('Issue an invoice', 'Emitir uma fatura'),
  invoiceHint: say('Leave it out if one was issued elsewhere.', 'Não escolha se já foi emitida noutro lado.'),
  note: say('Note (visible to staff only)', 'Nota (só para a equipa)'),
  about: say(
    'The books say that {amount} arrived, and no money moves. The buyer gets access at once, and a receipt by mail.',
    'As contas dizem que {amount} chegou e não há movimento de dinheiro. O comprador recebe já o acesso, e um recibo por correio.',
  ),
  button: say('Record the order', 'Registar a encomenda'),
  refusals: {
    sold_out: say('There is no place left at this price.', 'Já não há lugares a este preço.'),
    offer_ended: say('One of the items is no longer on sale.', 'Um dos artigos já não está à venda.'),
    not_on_sale: say(
      'One of the items is not on sale to this person.',
      'Um dos artigos não está à venda para esta pessoa.',
    ),
    bought_alone: say(
      'A subscription or a payment plan is recorded alone.',
      'Uma assinatura ou um plano de pagamento regista-se sozinho.',
    ),
    seller_unknown: say(
      'The school cannot sell yet: it has not set its legal name and address.',
      'A escola ainda não pode vender: falta definir o seu nome legal e endereço.',
    ),
    free_once: say('This person had this free access before.', 'Esta pessoa já teve este acesso grátis.'),
    already_has_access: say('This person has access already.', 'Esta pessoa já tem acesso.'),
    invalid_state: say('This cannot be recorded now.', 'Isto não pode ser registado agora.'),
    'invalid_body items': say('One of the items cannot be bought.', 'Um dos artigos não pode ser comprado.'),
    idempotency_key_reused: say(
      'This form was sent before with other values. Check the orders before you record it again.',
      'Este formulário já foi enviado com outros valores. Verifique as encomendas antes de registar de novo.',
    ),
  },
} as const
