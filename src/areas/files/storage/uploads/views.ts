import type { Static } from 'typebox'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { toId } from '#src/kit/ids.ts'
import { buildLink, type LinkPlace } from '../files/views.ts'
import type { UploadRow } from './queries.ts'
import { directKey } from './rules.ts'
import type { Upload } from './schema.ts'

const DAY_MS = 24 * 3600 * 1000

const SIGNED_SECONDS = 6 * 3600

const computeExpiry = ({ status, created_at, unlinked_since }: UploadRow): string | null => {
  if (status !== 'ready') return new Date(created_at.getTime() + DAY_MS).toISOString()
  return unlinked_since === null ? null : new Date(unlinked_since.getTime() + 30 * DAY_MS).toISOString()
}

const renderOwner = ({ member_id, purpose }: UploadRow) => {
  if (member_id === null || purpose === 'form' || purpose === 'export' || purpose === 'invoice')
    throw new Error(`a file for ${purpose} is shown as an upload of a member`)
  return { memberId: member_id, purpose }
}

const renderImage = ({ width, height, is_animated }: UploadRow) =>
  width === null || height === null ? null : { width, height, is_animated: is_animated ?? false }

/** An upload as the member reads it who sent it; `file` is how to get the bytes. */
export const uploadView = (row: UploadRow, place: LinkPlace, isPublic: boolean): Static<typeof Upload> => ({
  id: row.id,
  status: row.status === 'gone' ? 'rejected' : row.status,
  purpose: renderOwner(row).purpose,
  filename: row.filename,
  content_type: row.content_type ?? row.declared_type,
  byte_size: Number(row.byte_size),
  received_bytes: Number(row.received_bytes),
  sha256: (row.sha256 ?? row.declared_sha256)?.toString('hex') ?? null,
  rejected_for: row.reason,
  image: renderImage(row),
  keep_original: row.keep_original,
  ...(row.status === 'ready' && row.content_type !== null
    ? {
        file: buildLink(
          { ...row, content_type: row.content_type },
          place,
          toId('mem', renderOwner(row).memberId),
          isPublic,
        ),
      }
    : {}),
  expires_at: computeExpiry(row),
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Where and how the bytes of an upload are sent. */
export const prepareTransfer = async (
  row: UploadRow,
  school: School,
  { store }: Files,
): Promise<Pick<Static<typeof Upload>, 'transfer'>> => {
  if (row.status !== 'created') return {}
  const ends = new Date(row.created_at.getTime() + DAY_MS)
  const here = `${school.baseUrl}/api/v1/uploads/${toId('upl', row.id)}/content`
  if (store.direct === undefined)
    return { transfer: { method: 'PUT', url: here, authorization: 'bearer', is_resumable: true, expires_at: ends } }
  const url = await store.direct.signPut(directKey(school.id, row.id), Number(row.byte_size), SIGNED_SECONDS)
  const expires = new Date(row.asked_at.getTime() + SIGNED_SECONDS * 1000)
  return { transfer: { method: 'PUT', url, authorization: 'none', is_resumable: false, expires_at: expires } }
}
