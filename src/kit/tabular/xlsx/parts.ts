import { posix } from 'node:path'
import { ArchiveError, type ArchiveFile, openArchive } from '../../archive/contents.ts'
import { ZipError } from '../../archive/zip.ts'
import { walkXml, XmlError, type XmlHandlers } from '../../xml.ts'
import { TableError } from '../table.ts'

const MAX_UNPACKED_BYTES = 400_000_000
const MAX_FILES = 10_000
// Of parts that are kept in memory; sheets and shared strings have bounds of their own.
const MAX_KEPT_BYTES = 10_000_000

/** The parts of a workbook by their paths; names are compared without case (ISO/IEC 29500-2, 6.2.2.3). */
export type Parts = { find(path: string): ArchiveFile | undefined }

/** What an error of the layers below says of the file. */
export const explainError = (error: unknown): unknown => {
  if (error instanceof ArchiveError)
    return new TableError(error.problems.some(({ code }) => code === 'encrypted') ? 'protected' : 'damaged')
  return error instanceof ZipError || error instanceof XmlError ? new TableError('damaged') : error
}

/** Opens the archive of a workbook in memory; throws a `TableError`. */
export const openParts = async (file: Buffer): Promise<Parts> => {
  const { files } = await openArchive(file, { maxFiles: MAX_FILES, ignoresHidden: false }).catch(error => {
    throw explainError(error)
  })
  // Whatever unpacks a part stops at the size that the directory gives, so the sum of these is a bound.
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_UNPACKED_BYTES) throw new TableError('too_large')
  const parts = new Map(files.map(part => [part.path.toLowerCase(), part]))
  return { find: path => parts.get(path.toLowerCase()) }
}

/** Reads a part whose content is kept in memory; throws what `explainError` explains. */
export const walkPart = async (part: ArchiveFile, handlers: XmlHandlers): Promise<void> => {
  if (part.size > MAX_KEPT_BYTES) throw new TableError('too_large')
  await walkXml(part.stream(part.size), handlers)
}

/** What a part refers to; the type is the last word of its address. */
export type Relationship = { readonly id: string; readonly type: string; readonly path: string }

const resolveTarget = (source: string, target: string): string =>
  target.startsWith('/') ? posix.normalize(target).slice(1) : posix.join(posix.dirname(source), target)

/** The parts to which one refers, '' being the whole; what is outside of the archive is not among them. */
export const readRelationships = async (parts: Parts, source: string): Promise<Relationship[]> => {
  const relationships: Relationship[] = []
  const part = parts.find(posix.join(posix.dirname(source), '_rels', `${posix.basename(source)}.rels`))
  if (part === undefined) return relationships
  await walkPart(part, {
    open: (name, { Id: id, Type: type, Target: target, TargetMode: mode }) => {
      if (name !== 'Relationship' || mode === 'External' || !id || !type || !target) return
      relationships.push({ id, type: posix.basename(type), path: resolveTarget(source, target) })
    },
  })
  return relationships
}
