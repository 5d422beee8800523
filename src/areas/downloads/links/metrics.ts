import { type Metric, namesById } from '#src/contract/metric.ts'
import { downloadRows, productNames } from './metrics.queries.ts'

/** The metrics of downloads. */
export const downloadMetrics: readonly Metric[] = [
  {
    name: 'downloads',
    title: { en: 'Downloads', pt: 'Transferências' },
    about: { en: 'Downloads of digital products', pt: 'Transferências de produtos digitais' },
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [
      { name: 'product', title: { en: 'Product', pt: 'Produto' }, prefixes: ['dpr'], names: namesById(productNames) },
    ],
    sources: ['product_downloads.created_at'],
    changes: ['download.counted'],
    rows: downloadRows,
  },
]
