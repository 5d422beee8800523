import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of a refund, in every language; `{…}` is filled in. */
export const refundText = {
  title: say('Refund order {number}', 'Reembolsar a encomenda {number}'),
  left: say('{left} of {total} is left to refund.', 'Restam {left} de {total} para reembolsar.'),
  nothingLeft: say('Nothing of this order is left to refund.', 'Nada resta para reembolsar nesta encomenda.'),
  whole: say('Everything that is left ({left}), and end the access', 'Tudo o que resta ({left}), e terminar o acesso'),
  lines: say('Only the lines chosen below', 'Só as linhas escolhidas abaixo'),
  lineLeft: say('{left} of {amount} left', 'Restam {left} de {amount}'),
  lineDone: say('{name}: nothing left to refund', '{name}: nada resta para reembolsar'),
  quantity: say('Quantity', 'Quantidade'),
  quantityHint: say('Empty: by the amount', 'Vazio: pelo valor'),
  amount: say('Amount', 'Valor'),
  amountHint: say('Empty: all that is left', 'Vazio: tudo o que resta'),
  access: say('Access', 'Acesso'),
  accesses: {
    auto: say('Ends when nothing of the line is left', 'Termina quando nada restar da linha'),
    ends: say('Also ends access', 'Também termina o acesso'),
    keeps: say('Keeps access', 'Mantém o acesso'),
  },
  reason: say('Reason', 'Motivo'),
  note: say('Note (visible to staff only)', 'Nota (só para a equipa)'),
  preview: say('Preview the refund', 'Pré-visualizar o reembolso'),
  previewAbout: say('Nothing happens yet.', 'Ainda nada acontece.'),
  previewTitle: say('Refund {amount}?', 'Reembolsar {amount}?'),
  money: say('Money', 'Dinheiro'),
  byProvider: say(
    '{amount} goes back by {provider} to where it came from.',
    '{amount} volta por {provider} para onde veio.',
  ),
  byHand: say(
    '{amount} counts as paid back at once. Transfer it to the buyer yourself; nothing is sent by itself.',
    '{amount} conta já como devolvido. Faça a transferência para o comprador; nada é enviado automaticamente.',
  ),
  access_effect: say('Access', 'Acesso'),
  ends: say('Ends: {name}', 'Termina: {name}'),
  stays: say('Stays: {name}', 'Mantém-se: {name}'),
  mail: say('Mail', 'Correio'),
  noMail: say('No mail is sent now.', 'Nada é enviado agora por correio.'),
  confirm: say('Refund {amount} now', 'Reembolsar {amount} agora'),
  change: say('Change something', 'Alterar algo'),
  back: say('Back to the order', 'Voltar à encomenda'),
  chosen: say(
    'Choose at least one line, or everything that is left.',
    'Escolha pelo menos uma linha, ou tudo o que resta.',
  ),
} as const
