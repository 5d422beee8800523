import type { Static } from 'typebox'
import { copyPrices } from '#src/areas/school/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { changeRow } from '#src/contract/change.ts'
import { inUseOf } from '#src/contract/items.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { offeredBy } from '#src/contract/status.ts'
import { readList } from '#src/db/list.ts'
import { moveSlug } from '#src/db/slugs.ts'
import { toId } from '#src/kit/ids.ts'
import { picked } from '#src/kit/patch.ts'
import { cleanTags } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { copyFiles } from '../files/writes.ts'
import { productStatus } from '../status/queries.ts'
import { getProduct, lockProduct } from './access.ts'
import { productBin } from './bin.operations.ts'
import { binProduct } from './bin.writes.ts'
import { productPrices, productSlugs } from './conditions.ts'
import { type ProductRow, type ProductValues, productList, storeProduct } from './queries.ts'
import { wasEverGiven } from './references.queries.ts'
import { mergeInput, productExternalIdTaken, productInUse, whyInUse } from './rules.ts'
import {
  DigitalProduct,
  DigitalProductChanges,
  DigitalProductCopy,
  DigitalProductPage,
  NewDigitalProduct,
  ProductRef,
  ProductSettings,
  ProductsQuery,
} from './schema.ts'
import { productView, productViews } from './views.ts'
import { addProduct, checkValues } from './writes.ts'

/** A product of the demo data, for the examples. */
export const workbook = { product_id: 'slug:sourdough-workbook' }

const expand = {
  categories: { scope: 'courses:read', who: 'anyone', summary: 'its categories' },
  prices: { scope: 'digital_products:read', who: 'anyone', summary: 'every price at which it is on sale' },
} as const

const listDigitalProducts = declareFor('anyone', 'digital_products', {
  id: 'listDigitalProducts',
  route: 'GET /digital-products',
  summary: 'List digital products',
  description:
    'Lists digital products. Everybody sees published and listed products, staff all of them. Filtering by a category includes its subcategories.',
  query: ProductsQuery,
  returns: DigitalProductPage,
  expand,
  handle(context) {
    const { school, caller, query } = context
    const filter = {
      isPublic: !isStaff(caller),
      q: query.q,
      status: query.status,
      categoryId: query.category_id,
      ids: query['id[in]'],
      tag: query.tag === undefined ? undefined : (cleanTags([query.tag])[0] ?? ''),
    }
    return readList(context, productList(school.id, filter), rows => productViews(context, rows))
  },
})

// The actions that status, role and scopes allow; dry_run reports what other rows forbid.
const listActions = (caller: Caller, { status }: ProductRow): string[] => {
  const reads = ['getDigitalProduct', 'listProductPrices', 'listProductFiles']
  if (!isStaff(caller)) return reads
  return [
    ...reads,
    'updateDigitalProduct',
    'copyDigitalProduct',
    ...offeredBy(productStatus, status),
    ...(status === 'draft' ? ['unpublishDigitalProduct'] : []),
    ...['createProductPrice', 'setPrimaryProductPrice'],
    'setProductFiles',
    'createProductGift',
    'deleteDigitalProduct',
  ]
}

const getDigitalProduct = declareFor('anyone', 'digital_products', {
  id: 'getDigitalProduct',
  route: 'GET /digital-products/:product_id',
  summary: 'Get a digital product',
  description:
    'Returns one digital product; with a token, also whether the person can download its files. Anyone who has its address can read an unlisted product; drafts and archived products are for staff. An earlier slug still works; the response has the current one.',
  params: ProductRef,
  returns: DigitalProduct,
  expand,
  example: { params: workbook },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const row = await getProduct(context, params.product_id)
    const view = await productView(context, row)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(listActions(caller, row)) }
  },
})

const createDigitalProduct = declareFor('staff', 'digital_products', {
  id: 'createDigitalProduct',
  route: 'POST /digital-products',
  summary: 'Create a digital product',
  description: 'Creates a digital product as a draft. Add its files with PUT /digital-products/{product_id}/files.',
  body: NewDigitalProduct,
  returns: DigitalProduct,
  status: 201,
  fails: [slugTaken, productExternalIdTaken],
  example: { body: { name: 'Sheet of proofing times', subtitle: 'For the kitchen door', download_limit: 5 } },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const rowId = await addProduct({ db, school, now }, body)
    const id = toId('dpr', rowId)
    const row = await getProduct(context, rowId)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'digital_product.created', payload: { product_id: id } })
    return productView(context, row)
  },
})

