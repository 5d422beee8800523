import { listItemPrices, listSaleWarnings } from '#src/areas/school/index.ts'
import { publishable } from '#src/contract/publishable.ts'
import { buildLack } from '#src/contract/warning.ts'
import { texts } from '#src/texts/index.ts'
import { getProduct, lockProduct } from '../product/access.ts'
import { productPrices } from '../product/conditions.ts'
import { workbook } from '../product/operations.ts'
import { DigitalProduct, ProductRef } from '../product/schema.ts'
import { productView } from '../product/views.ts'
import { productStatus } from './queries.ts'

/** The operations that change the status of a product. */
export const { operations: productStatusOperations } = publishable(productStatus, {
  scope: 'digital_products:write',
  path: '/digital-products/:product_id',
  params: ProductRef,
  returns: DigitalProduct,
  called: ['a digital product', 'product'],
  lock: lockProduct,
  get: getProduct,
  view: productView,
  publish: {
    description:
      'Publishes a product now, or at the instant in `at`, until which it stays a draft. `warnings` lists what the product lacks: files, a price, or a school that can be paid (`cannot_be_paid`).',
    example: workbook,
    effect: texts.shop.digitalProducts.status.operations.published,
    whyNotScheduled: status => `The product is ${status}; only a draft is scheduled.`,
    warnings: async ({ db, school }, { primary_price: price, file_count: files }, { id }) => [
      ...buildLack(price === null, 'no_price', 'The product has no active price yet: nobody can buy it.'),
      ...buildLack(files === 0, 'no_files', 'The product has no files yet: there is nothing to download.'),
      ...(await listSaleWarnings({ db, school }, await listItemPrices(db, school.id, productPrices, [id]))),
    ],
  },
  unpublish: {
    description:
      'Turns a published product back into a draft, or cancels a planned publication. Nobody finds a draft or downloads its files; those who have access can use it again once it is published.',
    example: { product_id: 'slug:baking-calendar' },
  },
  archive: {
    description: 'Archives a published product, which ends its sale. Members with access keep it.',
    example: { product_id: 'slug:flour-guide' },
  },
})
