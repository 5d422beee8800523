import { courseDimension } from '#src/areas/courses/index.ts'
import type { Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { learnerRows } from './metrics.queries.ts'

/** The metrics of learning that are counted by person. */
export const activityMetrics: readonly Metric[] = [
  {
    name: 'active_learners',
    title: texts.analytics.activity.metrics.activityMetrics.title,
    about: texts.analytics.activity.metrics.activityMetrics.about,
    unit: 'count',
    kind: 'distinct',
    who: 'lecturer_of',
    breakdowns: [courseDimension],
    sources: [],
    changes: [],
    rows: learnerRows,
  },
]
