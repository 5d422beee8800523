import type { Static } from 'typebox'
import { accessOf } from '#src/areas/learning/index.ts'
import {
  choosePrimary,
  createPrice,
  type PriceChange,
  type PricedKind,
  PricePage,
  PricesQuery,
  PrimaryPrice,
  priceArchived,
  priceList,
  priceView,
  retirePrice,
  tooManyPrices,
} from '#src/areas/school/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, operation, type WriteContext } from '#src/contract/operation.ts'
import { NewPrice, Price } from '#src/contract/price.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { getProduct, lockProduct } from '../product/access.ts'
import { productPrices } from '../product/conditions.ts'
import { workbook } from '../product/operations.ts'
import type { ProductRow } from '../product/queries.ts'
import { DigitalProduct, ProductRef } from '../product/schema.ts'
import { productView } from '../product/views.ts'
import { errorsOfProductPrice } from './rules.ts'
import { ProductPriceRef } from './schema.ts'

const onSale = exampleFrom('prc', 'listProductPrices', { having: { status: 'active' } })

const kind: PricedKind = { table: productPrices, name: 'digital_product', prefix: 'dpr' }

const hasAccess = async ({ db, school, caller }: AsCaller<Caller>, { id, status }: ProductRow) => {
  if (caller.member === undefined) return {}
  const item = { type: 'digital_product', id } as const
  const { access } = await accessOf(db, school.id, { memberId: caller.member.id, item })
  return { has_access: status !== 'draft' && access.state === 'active' }
}

const listProductPrices = operation({
  id: 'listProductPrices',
  route: 'GET /digital-products/:product_id/prices',
  summary: "List a product's prices",
  description:
    'Lists the prices of a product; with a token, also whether the person already has access. Staff see retired prices too.',
  scope: 'digital_products:read',
  who: 'anyone',
  mode: 'read',
  params: ProductRef,
  query: PricesQuery,
  returns: PricePage,
  example: { params: workbook },
  async handle(context) {
    const product = await getProduct(context, context.params.product_id)
    const of = { itemId: product.id, isManager: isStaff(context.caller) }
    const [listed, access] = await Promise.all([
      priceList(context, productPrices, of, async rows => rows.map(row => priceView(row, product, null))),
      hasAccess(context, product),
    ])
    return { ...listed, ...access }
  },
})

const recorded = ({ changed, record }: WriteContext, done: PriceChange): Static<typeof Price> => {
  if (done.change !== undefined) changed(done.change)
  for (const fact of done.facts) record(fact)
  return priceView(done.row, done, null)
}

const createProductPrice = operation({
  id: 'createProductPrice',
  route: 'POST /digital-products/:product_id/prices',
  summary: 'Create a product price',
  description:
    'Offers a product at a new price, which is `free`, `one_time` or a `payment_plan` and has no seat limit. Prices never change: `replaces` retires an earlier price at the same moment, and those who bought at it keep what they bought. Members get a product at a free price by checkout, as at any other.',
  scope: 'digital_products:write',
  who: 'staff',
  mode: 'write',
  params: ProductRef,
  body: NewPrice,
  returns: Price,
  status: 201,
  fails: [priceArchived, tooManyPrices],
  example: { params: workbook, body: { payment_type: 'one_time', amount: 1200 } },
  async handle(context) {
    const { params, body } = context
    const product = await lockProduct(context, params.product_id)
    refuseInvalid(errorsOfProductPrice(body))
    return recorded(context, await createPrice(context, kind, product, body))
  },
})

const archiveProductPrice = operation({
  id: 'archiveProductPrice',
  route: 'DELETE /digital-products/:product_id/prices/:price_id',
  summary: 'Retire a product price',
  description:
    'Stops selling a product at a price. Those who bought at it keep what they bought. If it was the primary price, the oldest price on sale becomes primary.',
  scope: 'digital_products:write',
  who: 'staff',
  mode: 'write',
  params: ProductPriceRef,
  returns: Price,
  example: { params: { ...workbook, price_id: onSale } },
  async handle(context) {
    const { params } = context
    const product = await lockProduct(context, params.product_id)
    return recorded(context, await retirePrice(context, kind, product, params.price_id))
  },
})

const setPrimaryProductPrice = operation({
  id: 'setPrimaryProductPrice',
  route: 'PUT /digital-products/:product_id/primary-price',
  summary: 'Set the primary product price',
  description: 'Selects the price of a product that is shown first.',
  scope: 'digital_products:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: ProductRef,
  body: PrimaryPrice,
  returns: DigitalProduct,
  fails: [priceArchived],
  example: { params: workbook, body: { price_id: onSale } },
  async handle(context) {
    const { params, body, requireMatch, changed, record } = context
    const product = await lockProduct(context, params.product_id)
    await requireMatch(product.revision, () => productView(context, product))
    const chosen = await choosePrimary(context, kind, product, body.price_id)
    if (chosen === undefined) return productView(context, product)
    changed(chosen.change)
    record(chosen.fact)
    return productView(context, { ...product, ...chosen.stored })
  },
})

/** The operations of prices of products, in the order of the documentation. */
export const productPriceOperations = [
  listProductPrices,
  createProductPrice,
  archiveProductPrice,
  setPrimaryProductPrice,
]
