import type { Phrase } from '#src/contract/language.ts'

/** A report: some metrics side by side over a range of days, for each combination of their dimensions. */
export type Report = {
  readonly name: string
  readonly title: Phrase
  readonly about: Phrase
  /** The dimensions of a row. */
  readonly by: readonly string[]
  /** The metrics of a row; the first one decides the order. */
  readonly metrics: readonly string[]
  /** Its rows are in the order of their dimensions, and count everything until the last day. */
  readonly isSinceBeginning?: true
  /** Which metric of a row is divided by which. */
  readonly share?: { readonly of: string; readonly among: string }
}

/** How much a value is of another one, in percent with one decimal place; null of nothing. */
export const percentageOf = (value: number, among: number): string | null =>
  among === 0 ? null : String(Math.round((value / among) * 1000) / 10)

/** The reports. One with a metric for staff is for staff. */
export const reports: readonly Report[] = [
  {
    name: 'revenue_by_item',
    title: { en: 'Revenue by item', pt: 'Receita por artigo' },
    about: {
      en: 'What each course, product, plan and ticket sold, and what was refunded',
      pt: 'O que cada curso, produto, plano e bilhete vendeu e o que foi reembolsado',
    },
    by: ['item'],
    metrics: ['sales', 'refunds', 'sales_tax'],
  },
  {
    name: 'revenue_by_campaign',
    title: { en: 'Revenue by campaign', pt: 'Receita por campanha' },
    about: {
      en: 'Orders by the campaign in the link that led to them',
      pt: 'Encomendas pela campanha na ligação que as trouxe',
    },
    by: ['campaign'],
    metrics: ['sales', 'orders_paid'],
  },
  {
    name: 'tax',
    title: { en: 'Tax', pt: 'Impostos' },
    about: { en: 'Sales and their tax by country and rate', pt: 'Vendas e respetivo imposto por país e taxa' },
    by: ['country', 'tax_rate'],
    metrics: ['sales', 'sales_tax'],
  },
  {
    name: 'coupons',
    title: { en: 'Coupons', pt: 'Cupões' },
    about: {
      en: 'How often each coupon was used, and what it took off',
      pt: 'Quantas vezes cada cupão foi usado e quanto descontou',
    },
    by: ['coupon'],
    metrics: ['discounts', 'coupon_orders'],
  },
  {
    name: 'failed_payments',
    title: { en: 'Failed payments', pt: 'Pagamentos falhados' },
    about: {
      en: 'Payments that failed, by provider and reason',
      pt: 'Pagamentos que falharam, por prestador e motivo',
    },
    by: ['provider', 'code'],
    metrics: ['failed_payments'],
  },
  {
    name: 'subscriptions',
    title: { en: 'Subscriptions', pt: 'Assinaturas' },
    about: {
      en: 'The monthly recurring revenue of each item on the last day, and how it changed',
      pt: 'A receita mensal recorrente de cada artigo no último dia e como mudou',
    },
    by: ['item'],
    metrics: [
      ...['mrr', 'new_mrr', 'expansion_mrr', 'contraction_mrr', 'churned_mrr', 'reactivated_mrr'],
      ...['paying_subscriptions', 'new_subscriptions', 'churned_subscriptions'],
    ],
  },
  {
    name: 'subscription_retention',
    title: { en: 'Retention by month of start', pt: 'Retenção por mês de início' },
    about: {
      en: 'Of the subscriptions that were first paid in each month: how many there were, and how many were left on the last day',
      pt: 'Das assinaturas pagas pela primeira vez em cada mês: quantas eram e quantas restavam no último dia',
    },
    by: ['started_in'],
    metrics: ['new_subscriptions', 'paying_subscriptions', 'new_mrr', 'mrr'],
    share: { of: 'paying_subscriptions', among: 'new_subscriptions' },
    isSinceBeginning: true,
  },
  {
    name: 'event_attendance',
    title: { en: 'Event attendance', pt: 'Presenças em eventos' },
    about: {
      en: 'Registrations, check-ins, no-shows and cancellations for each date of each event',
      pt: 'Inscrições, entradas, faltas e cancelamentos de cada data de cada evento',
    },
    by: ['event', 'occurrence'],
    metrics: ['registrations', 'check_ins', 'no_shows', 'cancelled_registrations'],
    share: { of: 'check_ins', among: 'registrations' },
  },
  {
    name: 'course_completion',
    title: { en: 'Course completion', pt: 'Conclusão de cursos' },
    about: {
      en: 'Enrollments, completed lessons, completed courses and certificates',
      pt: 'Inscrições, aulas concluídas, cursos concluídos e certificados',
    },
    by: ['course'],
    metrics: ['enrollments', 'lesson_completions', 'completions', 'certificates'],
    share: { of: 'completions', among: 'enrollments' },
  },
  {
    name: 'lesson_funnel',
    title: { en: 'Lessons', pt: 'Aulas' },
    about: { en: 'How many students completed each lesson', pt: 'Quantos alunos concluíram cada aula' },
    by: ['course', 'lesson'],
    metrics: ['lesson_completions', 'submissions'],
  },
  {
    name: 'quiz_results',
    title: { en: 'Quiz results', pt: 'Resultados de testes' },
    about: {
      en: 'Graded attempts at each quiz, passed or not',
      pt: 'Tentativas avaliadas de cada teste, aprovadas ou não',
    },
    by: ['course', 'lesson', 'outcome'],
    metrics: ['graded_attempts'],
  },
  {
    name: 'downloads',
    title: { en: 'Downloads', pt: 'Transferências' },
    about: { en: 'Downloads of each digital product', pt: 'Transferências de cada produto digital' },
    by: ['product'],
    metrics: ['downloads'],
  },
  {
    name: 'form_conversion',
    title: { en: 'Form conversion', pt: 'Conversão de formulários' },
    about: {
      en: 'How often each form was shown, and how often it was submitted; an app may submit a form that it did not read again',
      pt: 'Quantas vezes cada formulário foi mostrado e quantas foi respondido; uma aplicação pode responder sem voltar a ler o formulário',
    },
    by: ['form'],
    metrics: ['form_views', 'form_submissions'],
    share: { of: 'form_submissions', among: 'form_views' },
  },
  {
    name: 'post_readers',
    title: { en: 'Post readers', pt: 'Leitores de artigos' },
    about: {
      en: 'How often each post was opened by somebody who may read it; people are counted and not recorded',
      pt: 'Quantas vezes cada artigo foi aberto por alguém que o pode ler; as pessoas são contadas e não registadas',
    },
    by: ['post'],
    metrics: ['post_views'],
  },
]
