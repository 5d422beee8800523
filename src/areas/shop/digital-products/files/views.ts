import type { Static } from 'typebox'
import { readAccess } from '#src/areas/learning/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import type { ProductRow } from '../product/queries.ts'
import type { ProductFileRow, VersionRow } from './queries.ts'
import type { ProductFile, ProductFileVersion } from './schema.ts'

/** Whether a caller can create links to the files of a product: staff, and holders of one that is not a draft. */
export const canDownload = async (
  { db, school, caller }: AsCaller<Caller>,
  { id, status }: Pick<ProductRow, 'id' | 'status'>,
): Promise<boolean> => {
  if (isStaff(caller)) return true
  if (caller.member === undefined || status === 'draft') return false
  const item = { type: 'digital_product', id } as const
  const { access } = await readAccess(db, school.id, { memberId: caller.member.id, item })
  return access.state === 'active'
}

const describeBytes = ({ name, byte_size, content_type, sha256 }: Omit<VersionRow, 'created_at'>) => ({
  name,
  byte_size,
  content_type,
  sha256: sha256.toString('hex'),
})

/** The address at which a link to a file of a product is created. */
const linksUrl = ({ baseUrl }: Pick<School, 'baseUrl'>, fileId: string): string =>
  `${baseUrl}/api/v1/account/downloads/${toId('dpf', fileId)}/links`

/** The view of a file of a product; only those who can download it get the address of its links. */
export const productFileView = (
  row: ProductFileRow,
  school: Pick<School, 'baseUrl'>,
  isDownloadable: boolean,
): Static<typeof ProductFile> => ({
  id: row.id,
  ...describeBytes(row),
  version: row.version,
  position: row.position,
  links_url: isDownloadable ? linksUrl(school, row.id) : null,
})

/** The view of a version of a file. */
export const versionView = (row: VersionRow): Static<typeof ProductFileVersion> => ({
  version: row.version,
  file_id: row.upload_id,
  ...describeBytes(row),
  created_at: row.created_at,
})
