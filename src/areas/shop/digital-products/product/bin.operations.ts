import { binnable } from '#src/areas/school/index.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { reclaimNames } from '#src/db/slugs.ts'
import { productStatus } from '../status/queries.ts'
import { getProduct } from './access.ts'
import { getDeletedProduct, showProduct } from './bin.queries.ts'
import { productSlugs } from './conditions.ts'
import { productExternalIdTaken } from './rules.ts'
import { DigitalProduct, DigitalProductRestoration, ProductRef } from './schema.ts'
import { productView } from './views.ts'

/** The operations on a product in the bin. */
export const productBin = binnable('digital_product', {
  id: 'DigitalProduct',
  called: ['a digital product', 'digital product'],
  who: 'staff',
  scope: 'digital_products:write',
  path: '/digital-products/:product_id',
  params: ProductRef,
  returns: DigitalProduct,
  body: DigitalProductRestoration,
  fails: [slugTaken, productExternalIdTaken],
  about:
    'It is published as it was; a planned publication that is over by then is not made up for. If another product has its slug by now, send another `slug`.',
  example: { product_id: 'slug:sourdough-workbook' },
  async restore({ db, school, now }, id, { body }) {
    const row = await getDeletedProduct(db, school.id, id)
    const names = { slug: body.slug, externalIdTaken: productExternalIdTaken }
    await showProduct(db, school.id, id, await reclaimNames(db, school.id, productSlugs, row, names))
    await productStatus.resume(db, school.id, id, now)
  },
  get: getProduct,
  view: productView,
})
