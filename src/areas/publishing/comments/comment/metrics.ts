import type { Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { writtenRows } from './metrics.queries.ts'

const words = texts.publishing.comments.comment.metrics

/** The metrics of comments. */
export const commentMetrics: readonly Metric[] = [
  {
    name: 'comments',
    title: texts.words.comments,
    about: words.commentMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [
      {
        name: 'subject',
        title: words.commentMetrics.breakdowns.title,
        labels: words.commentMetrics.breakdowns.labels,
      },
    ],
    sources: ['comments.created_at'],
    changes: ['comment.created'],
    rows: writtenRows,
  },
]
