import { courseDimension } from '#src/areas/courses/index.ts'
import type { Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { issuedRows } from './metrics.queries.ts'

/** The metrics of certificates. */
export const certificateMetrics: readonly Metric[] = [
  {
    name: 'certificates',
    title: texts.words.certificates,
    about: texts.learning.certificates.metrics.certificateMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension],
    sources: ['certificates.issued_at'],
    changes: ['certificate.issued', 'certificate.replaced', 'member.merged'],
    rows: issuedRows,
  },
]
