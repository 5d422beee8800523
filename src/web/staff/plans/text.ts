import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts that several pages of membership plans have, in every language; `{…}` is filled in. */
export const plansText = {
  title: say('Membership plans', 'Planos'),
  about: say('Courses, products and posts sold together', 'Cursos, produtos e artigos vendidos em conjunto'),
  add: say('Create a plan', 'Criar um plano'),
  back: say('Back to the plans', 'Voltar aos planos'),
  backToOne: say('Back to the plan', 'Voltar ao plano'),
  statuses: {
    draft: say('draft', 'rascunho'),
    active: say('on sale', 'à venda'),
    archived: say('archived', 'arquivado'),
  },
  types: {
    recurring: say('While it is paid', 'Enquanto for pago'),
    fixed_date: say('Until a day', 'Até um dia'),
    fixed_length: say('For some time', 'Durante algum tempo'),
    lifetime: say('Without an end', 'Sem fim'),
  },
  itemTypes: {
    course: say('course', 'curso'),
    digital_product: say('product', 'produto'),
    event: say('event', 'evento'),
    post_category: say('category of posts', 'categoria de artigos'),
  },
  free: say('Free', 'Grátis'),
  noPrice: say('no price', 'sem preço'),
  intervals: {
    week: { one: say('per week', 'por semana'), other: say('every {n} weeks', 'a cada {n} semanas') },
    month: { one: say('per month', 'por mês'), other: say('every {n} months', 'a cada {n} meses') },
    year: { one: say('per year', 'por ano'), other: say('every {n} years', 'a cada {n} anos') },
  },
  payments: say('{n} payments', '{n} pagamentos'),
  trial: say('{n} days free', '{n} dias grátis'),
  items: { one: say('1 item', '1 artigo'), other: say('{n} items', '{n} artigos') },
  holders: { one: say('1 holder', '1 membro com o plano'), other: say('{n} holders', '{n} membros com o plano') },
  monthly: say('{amount} a month', '{amount} por mês'),
} as const

/** The sentences for refusals on these pages. */
export const planRefusals = {
  ...teachingText.refusals,
  precondition_failed: say(
    'Somebody has changed the plan since you opened the page, so nothing was done. Check it again.',
    'Alguém alterou o plano desde que abriu a página, por isso nada foi feito. Verifique-o de novo.',
  ),
  slug_taken: say(
    'Another plan has this name in addresses. Choose another one.',
    'Outro plano tem este nome nos endereços. Escolha outro.',
  ),
  plan_in_use: say(
    'Somebody holds or held the plan, or something uses it, so it cannot be deleted. Archive it instead.',
    'Alguém tem ou teve o plano, ou algo o usa, por isso não pode ser apagado. Arquive-o.',
  ),
  plan_type_fixed: say(
    'For how long the plan gives access cannot change: somebody holds or held it, or it has prices of another kind.',
    'A duração do acesso não pode mudar: alguém tem ou teve o plano, ou há preços de outro tipo.',
  ),
  invalid_state: say('The status of the plan does not allow this.', 'O estado do plano não o permite.'),
  price_archived: say('This price is no longer for sale.', 'Este preço já não está à venda.'),
  too_many_prices: say(
    'The plan has too many prices. End some first.',
    'O plano tem demasiados preços. Termine alguns primeiro.',
  ),
  too_many_items: say('A plan opens at most 500 items.', 'Um plano abre no máximo 500 artigos.'),
  unknown_item: say('This is not there any more.', 'Isto já não existe.'),
  'invalid_body name': say('Please enter a name.', 'Escreva um nome.'),
  'invalid_body slug': say(
    'The name in addresses has small letters, digits and hyphens.',
    'O nome nos endereços tem letras minúsculas, algarismos e hífenes.',
  ),
  'invalid_body description': say('The description is too long.', 'A descrição é demasiado longa.'),
  'invalid_body benefits': say(
    'There are at most 20 lines of benefits, of at most 200 characters each.',
    'Há no máximo 20 linhas de vantagens, com 200 caracteres cada uma.',
  ),
  'invalid_body ends_on': say(
    'A plan until a day needs that day, and it must not be over. The other plans have none.',
    'Um plano até um dia precisa desse dia, que ainda não pode ter passado. Os outros não o têm.',
  ),
  'invalid_body length': say(
    'A plan for some time needs a number of days or months from 1 on. The other plans have none.',
    'Um plano durante algum tempo precisa de um número de dias ou meses a partir de 1. Os outros não o têm.',
  ),
  'invalid_body amount': say(
    'Enter an amount such as 12.50. It is 0 for a free price only.',
    'Escreva um valor como 12,50. Só é 0 num preço grátis.',
  ),
  'invalid_body payment_type': say(
    'A plan that lasts while it is paid has subscriptions alone, and the others have none.',
    'Um plano que dura enquanto for pago só tem assinaturas, e os outros não as têm.',
  ),
  'invalid_body interval_count': say('Enter a number from 1 to 36.', 'Escreva um número de 1 a 36.'),
  'invalid_body number_of_payments': say(
    'Payments in parts are 2 to 60; leave it empty for the others.',
    'Os pagamentos em partes são de 2 a 60; nos outros deixe em branco.',
  ),
  'invalid_body trial_days': say(
    'Free days are 1 to 365, for subscriptions alone.',
    'Os dias grátis são de 1 a 365, só para assinaturas.',
  ),
} as const
