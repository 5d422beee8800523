import { type Metric, namesById } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { downloadRows, productNames } from './metrics.queries.ts'

/** The metrics of downloads. */
export const downloadMetrics: readonly Metric[] = [
  {
    name: 'downloads',
    title: texts.words.downloads,
    about: texts.shop.downloads.links.metrics.downloadMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [
      {
        name: 'product',
        title: texts.shop.downloads.links.metrics.downloadMetrics.breakdowns.title,
        prefixes: ['dpr'],
        names: namesById(productNames),
      },
    ],
    sources: ['product_downloads.created_at'],
    changes: ['download.counted'],
    rows: downloadRows,
  },
]
