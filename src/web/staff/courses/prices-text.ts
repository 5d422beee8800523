import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page with the prices of a course. */
export const pricesText = {
  title: say('Prices: {name}', 'Preços: {name}'),
  about: say(
    'A price never changes: add another one and end the old one. Who has bought keeps what they bought.',
    'Um preço nunca muda: acrescente outro e termine o antigo. Quem comprou mantém o que comprou.',
  ),
  none: say(
    'There is no price yet, so only staff can enroll students.',
    'Ainda não há preço; só a equipa pode inscrever estudantes.',
  ),
  forStaff: say(
    'Only admins and owners add and end prices.',
    'Só administradores e proprietários acrescentam e terminam preços.',
  ),
  primary: say('shown first', 'mostrado primeiro'),
  makePrimary: say('Show first', 'Mostrar primeiro'),
  retire: say('End this price', 'Terminar este preço'),
  retireAbout: say(
    'Nobody can buy at this price any more, for good. Who bought keeps the course.',
    'Ninguém pode comprar mais por este preço, para sempre. Quem comprou mantém o curso.',
  ),
  free: say('Free', 'Grátis'),
  days: say('{n} days of access', '{n} dias de acesso'),
  until: say('access until {day}', 'acesso até {day}'),
  seats: say('seats left: {n}', 'lugares livres: {n}'),
  types: {
    free: say('free', 'grátis'),
    one_time: say('one payment', 'um pagamento'),
    subscription: say('subscription', 'assinatura'),
    payment_plan: say('instalments', 'prestações'),
  },
  every: { week: say('per week', 'por semana'), month: say('per month', 'por mês'), year: say('per year', 'por ano') },
  add: say('Add a price', 'Acrescentar um preço'),
  type: say('How it is paid', 'Como é pago'),
  amount: say('Amount in {currency}', 'Valor em {currency}'),
  amountHint: say(
    'Such as 49 or 49.50. Leave it empty where it is free.',
    'Como 49 ou 49,50. Deixe vazio se for grátis.',
  ),
  accessDays: say('Days of access', 'Dias de acesso'),
  accessDaysHint: say('Empty: without end.', 'Vazio: sem fim.'),
  cap: say('Seats', 'Lugares'),
  capHint: say(
    'It is not sold while this many people may use the course. Empty: no limit.',
    'Não é vendido enquanto tantas pessoas puderem usar o curso. Vazio: sem limite.',
  ),
  recurring: say('For subscriptions and instalments', 'Para assinaturas e prestações'),
  interval: say('Paid again every', 'Pago de novo a cada'),
  intervals: { week: say('week', 'semana'), month: say('month', 'mês'), year: say('year', 'ano') },
  count: say('Every how many of them', 'De quantos em quantos'),
  countHint: say('2 with “month”: every two months.', '2 com «mês»: de dois em dois meses.'),
  payments: say('Number of payments', 'Número de pagamentos'),
  paymentsHint: say('For instalments.', 'Para prestações.'),
  trial: say('Days before the first payment', 'Dias antes do primeiro pagamento'),
  trialHint: say('For subscriptions.', 'Para assinaturas.'),
  errors: {
    amount: say(
      'Enter an amount such as 49 or 49.50, and nothing where it is free.',
      'Escreva um valor como 49 ou 49,50, e nada se for grátis.',
    ),
    access_days: say('Enter a number of days from 1 to 36,500.', 'Escreva um número de dias de 1 a 36 500.'),
    enrollment_cap: say('Enter a number from 1 to 1,000,000.', 'Escreva um número de 1 a 1 000 000.'),
    number_of_payments: say('Enter 2 to 60 payments.', 'Escreva 2 a 60 pagamentos.'),
    interval_count: say('Enter a number from 1 to 36.', 'Escreva um número de 1 a 36.'),
    trial_days: say('Enter a number of days from 1 to 365.', 'Escreva um número de dias de 1 a 365.'),
  },
} as const
