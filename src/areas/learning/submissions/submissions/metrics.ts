import { courseDimension, lessonDimension } from '#src/areas/courses/index.ts'
import type { Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { submittedRows } from './metrics.queries.ts'

/** The metrics of submissions. */
export const submissionMetrics: readonly Metric[] = [
  {
    name: 'submissions',
    title: texts.learning.submissions.metrics.submissionMetrics.title,
    about: texts.learning.submissions.metrics.submissionMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, lessonDimension],
    sources: ['submissions.submitted_at'],
    changes: ['submission.submitted', 'submission.withdrawn', 'member.erased', 'member.merged'],
    rows: submittedRows,
  },
]
