import { readAccess } from '#src/areas/learning/index.ts'
import { priced, priceView } from '#src/areas/school/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { getProduct, lockProduct } from '../product/access.ts'
import { productPrices } from '../product/conditions.ts'
import { workbook } from '../product/operations.ts'
import { DigitalProduct, ProductRef } from '../product/schema.ts'
import { productView } from '../product/views.ts'
import { errorsOfProductPrice } from './rules.ts'

/** The operations of prices of products, in the order of the documentation. */
export const productPriceOperations = priced(
  { table: productPrices, name: 'digital_product', prefix: 'dpr' },
  {
    ids: { item: 'Product', primary: 'setPrimaryProductPrice' },
    called: { item: 'product', price: 'product price' },
    path: '/digital-products/:product_id',
    params: ProductRef,
    returns: DigitalProduct,
    scopes: { reads: 'digital_products:read', writes: 'digital_products:write' },
    example: workbook,
    descriptions: {
      list: 'Lists the prices of a product; with a token, also whether the person already has access. Staff see retired prices too.',
      create:
        'Offers a product at a new price, which is `free`, `one_time` or a `payment_plan` and has no seat limit. Prices never change: `replaces` retires an earlier price at the same moment, and those who bought at it keep what they bought. Members get a product at a free price by checkout, as at any other.',
      archive:
        'Stops selling a product at a price. Those who bought at it keep what they bought. If it was the primary price, the oldest price on sale becomes primary.',
    },
    newPrice: { payment_type: 'one_time', amount: 1200 },
    get: getProduct,
    lock: lockProduct,
    view: productView,
    isManagedBy: isStaff,
    async hasAccess({ db, school }, { id, status }, memberId) {
      const { access } = await readAccess(db, school.id, { memberId, item: { type: 'digital_product', id } })
      return status !== 'draft' && access.state === 'active'
    },
    priceViews: (_context, rows, product) => rows.map(row => priceView(row, product, null)),
    listErrors: (_product, input) => errorsOfProductPrice(input),
  },
)
