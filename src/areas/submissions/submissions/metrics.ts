import { courseDimension } from '#src/areas/courses/index.ts'
import { lessonDimension } from '#src/areas/curriculum/index.ts'
import type { Metric } from '#src/contract/metric.ts'
import { submittedRows } from './metrics.queries.ts'

/** The metrics of submissions. */
export const submissionMetrics: readonly Metric[] = [
  {
    name: 'submissions',
    title: { en: 'Submitted work', pt: 'Trabalhos entregues' },
    about: { en: 'Work that students submitted for assignments', pt: 'Trabalhos que os alunos entregaram' },
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, lessonDimension],
    sources: ['submissions.submitted_at'],
    changes: ['submission.submitted', 'submission.withdrawn', 'member.erased', 'member.merged'],
    rows: submittedRows,
  },
]
