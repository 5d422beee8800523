import { addFile } from '#src/areas/storage/index.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidBody } from '#src/contract/problems.ts'
import { isSameSite, type Session } from '#src/identity/index.ts'
import { sameBytes } from '#src/kit/crypto.ts'
import { toId } from '#src/kit/ids.ts'
import { formToken } from '#src/web/account/index.ts'
import type { StaffPagesParts } from '../parts.ts'

const MAX_BYTES = 25_000_000
const IMAGES = ['image/png', 'image/webp', 'image/jpeg', 'image/gif']

/** A form with files, read for somebody who is signed in. */
type Reading = { readonly request: EndpointRequest; readonly parts: StaffPagesParts; readonly session: Session }

const read = async (request: EndpointRequest): Promise<FormData> => {
  if (!isSameSite(request))
    throw new Refusal(formRefused, 'This is not a form of this page.', { headers: { connection: 'close' } })
  const type = request.header('content-type') ?? ''
  const bytes = await request.bytes(MAX_BYTES)
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    throw new Refusal(formRefused, 'The form cannot be read.')
  }
}

const store = async ({ request, parts, session }: Reading, file: File): Promise<string> => {
  const bytes = Buffer.from(await file.arrayBuffer())
  const contentType = await parts.files.media.sniff(bytes.subarray(0, 65_536))
  if (contentType === undefined || !IMAGES.includes(contentType))
    throw new Refusal(invalidBody, 'The file is not a PNG, JPEG, WebP or GIF image.')
  const { database, school } = request
  const named = { memberId: session.member.id, purpose: 'page', filename: file.name || 'image' } as const
  return toId('fil', await addFile({ database, school, files: parts.files }, { ...named, contentType, bytes }))
}

/** The fields of a form with files; a file that was chosen becomes the id of an upload, in the field without `.file`. */
export const formWithFiles = async (reading: Reading): Promise<(readonly [string, string])[]> => {
  const { request, parts, session } = reading
  const form = await read(request)
  const expected = Buffer.from(formToken(parts.secret, request.school.id, { session }))
  if (!sameBytes(Buffer.from(String(form.get('token') ?? '')), expected))
    throw new Refusal(formRefused, 'This form does not belong to this session.')
  const pairs: (readonly [string, string])[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') pairs.push([name, value.replaceAll('\u0000', '')])
    // The new file comes before the one that the block had.
    else if (value.size > 0) pairs.unshift([name.replace(/\.file$/, ''), await store(reading, value)])
  }
  return pairs
}
