import { contentReply, filesById, isStored, sendsBytes, wholeFile } from '#src/areas/files/index.ts'
import { accessView, nameOfPair, readAccesses } from '#src/areas/learning/index.ts'
import {
  canDownload,
  getProduct,
  listFileRows,
  ProductRef,
  productFileView,
} from '#src/areas/shop/digital-products/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { type Endpoint, type EndpointRequest, endpoint } from '#src/contract/endpoint.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, type Cells, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import {
  type Downloadable,
  type DownloadRow,
  downloadList,
  findActiveLink,
  findDownloadable,
  insertLink,
  listUsed,
  type OwnProduct,
  ownProductList,
} from './queries.ts'
import {
  computeLeft,
  computeSignature,
  DOWNLOADS,
  downloadLimitReached,
  isSignedLink,
  noDownload,
  noneLeft,
} from './rules.ts'
import {
  AccountDownloadPage,
  AccountDownloadsQuery,
  DownloadFileRef,
  DownloadLink,
  DownloadPage,
  DownloadsQuery,
  type ListDownloadsParams,
} from './schema.ts'
import { countDownload, loggedNetwork } from './writes.ts'

const workbook = { product_id: 'slug:sourdough-workbook' }

const readFilter = (productId: string, query: ListDownloadsParams) => ({
  productId,
  memberId: query.member_id,
  fileId: query.file_id,
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
})

const CELLS: Cells<DownloadRow> = {
  link_id: row => row.link_id,
  member_id: row => row.member_id,
  member_name: row => row.member_name,
  file_id: row => row.file_id,
  file_name: row => row.file_name,
  version: row => row.version,
  network: row => row.network,
  counted: row => row.is_counted,
  created_at: row => row.created_at,
}

const downloadView = ({ id: _id, changed_in: _changed, is_counted: counted, ...row }: DownloadRow) => ({
  ...row,
  counted,
})

const listProductDownloads = declareFor('staff', 'digital_products', {
  id: 'listProductDownloads',
  route: 'GET /digital-products/:product_id/downloads',
  summary: "List a product's downloads",
  description:
    'Lists who downloaded the files of a product, when and from which part of the network: one entry for each link and network in which it was used, so that a link that was passed on shows. The last bytes of addresses are not stored.',
  params: ProductRef,
  query: DownloadsQuery,
  returns: DownloadPage,
  csv: {
    cells: CELLS,
    statement: async context => {
      const product = await getProduct(context, context.params.product_id)
      return listStatement(downloadList(context.school.id, readFilter(product.id, context.query)))
    },
  },
  example: { params: workbook },
  async handle(context) {
    const { school, params, query } = context
    const product = await getProduct(context, params.product_id)
    return readList(context, downloadList(school.id, readFilter(product.id, query)), rows => rows.map(downloadView))
  },
})

const ownProductViews = async ({ db, school, caller }: AsCaller, rows: readonly OwnProduct[]) => {
  const memberId = caller.member.id
  const ids = rows.map(({ id }) => id)
  const pairs = ids.map(itemId => ({ memberId, itemId }))
  const [accesses, files, used] = await Promise.all([
    readAccesses(db, school.id, 'digital_product', pairs),
    listFileRows(db, school.id, ids),
    listUsed(db, school.id, memberId, ids),
  ])
  return rows.map(({ id, ...product }) => {
    const explained = accesses.get(nameOfPair({ memberId, itemId: id }))
    if (explained === undefined) throw new Error('every pair has an access')
    const own = files.filter(({ product_id }) => product_id === id)
    return {
      product_id: id,
      ...product,
      access: accessView(explained),
      files: own.map(file => {
        const counts = used.get(file.id)
        return {
          ...productFileView(file, school, true),
          downloads_left: counts === undefined ? null : computeLeft(counts.limit, counts.used),
        }
      }),
    }
  })
}

const listAccountDownloads = declareFor('self', 'account', {
  id: 'listAccountDownloads',
  route: 'GET /account/downloads',
  summary: 'List your downloads',
  description:
    'Lists the products that you can download now, with their files and how many downloads are left of each.',
  query: AccountDownloadsQuery,
  returns: AccountDownloadPage,
  handle(context) {
    const { school, caller, query } = context
    const list = ownProductList(school.id, caller.member.id, query.product_id)
    return readList(context, list, rows => ownProductViews(context, rows))
  },
})

