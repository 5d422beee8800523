import { categoryDeletion } from '#src/areas/courses/index.ts'
import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import { revokeLine } from '#src/areas/learning/index.ts'
import { countInOtherCurrency, currencyUses } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { itemExists, itemNames, namedItems } from '#src/contract/items.ts'
import { fulfil, offerOf, reserve, unfulfil } from '#src/contract/offer.ts'
import { blockOf } from '#src/contract/page-blocks.ts'
import { dropLinks } from '#src/db/links.ts'
import { toId } from '#src/kit/ids.ts'
import { findProductOffer } from './prices/lookups.ts'
import { fulfilProduct } from './prices/writes.ts'
import { productCards } from './product/cards.lookups.ts'
import { productCategories, productPrices, productSlugs } from './product/conditions.ts'
import { shareProduct } from './product/queries.ts'
import { listFileReferences, listProductNames } from './product/references.queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(currencyUses, async ({ currency }, { db, school }) => [
    { kind: 'product_price', count: await countInOtherCurrency(db, school.id, productPrices, currency) },
  ]),
  implement(categoryDeletion, async ({ categoryId }, { db, school }) => {
    const ids = await dropLinks(db, school.id, productCategories, productSlugs.rows, categoryId)
    return ids.map(id => toId('dpr', id))
  }),
  implement(itemExists, async ({ type, id }, { db, school }) => {
    if (type !== 'digital_product') return undefined
    // The lock prevents that a product is deleted while a bundle opens it.
    const name = await shareProduct(db, school.id, id)
    return name === undefined ? 'unknown' : { name }
  }),
  implement(itemNames, async ({ type, ...asked }, { db, school }) =>
    namedItems(type === 'digital_product' ? await listProductNames(db, school.id, asked) : [], '/products'),
  ),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listFileReferences(db, school.id, fileIds)).map(row => ({
      fileId: row.file_id,
      kind: 'digital_product',
      id: toId('dpr', row.product_id),
      name: row.name,
      isDownload: row.is_sold,
    })),
  ),
  implement(filesPublic, async ({ fileIds }, { db, school }) =>
    (await listFileReferences(db, school.id, fileIds)).filter(row => row.is_public).map(row => row.file_id),
  ),
  implement(offerOf, (price, context) => findProductOffer(context, price)),
  implement(blockOf, async ({ block, keyFor }, context) =>
    block.type === 'products' ? productCards({ ...context, keyFor }, block) : undefined,
  ),
  // Nothing of a product is scarce, so only its deletion is prevented.
  implement(reserve, async ({ offer, until }, { db, school }) => {
    if (offer.item.type !== 'digital_product') return undefined
    return (await shareProduct(db, school.id, offer.item.id)) === undefined ? undefined : { reservedUntil: until }
  }),
  implement(fulfil, async ({ now, ...line }, context) =>
    line.offer.item.type === 'digital_product' ? fulfilProduct({ ...context, now }, line) : [],
  ),
  implement(unfulfil, ({ now, ...line }, context) => revokeLine({ ...context, now }, 'digital_product', line)),
]
