import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { getProduct, lockProduct } from '../product/access.ts'
import { workbook } from '../product/operations.ts'
import { touchProduct } from '../product/queries.ts'
import { ProductRef } from '../product/schema.ts'
import { productView } from '../product/views.ts'
import { countVersions, fileList, listFileRows, listVersions } from './queries.ts'
import {
  ProductFilePage,
  ProductFileRef,
  ProductFilesInput,
  ProductFilesQuery,
  ProductFileVersionPage,
} from './schema.ts'
import { canDownload, productFileView, versionView } from './views.ts'
import { storeFiles } from './writes.ts'

const listProductFiles = declareFor('anyone', 'digital_products', {
  id: 'listProductFiles',
  route: 'GET /digital-products/:product_id/files',
  summary: "List a product's files",
  description:
    'Lists the files of a product in their order. Everybody who sees the product sees their names and sizes; holders and staff also get the address at which a link to the bytes is created.',
  params: ProductRef,
  query: ProductFilesQuery,
  returns: ProductFilePage,
  example: { params: workbook },
  async handle(context) {
    const { school, params } = context
    const product = await getProduct(context, params.product_id)
    const isDownloadable = await canDownload(context, product)
    return readList(context, fileList(school.id, product.id), rows =>
      rows.map(row => productFileView(row, school, isDownloadable)),
    )
  },
})

const updatedFact = (id: string, notify: boolean): Fact => ({
  type: 'digital_product.updated',
  payload: { product_id: id, fields: ['files'], notify },
  effects: notify ? texts.shop.digitalProducts.files.operations.updatedFact.effects.mailsTheHoldersOfThe : {},
})

const setProductFiles = declareFor('staff', 'digital_products', {
  id: 'setProductFiles',
  route: 'PUT /digital-products/:product_id/files',
  summary: "Set a product's files",
  description:
    'Stores all files of a product, in their order. An entry is a file that stays (`id`) or an upload (`file_id`); with `replaces`, the upload becomes the next version of a file, whose downloads go on counting. Files that are left out are removed, and links to them stop working. Links to an earlier version keep working until they expire.',
  ifMatch: 'honoured',
  params: ProductRef,
  body: ProductFilesInput,
  returns: ProductFilePage,
  example: {
    params: workbook,
    body: { files: [{ id: exampleFrom('dpf', 'listProductFiles') }] },
  },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const product = await lockProduct(context, params.product_id)
    await requireMatch(product.revision, () => productView(context, product))
    const { isChanged, replaced } = await storeFiles(context, product.id, body)
    if (isChanged) {
      const id = toId('dpr', product.id)
      const { revision } = await touchProduct(db, school.id, product.id)
      changed({ ids: [id], fields: ['files'], revision })
      const notify = replaced.length > 0 && body.notify === true
      record(updatedFact(id, notify))
    }
    for (const { fileId, version } of replaced) {
      const payload = { product_id: toId('dpr', product.id), file_id: toId('dpf', fileId), version }
      record({ type: 'product_file.replaced', payload })
    }
    const rows = await listFileRows(db, school.id, [product.id])
    return { data: rows.map(row => productFileView(row, school, true)), has_more: false }
  },
})

const listProductFileVersions = declareFor('staff', 'digital_products', {
  id: 'listProductFileVersions',
  route: 'GET /digital-products/:product_id/files/:file_id/versions',
  summary: "List a file's versions",
  description: 'Lists the versions of a file of a product, the latest first.',
  params: ProductFileRef,
  query: ProductFilesQuery,
  returns: ProductFileVersionPage,
  example: { params: { ...workbook, file_id: exampleFrom('dpf', 'listProductFiles') } },
  async handle(context) {
    const { db, school, params } = context
    const product = await getProduct(context, params.product_id)
    const of = { productId: product.id, fileId: params.file_id }
    const [rows, count] = await Promise.all([
      listVersions(db, school.id, of, parsePage(context)),
      countVersions(db, school.id, of),
    ])
    if (count === 0) throw new Refusal(notFound, 'The product has no such file.')
    return buildPage(context, rows, {
      readPosition: ({ version }) => [String(version)],
      renderViews: some => some.map(versionView),
      total: async () => count,
    })
  },
})

/** The operations of files of products, in the order of the documentation. */
export const productFileOperations = [listProductFiles, setProductFiles, listProductFileVersions]
