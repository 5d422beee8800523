import { type Metric, namesById } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { postTitles, publishedRows, viewRows } from './metrics.queries.ts'

const words = texts.publishing.posts.post.metrics

/** The metrics of posts. */
export const postMetrics: readonly Metric[] = [
  {
    name: 'posts_published',
    title: words.postMetrics.title,
    about: words.postMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [],
    sources: ['posts.published_at'],
    changes: ['post.published', 'post.unpublished', 'post.archived', 'post.unarchived', 'post.deleted'],
    rows: publishedRows,
  },
  {
    name: 'post_views',
    title: words.postMetrics.postViews,
    about: words.postMetrics.howOftenPostsWereOpened,
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [{ name: 'post', title: texts.words.post, prefixes: ['pst'], names: namesById(postTitles) }],
    sources: ['view_counts.at'],
    changes: [],
    rows: viewRows,
  },
]
