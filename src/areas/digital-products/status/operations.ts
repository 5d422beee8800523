import type { Static } from 'typebox'
import type { Fact } from '#src/contract/fact.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import type { Warning } from '#src/contract/warning.ts'
import { toId } from '#src/kit/ids.ts'
import { isSameInstant } from '#src/kit/instant.ts'
import { lockProduct } from '../product/access.ts'
import { workbook } from '../product/operations.ts'
import type { ProductRow } from '../product/queries.ts'
import { checkMove } from '../product/rules.ts'
import { DigitalProduct, ProductRef } from '../product/schema.ts'
import { productView } from '../product/views.ts'
import { ProductPublication, PublishedProduct } from './schema.ts'
import { storeProductStatus } from './writes.ts'

type Context = WriteContext & { readonly params: Static<typeof ProductRef> }

type View = Static<typeof DigitalProduct>

type Move = {
  readonly to: ProductRow['status']
  readonly publishAt?: Date
  readonly fact: Omit<Fact, 'payload'>
}

const lockMatching = async (context: Context): Promise<ProductRow> => {
  const row = await lockProduct(context, context.params.product_id)
  await context.requireMatch(row.revision, () => productView(context, row))
  return row
}

// Moves a locked product to another status, or plans its publication, with its audit entry and fact.
const move = async (context: Context, row: ProductRow, { to, publishAt, fact }: Move): Promise<View> => {
  const { db, school, changed, record } = context
  const id = toId('dpr', row.id)
  const stored = await storeProductStatus(db, school.id, row.id, { status: to, publishAt })
  changed({ ids: [id], fields: ['status'], revision: stored.revision })
  record({ ...fact, payload: { digital_product: id, ...(publishAt === undefined ? {} : { at: publishAt }) } })
  return productView(context, stored)
}

const published: Move['fact'] = {
  type: 'digital_product.published',
  effects: {
    access: {
      en: 'Makes the product public: everybody can find it and buy it',
      pt: 'Torna o produto público: todos o podem encontrar e comprar',
    },
  },
}

const schedule = (context: Context, row: ProductRow, at: Date): Promise<View> => {
  if (at <= context.now) refuseInvalid([{ pointer: '/at', code: 'past', message: 'is over already' }])
  if (row.status !== 'draft')
    throw new Refusal(invalidState, `The product is ${row.status}; only a draft is scheduled.`)
  if (isSameInstant(row.publish_at, at)) return productView(context, row)
  return move(context, row, { to: 'draft', publishAt: at, fact: { type: 'digital_product.scheduled' } })
}

const LACKS: Readonly<Record<'no_price' | 'no_files', string>> = {
  no_price: 'The product has no active price yet: nobody can buy it.',
  no_files: 'The product has no files yet: there is nothing to download.',
}

const withWarnings = (view: View): Static<typeof PublishedProduct> => {
  const codes = [
    ...(view.primary_price === null ? (['no_price'] as const) : []),
    ...(view.file_count === 0 ? (['no_files'] as const) : []),
  ]
  const warnings: Warning[] = codes.map(code => ({ code, message: LACKS[code], ids: [] }))
  return { ...view, warnings }
}

const publishDigitalProduct = operation({
  id: 'publishDigitalProduct',
  route: 'PUT /digital-products/:product_id/publication',
  summary: 'Publish a digital product',
  description:
    'Publishes a product now, or at the instant in `at`, until which it stays a draft. `warnings` lists what the product lacks: files, a price.',
  scope: 'digital_products:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: ProductRef,
  body: ProductPublication,
  returns: PublishedProduct,
  fails: [invalidState],
  example: { params: workbook, body: {} },
  async handle(context) {
    const { body } = context
    const row = await lockMatching(context)
    if (body.at !== undefined) return withWarnings(await schedule(context, row, body.at))
    if (row.status === 'published') return withWarnings(await productView(context, row))
    checkMove(row.status, 'published')
    return withWarnings(await move(context, row, { to: 'published', fact: published }))
  },
})

const unpublishDigitalProduct = operation({
  id: 'unpublishDigitalProduct',
  route: 'DELETE /digital-products/:product_id/publication',
  summary: 'Unpublish a digital product',
  description:
    'Turns a published product back into a draft, or cancels a planned publication. Nobody finds a draft or downloads its files; those who have access can use it again once it is published.',
  scope: 'digital_products:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: ProductRef,
  returns: DigitalProduct,
  fails: [invalidState],
  example: { params: { product_id: 'slug:baking-calendar' } },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'draft' && row.publish_at === null) return productView(context, row)
    if (row.status === 'archived')
      throw new Refusal(invalidState, 'The product is archived; restore it from the archive first.')
    const type = row.status === 'draft' ? 'digital_product.unscheduled' : 'digital_product.unpublished'
    return move(context, row, { to: 'draft', fact: { type } })
  },
})

const archiveDigitalProduct = operation({
  id: 'archiveDigitalProduct',
  route: 'PUT /digital-products/:product_id/archive',
  summary: 'Archive a digital product',
  description: 'Archives a published product, which ends its sale. Members with access keep it.',
  scope: 'digital_products:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: ProductRef,
  returns: DigitalProduct,
  fails: [invalidState],
  example: { params: { product_id: 'slug:flour-guide' } },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'archived') return productView(context, row)
    checkMove(row.status, 'archived')
    return move(context, row, { to: 'archived', fact: { type: 'digital_product.archived' } })
  },
})

const unarchiveDigitalProduct = operation({
  id: 'unarchiveDigitalProduct',
  route: 'DELETE /digital-products/:product_id/archive',
  summary: 'Unarchive a digital product',
  description: 'Turns an archived product back into a draft.',
  scope: 'digital_products:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: ProductRef,
  returns: DigitalProduct,
  example: { params: { product_id: 'slug:baking-calendar' } },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status !== 'archived') return productView(context, row)
    return move(context, row, { to: 'draft', fact: { type: 'digital_product.unarchived' } })
  },
})

/** The operations that change the status of a product, in the order of the documentation. */
export const productStatusOperations = [
  publishDigitalProduct,
  unpublishDigitalProduct,
  archiveDigitalProduct,
  unarchiveDigitalProduct,
]
