import type { Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { addedRows, changeRows } from './metrics.queries.ts'

const words = texts.people.members.member.metrics

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
    title: words.memberMetrics.title,
    about: words.memberMetrics.about,
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
    title: texts.words.members,
    about: words.memberMetrics.howManyMembersThereWere,
    unit: 'count',
    kind: 'gauge',
    who: 'staff',
    breakdowns: [],
    sources: ['members.created_at', 'members.deleted_at'],
    changes: [
      ...added,
      'member.reinstated',
      'member.deleted',
      'member.erased',
      'member.merged',
      'import.undone',
      'import.stopped',
    ],
    rows: changeRows,
  },
]