const getDownloadable = async (context: AsCaller, fileId: string): Promise<Downloadable> => {
  const { db, school, caller } = context
  const file = await findDownloadable(db, school.id, caller.member.id, fileId)
  const product = file && { id: file.product_id, status: file.product_status }
  if (file === undefined || product === undefined || !(await canDownload(context, product)))
    throw new Refusal(notFound, 'There is no such file among your downloads.')
  return file
}

const createDownloadLink = declareFor('self', 'account', {
  id: 'createDownloadLink',
  route: 'POST /account/downloads/:file_id/links',
  summary: 'Create a download link',
  description:
    'Creates a link to the latest version of a file that you can download. The link works without a token for whoever has it, until it expires or your access ends. It counts as a download when its first byte is sent; ranges and resumed downloads of the same link are not counted again. Staff can download the files of every product, and theirs are not counted.',
  params: DownloadFileRef,
  returns: DownloadLink,
  status: 201,
  fails: [downloadLimitReached],
  example: { params: { file_id: exampleFrom('dpf', 'listAccountDownloads', { at: 'files.0.id' }) } },
  async handle(context) {
    const { db, school, caller, params, now, keyFor, changed, record } = context
    const file = await getDownloadable(context, params.file_id)
    const isCounted = !isStaff(caller)
    const left = isCounted ? computeLeft(file.download_limit, file.used) : null
    if (left === 0) throw noneLeft()
    const id = newUuid(now.getTime())
    const { version_id: versionId, link_minutes: minutes } = file
    const memberId = caller.member.id
    const expiresAt = await insertLink(db, school.id, { id, memberId, versionId, isCounted, minutes })
    const link = toId('dlk', id)
    changed({ ids: [link, toId('dpf', params.file_id)], fields: [], memberId })
    record({
      type: 'download_link.created',
      payload: { download_link_id: link, file_id: toId('dpf', params.file_id), member_id: toId('mem', memberId) },
    })
    const signature = computeSignature(keyFor(DOWNLOADS), { schoolId: school.id, linkId: id })
    const path = `${school.baseUrl}/downloads/${link}/${encodeURIComponent(file.filename)}`
    return { url: `${path}?signature=${signature}`, expires_at: expiresAt, left }
  },
})

// What is behind a link, as long as it works.
const findLinked = async (request: EndpointRequest, key: Buffer) => {
  const { school, database, params } = request
  const linkId = fromId('dlk', params.id ?? '')
  const signature = new URLSearchParams(request.query).get('signature') ?? ''
  if (linkId === undefined || !isSignedLink(key, { schoolId: school.id, linkId }, signature)) throw noDownload()
  return database.statements(school.id, async db => {
    const link = await findActiveLink(db, school.id, linkId, loggedNetwork(request))
    const file = link && (await filesById(db, school.id, [link.upload_id])).get(link.upload_id)
    if (link === undefined || file === undefined || file.filename !== params.name) throw noDownload()
    return { link, content: wholeFile(file, false) }
  })
}

/** Serves the files of products to whoever has a link; the first bytes of a link count as a download. */
export const createDownloadEndpoint = (files: Files, keyFor: (purpose: string) => Buffer): Endpoint =>
  endpoint({
    route: 'GET /downloads/:id/:name',
    handle: async request => {
      const { link, content } = await findLinked(request, keyFor(DOWNLOADS))
      if (!link.is_used && link.is_counted && computeLeft(link.download_limit, link.used) === 0) throw noneLeft()
      if (!(await isStored(request, files, content))) throw noDownload()
      const reply = await contentReply(request, files, content)
      // HEAD, an unchanged file and an impossible range send no bytes.
      if (sendsBytes(reply)) await countDownload(request, link)
      return reply
    },
  })

/** The operations of downloads, in the order of the documentation. */
export const downloadOperations = [listProductDownloads, listAccountDownloads, createDownloadLink]
