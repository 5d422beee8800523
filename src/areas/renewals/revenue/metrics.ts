import { itemDimension } from '#src/areas/orders/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Dimension, Metric } from '#src/contract/metric.ts'
import { countRows, type Movement, revenueRows } from './metrics.queries.ts'

const startedIn: Dimension = { name: 'started_in', title: { en: 'Month of start', pt: 'Mês de início' } }

const changed = {
  who: 'staff',
  breakdowns: [itemDimension, startedIn],
  sources: ['mrr_changes.at'],
  changes: [
    ...['subscription.activated', 'subscription.renewed', 'subscription.past_due', 'subscription.recovered'],
    ...['subscription.paused', 'subscription.resumed', 'subscription.price_changed', 'subscription.canceled'],
    ...['subscription.completed', 'subscription.expired', 'subscription.code_set', 'subscription.code_removed'],
    ...['subscription.started', 'member.suspended', 'member.reinstated', 'member.erased'],
  ],
} as const satisfies Partial<Metric>

const movement = (name: string, of: Movement, title: Phrase, about: Phrase): Metric => ({
  ...changed,
  name,
  title,
  about,
  unit: 'money',
  kind: 'sum',
  rows: revenueRows(of),
})

/**
 * The metrics of subscriptions: monthly recurring revenue, how it changed, and how many subscriptions bring it. The values of
 * the movements add up to the change of the revenue.
 */
export const subscriptionMetrics: readonly Metric[] = [
  {
    ...changed,
    name: 'mrr',
    title: { en: 'Monthly recurring revenue', pt: 'Receita mensal recorrente' },
    about: {
      en: 'What subscriptions bring in a month at the end of a point: a twelfth of a yearly price, 52 twelfths of a weekly one, less the codes that reduce coming periods; past due ones count, trials and paused ones do not',
      pt: 'O que as assinaturas rendem por mês no fim de cada ponto: um doze avos de um preço anual, 52 doze avos de um semanal, menos os códigos que reduzem os próximos períodos; contam as que têm pagamentos em atraso, e não os períodos de teste nem as que estão em pausa',
    },
    unit: 'money',
    kind: 'gauge',
    rows: revenueRows(),
  },
  movement(
    'new_mrr',
    'new',
    { en: 'New recurring revenue', pt: 'Nova receita recorrente' },
    {
      en: 'The monthly revenue of subscriptions that were paid for the first time',
      pt: 'A receita mensal das assinaturas pagas pela primeira vez',
    },
  ),
  movement(
    'expansion_mrr',
    'expansion',
    { en: 'Expansion', pt: 'Expansão' },
    {
      en: 'What monthly revenue grew by in subscriptions that went on, such as by a higher price or the end of a code',
      pt: 'O aumento da receita mensal das assinaturas que continuaram, por exemplo por um preço mais alto ou pelo fim de um código',
    },
  ),
  movement(
    'contraction_mrr',
    'contraction',
    { en: 'Contraction', pt: 'Contração' },
    {
      en: 'What monthly revenue fell by in subscriptions that went on, as a negative amount',
      pt: 'A redução da receita mensal das assinaturas que continuaram, como valor negativo',
    },
  ),
  movement(
    'churned_mrr',
    'churned',
    { en: 'Churned revenue', pt: 'Receita perdida' },
    {
      en: 'The monthly revenue of subscriptions that ended or were paused, and of members who were suspended, as a negative amount',
      pt: 'A receita mensal das assinaturas que terminaram ou ficaram em pausa, e dos membros suspensos, como valor negativo',
    },
  ),
  movement(
    'reactivated_mrr',
    'reactivated',
    { en: 'Reactivated revenue', pt: 'Receita reativada' },
    {
      en: 'The monthly revenue of subscriptions that were resumed, and of members who were reinstated',
      pt: 'A receita mensal das assinaturas retomadas e dos membros readmitidos',
    },
  ),
  {
    ...changed,
    name: 'paying_subscriptions',
    title: { en: 'Paying subscriptions', pt: 'Assinaturas pagas' },
    about: {
      en: 'How many subscriptions brought something at the end of a point; by `started_in`, how many of each month were left',
      pt: 'Quantas assinaturas rendiam algo no fim de cada ponto; por `started_in`, quantas restavam de cada mês',
    },
    unit: 'count',
    kind: 'gauge',
    rows: countRows(),
  },
  {
    ...changed,
    name: 'new_subscriptions',
    title: { en: 'New subscriptions', pt: 'Novas assinaturas' },
    about: {
      en: 'Subscriptions that were paid for the first time',
      pt: 'Assinaturas pagas pela primeira vez',
    },
    unit: 'count',
    kind: 'count',
    rows: countRows('new'),
  },
  {
    ...changed,
    name: 'churned_subscriptions',
    title: { en: 'Churned subscriptions', pt: 'Assinaturas perdidas' },
    about: {
      en: 'Subscriptions that ended or were paused, and those of members who were suspended',
      pt: 'Assinaturas que terminaram ou ficaram em pausa, e as de membros suspensos',
    },
    unit: 'count',
    kind: 'count',
    rows: countRows('churned'),
  },
]
