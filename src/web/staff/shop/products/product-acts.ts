import { texts } from '#src/texts/index.ts'
import { type Act, fieldsFor, line, money, required, time, whole } from '#src/web/page/index.ts'
import type { ProductShown } from './shown.ts'

const { acts } = texts.staff.products

const priceFields = fieldsFor<{ amount: number | null; days: number | null }>()(acts.price.fields, {
  amount: money(),
  days: whole(),
})

const isDraft = ({ status }: ProductShown): boolean => status === 'draft'

/** What staff do on the page of a product. Prices are added, shown first and ended in their list. */
export const productActs = {
  publish: { operation: 'publishDigitalProduct', body: {}, offered: isDraft },
  schedule: {
    operation: 'publishDigitalProduct',
    fields: fieldsFor<{ at: string }>()(acts.schedule.fields, { at: required(time()) }),
    offered: isDraft,
  },
  unpublish: {
    operation: 'unpublishDigitalProduct',
    offered: ({ status, publish_at: at }) => status === 'published' || at != null,
  },
  archive: { operation: 'archiveDigitalProduct', offered: ({ status }) => status === 'published' },
  unarchive: { operation: 'unarchiveDigitalProduct', offered: ({ status }) => status === 'archived' },
  copy: { operation: 'copyDigitalProduct', body: {}, isOnce: true, offered: () => true },
  delete: {
    operation: 'deleteDigitalProduct',
    offered: ({ holder_count: holders = 0, sales = 0 }) => holders === 0 && sales === 0,
  },
  price: {
    operation: 'createProductPrice',
    fields: {
      ...priceFields,
      body(form, reader) {
        const { amount, days } = priceFields.body(form, reader)
        const access = days === null ? {} : { access: { days } }
        return { payment_type: amount === 0 ? 'free' : 'one_time', amount, ...access }
      },
    },
    isOnce: true,
    offered: () => false,
  },
  primary: {
    operation: 'setPrimaryProductPrice',
    fields: fieldsFor<{ price_id: string }>()(
      { price_id: { label: acts.primary.button } },
      { price_id: line({ most: 40 }) },
    ),
    offered: () => false,
  },
  retire: { operation: 'archiveProductPrice', params: { price_id: 'price' }, offered: () => false },
} as const satisfies Readonly<Record<string, Act<ProductShown>>>
