import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter, notFound, unavailable } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { isPicture } from '#src/kit/media-types.ts'
import { createSlots } from '#src/kit/slots.ts'
import { once } from '../generated/writes.ts'
import { MAX_MEASURED_BYTES, widths } from '../uploads/rules.ts'
import type { FileContent } from './content.views.ts'
import { readBytes, wholeFile } from './lookups.ts'
import { type FileRow, storeVariant } from './queries.ts'

/** Where an image in a width lies; with other bytes it is another object. */
export const variantKey = (
  schoolId: string,
  { id, version }: { readonly id: string; readonly version: number },
  width: number,
): string => `${schoolId}/variants/${id.slice(-2)}/${id}/${version === 1 ? '' : `${version}-`}${width}.webp`

// Nobody has to sign in for them, so that only schools are distinguished.
const slots = createSlots({ all: 50, reserved: 0, perPerson: 50, personShare: 50 })

const making = new Map<string, Promise<void>>()

const make = async (request: EndpointRequest, { store, media }: Files, row: FileRow, width: number): Promise<void> => {
  const { school, database } = request
  const image = await readBytes(store, row.object_key)
  const small = await media.shrink(image, width).catch(() => {
    throw new Refusal(notFound, 'The image could not be resized to this width.')
  })
  await store.put(variantKey(school.id, row, width), once(small), small.length)
  await database.transaction(school.id, db => storeVariant(db, school.id, row, width))
}

const begin = (request: EndpointRequest, files: Files, row: FileRow, width: number): Promise<void> => {
  const key = variantKey(request.school.id, row, width)
  const giveBack = slots.take({ school: request.school.id, person: '', isPrivileged: false })
  if (giveBack === undefined)
    throw new Refusal(unavailable, 'Too many images are being resized.', { headers: { 'retry-after': '5' } })
  const work = make(request, files, row, width).finally(() => {
    making.delete(key)
    giveBack()
  })
  making.set(key, work)
  return work
}

// The object with an image in a width, which is created when it is first requested.
const createVariant = async (request: EndpointRequest, files: Files, row: FileRow, width: number): Promise<string> => {
  const key = variantKey(request.school.id, row, width)
  if (row.variants.includes(width)) return key
  if (Number(row.byte_size) > MAX_MEASURED_BYTES) throw new Refusal(notFound, 'The image is too large to be resized.')
  // Two requests in one process share the work; two processes create the same bytes.
  const work = making.get(key) ?? begin(request, files, row, width)
  await work
  return key
}

/** An image in a width as it is sent; refuses a width that is not offered, and a file that is not an image. */
export const variantContent = async (
  request: EndpointRequest,
  files: Files,
  { row, isPublic }: { readonly row: FileRow; readonly isPublic: boolean },
  requested: string,
): Promise<FileContent> => {
  const width = widths.find(known => String(known) === requested)
  if (width === undefined || !isPicture(row.content_type) || row.width === null)
    throw new Refusal(invalidParameter, `The width of an image must be one of ${widths.join(', ')}.`)
  const key = await createVariant(request, files, row, width)
  const found = await files.store.find(key)
  if (found === undefined) throw new Refusal(notFound, 'There is no such file, or its link has expired.')
  const whole = wholeFile(row, isPublic)
  // Widths of pictures that move stood still before, under the tag without the letter.
  const variant = `${width}${row.is_animated === true ? 'a' : ''}`
  return {
    ...whole,
    key,
    size: found.size,
    type: 'image/webp',
    isFixed: true,
    etag: `${whole.etag.slice(0, -1)}-${variant}"`,
  }
}
