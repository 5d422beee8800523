import { type MailAttachment, SENDER } from '#src/contract/mail.ts'
import { drawQr } from '#src/kit/qr.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { AttachedFile } from './send.ts'

/** The bytes of a file of a school of at most so many; undefined when it is not there or larger. */
export type ReadFile = (schoolId: string, fileId: string, most: number) => Promise<Buffer | undefined>

/** The attachments of a mail, and the names of those that it cannot have. */
type Loaded = { readonly files: readonly AttachedFile[]; readonly missing: readonly string[] }

// All files of a mail together; many mail servers refuse more than 10 MB with their encoding.
const MAX_BYTES = 7_000_000
const MAX_NAME = 100

const formatName = ({ name }: MailAttachment): string => cleanLine(name, MAX_NAME).replace(/[/\\]/g, '-') || 'file'

const findBytes = async (
  one: MailAttachment,
  sender: string,
  read: (fileId: string) => Promise<Buffer | undefined>,
): Promise<Buffer | undefined> => {
  if ('text' in one) return Buffer.from(one.text.replaceAll(SENDER, sender))
  return 'qr' in one ? drawQr(one.qr) : read(one.file)
}

/**
 * Reads the attachments of a mail. A file that is not there, or too large, is missing and does not stop the mail; where
 * the store does not answer, it throws, unless this is the last attempt.
 */
export const loadAttachments = async (
  attachments: readonly MailAttachment[],
  {
    schoolId,
    sender,
    readFile,
    isLast,
  }: {
    readonly schoolId: string
    readonly sender: string
    readonly readFile: ReadFile
    readonly isLast: boolean
  },
): Promise<Loaded> => {
  const files: AttachedFile[] = []
  const missing: string[] = []
  let left = MAX_BYTES
  const read = (fileId: string): Promise<Buffer | undefined> =>
    readFile(schoolId, fileId, left).catch((error: unknown) => {
      if (isLast) return undefined
      throw error
    })
  for (const one of attachments) {
    const bytes = await findBytes(one, sender, read)
    if (bytes === undefined) missing.push(formatName(one))
    else files.push({ name: formatName(one), type: one.type, bytes })
    left -= bytes?.length ?? 0
  }
  return { files, missing }
}
