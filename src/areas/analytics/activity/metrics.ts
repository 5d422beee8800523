import { courseDimension } from '#src/areas/courses/index.ts'
import type { Metric } from '#src/contract/metric.ts'
import { learnerRows } from './metrics.queries.ts'

/** The metrics of learning that are counted by person. */
export const activityMetrics: readonly Metric[] = [
  {
    name: 'active_learners',
    title: { en: 'Active learners', pt: 'Alunos ativos' },
    about: {
      en: 'People who watched, answered, submitted or completed something; each counts once in a point',
      pt: 'Pessoas que viram, responderam, entregaram ou concluíram algo; cada uma conta uma vez por ponto',
    },
    unit: 'count',
    kind: 'distinct',
    who: 'lecturer_of',
    breakdowns: [courseDimension],
    sources: [],
    changes: [],
    rows: learnerRows,
  },
]
