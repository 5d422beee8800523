import { area } from '#src/contract/area.ts'
import { sweepRows } from '#src/contract/sweep.ts'
import { giftOperations } from './gifts/operations.ts'
import { onGiftGiven } from './gifts/subscribers.ts'
import { implementations } from './implementations.ts'
import { downloadMetrics } from './links/metrics.ts'
import { createDownloadEndpoint, downloadOperations } from './links/operations.ts'
import { deleteExpiredLinks } from './links/queries.ts'
import { productMails } from './mails.ts'
import { createNotifying, NOTICE_JOB } from './notices/jobs.ts'
import { onProductUpdated } from './notices/subscribers.ts'

export { GiftPage, HolderPage } from './gifts/schema.ts'
export { AccountDownloadPage, DownloadLink } from './links/schema.ts'

/** Who has digital products, by gift or otherwise, and how they download the files: links that are counted and logged. */
export const downloads = area({
  name: 'downloads',
  operations: [...giftOperations, ...downloadOperations],
  endpoints: ({ files, keyFor }) => [createDownloadEndpoint(files, keyFor)],
  hooks: implementations,
  subscribers: { 'gift.created': onGiftGiven, 'digital_product.updated': onProductUpdated },
  jobs: { [NOTICE_JOB]: { create: ({ database }) => createNotifying(database), atOnce: 1 } },
  mails: Object.values(productMails),
  sweeps: [sweepRows(deleteExpiredLinks)],
  metrics: downloadMetrics,
})
