import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts that several pages of coupons have, in every language; `{…}` is filled in. */
export const couponsText = {
  title: say('Coupons', 'Cupões'),
  about: say('Discounts, their codes, and what they did', 'Descontos, os seus códigos e o que fizeram'),
  add: say('Create a coupon', 'Criar um cupão'),
  preview: say('Try a code', 'Experimentar um código'),
  back: say('Back to the coupons', 'Voltar aos cupões'),
  backToOne: say('Back to the coupon', 'Voltar ao cupão'),
  find: say('Find', 'Procurar'),
  statuses: {
    archived: say('archived', 'arquivado'),
    off: say('switched off', 'desligado'),
    scheduled: say('not yet', 'ainda não começou'),
    over: say('over', 'terminado'),
    used_up: say('used up', 'esgotado'),
    active: say('active', 'ativo'),
  },
  uses: {
    never: say('not used yet', 'ainda não usado'),
    once: say('used once', 'usado uma vez'),
    times: say('used {n} times', 'usado {n} vezes'),
  },
  off: say('{value} off', 'menos {value}'),
  trial: say('{n} days of trial', '{n} dias de experiência'),
  types: {
    course: say('Courses', 'Cursos'),
    digital_product: say('Digital products', 'Produtos digitais'),
    membership_plan: say('Membership plans', 'Planos'),
    ticket: say('Tickets', 'Bilhetes'),
  },
} as const

/** The sentences for refusals on the pages of coupons. */
export const couponRefusals = {
  precondition_failed: say(
    'Somebody has changed the coupon since you opened the page, so nothing was done. Check it again.',
    'Alguém alterou o cupão desde que abriu a página, por isso nada foi feito. Verifique-o de novo.',
  ),
  coupon_in_use: say(
    'Nothing was changed: orders use this coupon, so only its name, last day, number of uses and note can change. Archive it and create another one.',
    'Nada foi alterado: há encomendas que usam este cupão, por isso só o nome, o último dia, o número de utilizações e a nota podem mudar. Arquive-o e crie outro.',
  ),
  code_taken: say('Another coupon has this code. Choose another one.', 'Outro cupão tem este código. Escolha outro.'),
  too_many_codes: say('A coupon can have 10,000 codes.', 'Um cupão pode ter 10 000 códigos.'),
  'invalid_body name': say(
    'Please enter a name, in at most 120 characters.',
    'Escreva um nome, no máximo com 120 caracteres.',
  ),
  'invalid_body percent_off': say(
    'Enter a percentage from 0.0001 to 100, such as 20 or 12.5.',
    'Escreva uma percentagem de 0,0001 a 100, como 20 ou 12,5.',
  ),
  'invalid_body amount_off': say(
    'Enter the amount that it takes off, such as 10.00.',
    'Escreva o valor do desconto, como 10,00.',
  ),
  'invalid_body trial_days': say('Enter a number of days from 1 to 365.', 'Escreva um número de dias de 1 a 365.'),
  'invalid_body items': say(
    'Choose at least one item, or let it apply to everything.',
    'Escolha pelo menos um artigo, ou deixe-o valer para tudo.',
  ),
  'invalid_body item_types': say('Choose at least one kind of item.', 'Escolha pelo menos um tipo de artigo.'),
  'invalid_body periods': say(
    'Enter how many charges it reduces, from 1 to 120.',
    'Escreva quantas cobranças reduz, de 1 a 120.',
  ),
  'invalid_body starts_on': say('This is not a day.', 'Isto não é um dia.'),
  'invalid_body ends_on': say(
    'The last day is before the first one, or is not a day.',
    'O último dia é antes do primeiro, ou não é um dia.',
  ),
  'invalid_body max_redemptions': say(
    'The number of uses is a whole number, and not below what was used already.',
    'O número de utilizações é um número inteiro e não menos do que já foi usado.',
  ),
  'invalid_body max_per_member': say(
    'Uses per member are a number from 1 to 1000.',
    'As utilizações por membro são um número de 1 a 1000.',
  ),
  'invalid_body max_amount': say(
    'The budget is an amount such as 500.00, and not for trials.',
    'O orçamento é um valor como 500,00, e não para experiências.',
  ),
  'invalid_body minimum_amount': say(
    'The smallest purchase is an amount such as 30.00.',
    'A compra mínima é um valor como 30,00.',
  ),
  'invalid_body payment_types': say(
    'A trial goes with recurring payments only.',
    'Uma experiência só vale para pagamentos recorrentes.',
  ),
  'invalid_body tags': say(
    'Tags have at most 50 characters each, and there are at most 20.',
    'As etiquetas têm no máximo 50 caracteres, e são no máximo 20.',
  ),
  'invalid_body note': say('The note is too long.', 'A nota é demasiado longa.'),
  'invalid_body code': say(
    'A code has 1 to 64 characters, with letters or digits.',
    'Um código tem de 1 a 64 caracteres, com letras ou algarismos.',
  ),
  'invalid_body count': say('Generate 1 to 10,000 codes.', 'Gere de 1 a 10 000 códigos.'),
  'invalid_body prefix': say(
    'What codes begin with has at most 20 characters.',
    'O início dos códigos tem no máximo 20 caracteres.',
  ),
  idempotency_key_reused: say(
    'This form was sent before with other values. Check the coupons before you send it again.',
    'Este formulário já foi enviado com outros valores. Verifique os cupões antes de enviar de novo.',
  ),
  invalid_parameter: say(
    'This cannot be tried. Check the code and the items.',
    'Isto não pode ser experimentado. Verifique o código e os artigos.',
  ),
} as const
