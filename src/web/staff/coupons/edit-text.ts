import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the form of a coupon, in every language; `{…}` is filled in. */
export const editText = {
  title: say('Edit {name}', 'Editar {name}'),
  intro: say(
    'A coupon is a rule. Nobody can use it before it has a code, which you add next. No mail is sent.',
    'Um cupão é uma regra. Ninguém o pode usar antes de ter um código, que acrescenta a seguir. Nada é enviado por correio.',
  ),
  create: say('Create the coupon', 'Criar o cupão'),
  save: say('Save', 'Guardar'),
  fixed: say(
    'Orders use this coupon, so its value and its conditions stay as they are: what buyers were promised does not change. Archive it and create another one to offer something else.',
    'Há encomendas que usam este cupão, por isso o seu valor e as suas condições ficam como estão: o que foi prometido não muda. Arquive-o e crie outro para oferecer outra coisa.',
  ),
  items: say('Only for certain courses or products', 'Só para certos cursos ou produtos'),
  itemsAbout: say(
    'Choose these before you fill in the form below. Without any, the coupon applies to everything.',
    'Escolha-os antes de preencher o formulário abaixo. Sem nenhum, o cupão vale para tudo.',
  ),
  findItem: say('Search courses and products', 'Procurar cursos e produtos'),
  nothing: say('Nothing else was found.', 'Nada mais foi encontrado.'),
  remove: say('Remove', 'Retirar'),
  limits: say('Conditions and limits', 'Condições e limites'),
  types: say('Kinds of items', 'Tipos de artigos'),
  typesAbout: say('Without any, it applies to everything.', 'Sem nenhum, vale para tudo.'),
  valueAbout: say('Only the field of the chosen kind counts.', 'Só conta o campo do tipo escolhido.'),
  tagsHint: say(
    'Separated by commas. Empty: everybody may use it.',
    'Separadas por vírgulas. Vazio: todos o podem usar.',
  ),
  kind: {
    percent: say('A percentage off', 'Uma percentagem de desconto'),
    fixed: say('An amount off', 'Um valor de desconto'),
    free_trial: say('A longer trial', 'Uma experiência mais longa'),
  },
  payment_types: {
    any: say('Any price', 'Qualquer preço'),
    one_time: say('Prices that are paid once', 'Preços pagos uma vez'),
    recurring: say('Subscriptions and payment plans', 'Assinaturas e planos de pagamento'),
  },
  duration: {
    once: say('The first charge', 'A primeira cobrança'),
    repeating: say('Some charges', 'Algumas cobranças'),
    forever: say('Every charge', 'Todas as cobranças'),
  },
  fields: {
    name: say('Name (buyers see the code, not the name)', 'Nome (os compradores veem o código, não o nome)'),
    kind: say('What it does', 'O que faz'),
    percent_off: say('Percent off', 'Percentagem'),
    amount_off: say('Amount off ({currency})', 'Valor ({currency})'),
    trial_days: say('Days of trial', 'Dias de experiência'),
    starts_on: say('First day', 'Primeiro dia'),
    ends_on: say('Last day', 'Último dia'),
    max_redemptions: say('Uses in all', 'Utilizações no total'),
    max_per_member: say('Uses per member', 'Utilizações por membro'),
    minimum_amount: say('Smallest purchase ({currency})', 'Compra mínima ({currency})'),
    max_amount: say('Budget ({currency})', 'Orçamento ({currency})'),
    tags: say('Only members with a tag', 'Só membros com etiqueta'),
    payment_types: say('Applies to', 'Vale para'),
    duration: say('Of a subscription it reduces', 'De uma assinatura reduz'),
    periods: say('How many charges, if some', 'Quantas cobranças, se algumas'),
    first_purchase_only: say('Only for the first purchase of a person', 'Só para a primeira compra de uma pessoa'),
    stackable: say('Can be used together with other such coupons', 'Pode ser usado com outros cupões assim'),
    returns_on_refund: say('A full refund gives its use back', 'Um reembolso total devolve a utilização'),
    note: say('Note (visible to staff only)', 'Nota (só para a equipa)'),
  },
} as const
