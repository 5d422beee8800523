import Type, { type Static } from 'typebox'
import { AccessView } from '#src/areas/learning/index.ts'
import { ProductFile } from '#src/areas/shop/digital-products/index.ts'
import { AfterQuery, PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable } from '#src/kit/shapes.ts'

const Left = Nullable(
  Type.Integer({ minimum: 0, description: 'How many downloads of the file are left; null without a limit' }),
)

/** A use of a link to a file of a product, from one network. */
const Download = Closed('Download', {
  link_id: Id('dlk'),
  member_id: Id('mem'),
  member_name: Type.String({ description: 'Whose link it is' }),
  file_id: Id('dpf'),
  file_name: Type.String({ description: 'The name of the file' }),
  version: Type.Integer({ minimum: 1, description: 'The version of the file' }),
  network: Nullable(
    Type.String({
      description: 'From where: the first bytes of the address (/24 or /48); null after the member was erased',
    }),
  ),
  counted: Type.Boolean({ description: 'Whether it took one of the downloads of the member' }),
  created_at: Instant,
})

/** A page of the downloads of a product. */
export const DownloadPage = PageOf(Download, 'DownloadPage')

/** The query parameters of the list of downloads. */
export const DownloadsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  member_id: Type.Optional(Id('mem')),
  file_id: Type.Optional(Id('dpf')),
  'created_at[gte]': Type.Optional(Instant),
  'created_at[lt]': Type.Optional(Instant),
})

/** The same as values. */
export type ListDownloadsParams = Static<typeof DownloadsQuery>

/** A product that a member can download, with its files. */
const AccountDownload = Closed('AccountDownload', {
  product_id: Id('dpr'),
  name: Type.String({ description: 'What the product is called' }),
  slug: Type.String({ description: 'Its name in addresses' }),
  license_text: Type.String({ description: 'What buyers may do with the files, as plain text' }),
  access: AccessView,
  files: Type.Array(Closed('AccountDownloadFile', { ...ProductFile.properties, downloads_left: Left }), {
    description: 'The files in their order',
  }),
})

/** A page of the products that a member can download. */
export const AccountDownloadPage = PageOf(AccountDownload, 'AccountDownloadPage')

/** The query parameters of the list of one's own downloads. */
export const AccountDownloadsQuery = Type.Object({
  ...PageQuery,
  product_id: Type.Optional({ ...Id('dpr'), description: 'Only this product' }),
})

/** A file of a product, in a path of one's own downloads. */
export const DownloadFileRef = Type.Object({ file_id: Id('dpf') })

/** A link to the bytes of a file. */
export const DownloadLink = Closed('DownloadLink', {
  url: Type.String({ description: 'The address of the bytes, for GET and HEAD; whoever has it can use it' }),
  expires_at: Instant,
  left: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'How many downloads of the file are left before this one; null without a limit',
    }),
  ),
})
