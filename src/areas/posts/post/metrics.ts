import type { Metric } from '#src/contract/metric.ts'
import { publishedRows } from './metrics.queries.ts'

/** The metrics of posts. */
export const postMetrics: readonly Metric[] = [
  {
    name: 'posts_published',
    title: { en: 'Posts published', pt: 'Artigos publicados' },
    about: { en: 'Posts that were published and are not deleted', pt: 'Artigos publicados e não eliminados' },
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [],
    sources: ['posts.published_at'],
    changes: ['post.published', 'post.unpublished', 'post.archived', 'post.unarchived', 'post.deleted'],
    rows: publishedRows,
  },
]
