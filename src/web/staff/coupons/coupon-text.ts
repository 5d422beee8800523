import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of one coupon, in every language; `{…}` is filled in. */
export const couponText = {
  value: say('What it does', 'O que faz'),
  status: say('Status', 'Estado'),
  appliesTo: say('Applies to', 'Vale para'),
  everything: say('Everything', 'Tudo'),
  days: say('Days', 'Dias'),
  from: say('from {day}', 'desde {day}'),
  until: say('until {day}', 'até {day}'),
  uses: say('Uses', 'Utilizações'),
  usesOf: say('{n} of {most}', '{n} de {most}'),
  held: say('Held by unpaid orders', 'Reservado por encomendas por pagar'),
  perMember: say('Uses per member', 'Utilizações por membro'),
  tookOff: say('Taken off paid orders', 'Descontado em encomendas pagas'),
  budget: say('Budget', 'Orçamento'),
  minimum: say('Smallest purchase', 'Compra mínima'),
  first: say('Only for the first purchase', 'Só para a primeira compra'),
  stackable: say('Together with other coupons', 'Com outros cupões'),
  yes: say('Yes', 'Sim'),
  tags: say('Only members with a tag', 'Só membros com etiqueta'),
  people: say('Only for certain members', 'Só para certos membros'),
  note: say('Note', 'Nota'),
  edit: say('Edit', 'Editar'),
  try: say('Try one of its codes', 'Experimentar um dos seus códigos'),
  codes: say('Codes ({n})', 'Códigos ({n})'),
  noCodes: say('It has no code yet, so nobody can use it.', 'Ainda não tem código, por isso ninguém o pode usar.'),
  firstCodes: say('The first {n}. All of them are in the CSV file.', 'Os primeiros {n}. Todos estão no ficheiro CSV.'),
  codesCsv: say('Download all codes as CSV', 'Descarregar todos os códigos em CSV'),
  stopped: say('stopped', 'parado'),
  redemptions: say('Where it was used', 'Onde foi usado'),
  noRedemptions: say('No order has used it yet.', 'Nenhuma encomenda o usou ainda.'),
  redemptionsCsv: say('Download all uses as CSV', 'Descarregar todas as utilizações em CSV'),
  next: say('More uses', 'Mais utilizações'),
  states: {
    held: say('held by an unpaid order', 'reservado por uma encomenda por pagar'),
    taken: say('used', 'usado'),
    returned: say('given back', 'devolvido'),
  },
  nobody: say('(removed member)', '(membro removido)'),
  decide: say('What you can do', 'O que pode fazer'),
  code: say('Code', 'Código'),
  codeHint: say('Case, spaces and hyphens do not matter.', 'Maiúsculas, espaços e hífenes não contam.'),
  count: say('How many', 'Quantos'),
  prefix: say('Beginning with (optional)', 'A começar por (opcional)'),
  acts: {
    code: {
      title: say('Add a code of your own', 'Acrescentar um código seu'),
      about: say('Buyers can use it at once.', 'Os compradores podem usá-lo já.'),
      button: say('Add the code', 'Acrescentar o código'),
    },
    generate: {
      title: say('Generate codes', 'Gerar códigos'),
      about: say(
        'Random codes that nobody can guess, up to 10,000. They are in the CSV file, and no mail is sent.',
        'Códigos aleatórios que ninguém adivinha, até 10 000. Estão no ficheiro CSV e nada é enviado por correio.',
      ),
      button: say('Generate', 'Gerar'),
    },
    stop: {
      title: say('Stop', 'Parar'),
      about: say('Stops this code for good.', 'Para este código de vez.'),
      button: say('Stop', 'Parar'),
    },
    on: {
      title: say('Switch on', 'Ligar'),
      about: say('Its codes can be used again.', 'Os seus códigos podem voltar a ser usados.'),
      button: say('Switch on', 'Ligar'),
    },
    off: {
      title: say('Switch off', 'Desligar'),
      about: say(
        'Its codes are refused until it is switched on again. Orders that use it keep their discount.',
        'Os seus códigos são recusados até voltar a ser ligado. As encomendas que o usam mantêm o desconto.',
      ),
      button: say('Switch off', 'Desligar'),
    },
    archive: {
      title: say('Archive', 'Arquivar'),
      about: say(
        'Its codes are refused as unknown, and no other coupon can have them. Orders that use it keep their discount.',
        'Os seus códigos são recusados como desconhecidos e nenhum outro cupão os pode ter. As encomendas que o usam mantêm o desconto.',
      ),
      button: say('Archive', 'Arquivar'),
    },
    unarchive: {
      title: say('Take out of the archive', 'Retirar do arquivo'),
      about: say('Its codes work again.', 'Os seus códigos voltam a funcionar.'),
      button: say('Take out of the archive', 'Retirar do arquivo'),
    },
    delete: {
      title: say('Delete', 'Apagar'),
      about: say(
        'Deletes the coupon with its codes. Only one that no order ever used can be deleted.',
        'Apaga o cupão com os seus códigos. Só um que nenhuma encomenda usou pode ser apagado.',
      ),
      button: say('Delete', 'Apagar'),
    },
  },
  done: {
    created: say('The coupon was created. Add a code now.', 'O cupão foi criado. Acrescente agora um código.'),
    changed: say('The coupon was changed.', 'O cupão foi alterado.'),
    code: say('The code was added.', 'O código foi acrescentado.'),
    generate: say(
      'The codes were generated. Download them as CSV.',
      'Os códigos foram gerados. Descarregue-os em CSV.',
    ),
    stop: say('The code was stopped.', 'O código foi parado.'),
    on: say('The coupon is switched on.', 'O cupão está ligado.'),
    off: say('The coupon is switched off.', 'O cupão está desligado.'),
    archive: say('The coupon was archived.', 'O cupão foi arquivado.'),
    unarchive: say('The coupon is out of the archive.', 'O cupão saiu do arquivo.'),
  },
} as const
