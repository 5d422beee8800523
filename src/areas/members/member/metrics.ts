import type { Metric } from '#src/contract/metric.ts'
import { addedRows, changeRows } from './metrics.queries.ts'

const added = [
  'member.created',
  'member.invited',
  'member.imported',
  'member.registered',
  'student.imported',
  'order.placed',
]

/** The metrics of members. */
export const memberMetrics: readonly Metric[] = [
  {
    name: 'new_members',
    title: { en: 'New members', pt: 'Novos membros' },
    about: { en: 'Members who were added or created an account', pt: 'Membros adicionados ou que criaram uma conta' },
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [],
    sources: ['members.created_at'],
    changes: added,
    rows: addedRows,
  },
  {
    name: 'members',
    title: { en: 'Members', pt: 'Membros' },
    about: {
      en: 'How many members there were at the end of a point',
      pt: 'Quantos membros havia no fim de cada ponto',
    },
    unit: 'count',
    kind: 'gauge',
    who: 'staff',
    breakdowns: [],
    sources: ['members.created_at', 'members.deleted_at'],
    changes: [...added, 'member.deleted', 'member.erased', 'member.merged'],
    rows: changeRows,
  },
]
