import { type Metric, namesById } from '#src/contract/metric.ts'
import { postTitles, publishedRows, viewRows } from './metrics.queries.ts'

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
  {
    name: 'post_views',
    title: { en: 'Post views', pt: 'Leituras de artigos' },
    about: {
      en: 'How often posts were opened, on a page or by an app, by somebody who may read the whole text and does not manage the post. Nobody is recorded, so who opens a post twice counts twice, and programs such as search engines count too',
      pt: 'Quantas vezes os artigos foram abertos, numa página ou por uma aplicação, por alguém que pode ler o texto inteiro e não gere o artigo. Ninguém é registado, por isso quem abre um artigo duas vezes conta duas vezes, e programas como motores de busca também contam',
    },
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [
      { name: 'post', title: { en: 'Post', pt: 'Artigo' }, prefixes: ['pst'], names: namesById(postTitles) },
    ],
    sources: ['view_counts.at'],
    changes: [],
    rows: viewRows,
  },
]