const updateDigitalProduct = declareFor('staff', 'digital_products', {
  id: 'updateDigitalProduct',
  route: 'PATCH /digital-products/:product_id',
  summary: 'Update a digital product',
  description:
    'Changes the fields of a digital product that the request names. An earlier slug keeps leading to the product. A new download limit counts the downloads before it too.',
  ifMatch: 'honoured',
  params: ProductRef,
  body: DigitalProductChanges,
  returns: DigitalProduct,
  fails: [slugTaken, productExternalIdTaken],
  example: { params: workbook, body: { subtitle: 'Recipes and tables to print' } },
  async handle(context) {
    const { db, school, params, body } = context
    const row = await lockProduct(context, params.product_id)
    return changeRow(context, row, {
      id: toId('dpr', row.id),
      fact: 'digital_product.updated',
      values: (): ProductValues => mergeInput(row, body),
      check: values => checkValues(context, values, row),
      store: async (values, fields) => {
        const stored = await storeProduct(db, school.id, row.id, values)
        if (fields.includes('slug'))
          await moveSlug(db, school.id, productSlugs, row.id, { from: row.slug, to: values.slug })
        return stored
      },
      view: stored => productView(context, stored),
    })
  },
})

const { name: _name, slug: _slug, external_id: _externalId, ...copied } = ProductSettings.properties
const copiedSettings = Object.keys(copied) as (keyof typeof copied)[]

// The input of the copy: everything but what names one product alone.
const buildCopy = (row: ProductRow, { name, slug }: Static<typeof DigitalProductCopy>) => ({
  ...picked(
    {
      ...row,
      category_ids: [...row.category_ids],
      tags: [...row.tags],
      seo: { title: row.seo_title, description: row.seo_description },
    },
    copiedSettings,
  ),
  name: name ?? row.name,
  ...(slug === undefined ? {} : { slug }),
})

const copyDigitalProduct = declareFor('staff', 'digital_products', {
  id: 'copyDigitalProduct',
  route: 'POST /digital-products/:product_id/copies',
  summary: 'Copy a product as a draft',
  description:
    'Creates a draft with the texts, categories, tags, current prices and current files of a product. Holders, downloads and the `external_id` are not copied. The copy gets a slug of its own.',
  params: ProductRef,
  body: DigitalProductCopy,
  returns: DigitalProduct,
  status: 201,
  fails: [slugTaken],
  example: { params: workbook, body: { name: 'Rye workbook' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const row = await lockProduct(context, params.product_id)
    const input = buildCopy(row, body)
    const copyId = await addProduct({ db, school, now }, input)
    await copyPrices({ db, schoolId: school.id, now }, productPrices, row, copyId)
    await copyFiles({ db, school, now }, row.id, copyId)
    const stored = await getProduct(context, copyId)
    const ids = { product_id: toId('dpr', copyId), copied_from_id: toId('dpr', row.id) }
    changed({ ids: [ids.product_id], fields: Object.keys(input), revision: stored.revision })
    record({ type: 'digital_product.copied', payload: ids })
    return productView(context, stored)
  },
})

const deleteDigitalProduct = declareFor('staff', 'digital_products', {
  id: 'deleteDigitalProduct',
  route: 'DELETE /digital-products/:product_id',
  summary: 'Delete a digital product',
  description:
    'Deletes a product that nobody has or had and no membership plan contains. For 30 days it is in the bin, from which it can be restored with its prices and files. Archive a product that somebody has or had.',
  ifMatch: 'honoured',
  params: ProductRef,
  returns: undefined,
  fails: [productInUse],
  example: { params: { product_id: 'slug:baking-calendar' } },
  async handle(context) {
    const { db, school, caller, params, requireMatch, changed, record } = context
    const row = await lockProduct(context, params.product_id)
    await requireMatch(row.revision, () => productView(context, row))
    const uses = (await inUseOf.call({ type: 'digital_product', id: row.id }, { school, db })).flat()
    if (uses.length > 0 || (await wasEverGiven(db, school.id, row.id)))
      throw new Refusal(productInUse, whyInUse(uses), { members: { in_use: uses } })
    await binProduct(context, row, caller.member.id)
    const id = toId('dpr', row.id)
    changed({ ids: [id], fields: [] })
    record({
      type: 'digital_product.deleted',
      payload: { product_id: id },
      effects: texts.shop.digitalProducts.product.operations.deleteDigitalProduct.effects,
    })
  },
})

/** The operations of products, in the order of the documentation. */
export const productOperations = [
  listDigitalProducts,
  getDigitalProduct,
  createDigitalProduct,
  updateDigitalProduct,
  copyDigitalProduct,
]

/** The deletion of a product and what can be done then, which the documentation has last. */
export const productDeletion = [deleteDigitalProduct, productBin.restore, productBin.purge]
