import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, Ref } from '#src/kit/shapes.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes, in hexadecimal' })

const Version = Type.Integer({ minimum: 1, description: 'The number of the version; 1 is the first' })

const bytes = {
  name: Type.String({ description: 'The name of the file' }),
  byte_size: Type.Integer({ minimum: 1 }),
  content_type: Type.String(),
  sha256: Sha256,
}

/** A file of a product, as its latest version is. */
export const ProductFile = Closed('ProductFile', {
  id: Id('dpf'),
  ...bytes,
  version: Version,
  position: Type.Integer({ minimum: 0, description: 'Its place among the files of the product' }),
  links_url: Nullable(
    Type.String({
      description: 'The address at which POST creates a link to the bytes; null for callers who cannot download it',
    }),
  ),
})

/** A page of the files of a product. */
export const ProductFilePage = PageOf(ProductFile, 'ProductFilePage')

/** The query parameters of the list of files. */
export const ProductFilesQuery = Type.Object({ ...PageQuery })

/** All files of a product, in their order. */
export const ProductFilesInput = Closed('ProductFilesInput', {
  files: Type.Array(
    Closed(
      'ProductFileInput',
      {
        id: Type.Optional({ ...Id('dpf'), description: 'A file of the product that stays: dpf_…' }),
        file_id: Type.Optional({ ...Id('fil'), description: 'A completed upload for products: fil_…' }),
        replaces: Type.Optional({
          ...Id('dpf'),
          description: 'The file of the product whose next version file_id is: dpf_…',
        }),
      },
      'Either id or file_id',
    ),
    { maxItems: 50, description: 'All files of the product, in their order; files that are left out are removed' },
  ),
  notify: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether holders get a mail about replaced files' }),
  ),
})

/** The input of the files of a product, as values. */
export type FilesInput = Static<typeof ProductFilesInput>

/** A file of a product, in a path. */
export const ProductFileRef = Type.Object({ product_id: Ref('dpr', ['external', 'slug']), file_id: Id('dpf') })

/** A version of a file of a product. */
export const ProductFileVersion = Closed('ProductFileVersion', {
  version: Version,
  file_id: Id('fil'),
  ...bytes,
  created_at: Instant,
})

/** A page of the versions of a file. */
export const ProductFileVersionPage = PageOf(ProductFileVersion, 'ProductFileVersionPage')
