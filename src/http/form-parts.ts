import type { IncomingMessage } from 'node:http'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, unavailable, unsupportedMediaType } from '#src/contract/problems.ts'
import { type FormPart, MultipartError, parseBoundary, parseMultipart } from '#src/kit/multipart.ts'
import { createSlots } from '#src/kit/slots.ts'
import { withContent } from './content.ts'
import { limits } from './limits.ts'

type Sender = {
  readonly school: string
  readonly memberId: string
  readonly isPrivileged: boolean
  readonly maxBytes: number
  readonly isAnonymous?: boolean
}

const slots = createSlots(limits.forms)
const close = { headers: { connection: 'close' } }

const refusing = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof MultipartError)
      throw new Refusal(invalidRequest, `The form is not valid: ${error.message}.`, close)
    throw error
  }
}

/** Runs a function with the parts of a form with files as they arrive. */
export const withFormParts = async <T>(
  raw: IncomingMessage,
  { school, memberId, isPrivileged, maxBytes, isAnonymous = false }: Sender,
  read: (parts: AsyncIterable<FormPart>) => Promise<T>,
): Promise<T> => {
  const boundary = parseBoundary(raw.headers['content-type'] ?? '')
  if (boundary === undefined) throw new Refusal(unsupportedMediaType, 'Send the form as multipart/form-data.', close)
  const claimant = { school, person: memberId, isPrivileged }
  const giveBack = slots.take(claimant)
  if (giveBack === undefined)
    throw new Refusal(unavailable, 'Too many forms with files are being sent.', { headers: { 'retry-after': '5' } })
  try {
    return await withContent({ raw, claimant: { ...claimant, isAnonymous } }, content =>
      refusing(read(parseMultipart(content.read(maxBytes), boundary))),
    )
  } finally {
    giveBack()
  }
}
