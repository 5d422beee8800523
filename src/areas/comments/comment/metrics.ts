import type { Metric } from '#src/contract/metric.ts'
import { writtenRows } from './metrics.queries.ts'

/** The metrics of comments. */
export const commentMetrics: readonly Metric[] = [
  {
    name: 'comments',
    title: { en: 'Comments', pt: 'Comentários' },
    about: {
      en: 'Comments that were written, whatever became of them',
      pt: 'Comentários escritos, seja qual for o seu estado',
    },
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [
      {
        name: 'subject',
        title: { en: 'Written below', pt: 'Escritos em' },
        labels: {
          post: { en: 'posts', pt: 'artigos' },
          course: { en: 'courses', pt: 'cursos' },
          lesson: { en: 'lessons', pt: 'aulas' },
          event: { en: 'events', pt: 'eventos' },
        },
      },
    ],
    sources: ['comments.created_at'],
    changes: ['comment.created'],
    rows: writtenRows,
  },
]
