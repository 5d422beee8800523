import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { productFileOperations } from './files/operations.ts'
import { implementations } from './implementations.ts'
import { productPriceOperations } from './prices/operations.ts'
import { productDeletion, productOperations } from './product/operations.ts'
import { productExternalIdTaken } from './product/rules.ts'
import { productStatusOperations } from './status/operations.ts'
import { productStatus } from './status/queries.ts'

export { listFileRows } from './files/queries.ts'
export { ProductFile, ProductFilePage, ProductFileVersionPage } from './files/schema.ts'
export { canDownload, productFileView } from './files/views.ts'
export { storeFiles } from './files/writes.ts'
export { addProductPrice } from './prices/writes.ts'
export { getProduct } from './product/access.ts'
export { binProduct } from './product/bin.writes.ts'
export { isDelivered } from './product/conditions.ts'
export { countPublicProducts, listPublicProducts, shareProduct } from './product/queries.ts'
export { DigitalProduct, DigitalProductPage, ProductRef } from './product/schema.ts'
export { addProduct } from './product/writes.ts'
export { productStatus } from './status/queries.ts'

/** Files that a school sells: products with prices, and versions of their files. */
export const digitalProducts = area({
  name: 'digital-products',
  operations: [
    ...productOperations,
    ...productPriceOperations,
    ...productStatusOperations,
    ...productFileOperations,
    ...productDeletion,
  ],
  hooks: implementations,
  jobs: productStatus.jobs,
  constraints: { digital_products_slug: slugTaken, digital_products_external_id: productExternalIdTaken },
})
