import { createCollisions, type NameFault, nameEntry } from './names.ts'
import { openZip, type Zip, type ZipEntry, ZipError, type ZipFault } from './zip.ts'

/** What is taken from an archive. */
type ArchiveRules = {
  readonly maxFiles: number
  /** Whether hidden files are left out, since people pack them without knowing. */
  readonly ignoresHidden: boolean
}

/** Why an archive, or an entry of it, is refused. */
type ArchiveFault = NameFault | ZipFault | 'not_an_archive' | 'too_many_entries' | 'too_many_files'

/** What is wrong with an archive as a whole, or with the entry of this name. */
type ArchiveProblem = { readonly code: Exclude<ArchiveFault, 'too_large'>; readonly entry: string | null }

/** An archive is refused, for these problems; at least one, and 20 at most. */
export class ArchiveError extends Error {
  readonly problems: readonly ArchiveProblem[]
  constructor(...problems: readonly ArchiveProblem[]) {
    super('the archive is refused')
    this.problems = problems
  }
}

/** A file of an archive whose name leads nowhere else and is the only one of its kind. */
export type ArchiveFile = Pick<ZipEntry, 'size' | 'read' | 'stream'> & { readonly path: string }

/** The files of an archive in their order, and how many were left out because they are hidden. */
type Archive = { readonly files: readonly ArchiveFile[]; readonly ignored: number }

// Folders and leftovers of systems are entries too.
const MAX_ENTRIES = 10_000
const MAX_PROBLEMS = 20

const openEntries = async (archive: Buffer): Promise<Zip> => {
  const zip = await openZip(archive).catch(error => {
    if (error instanceof ZipError) throw new ArchiveError({ code: 'not_an_archive', entry: null })
    throw error
  })
  if (zip.entryCount > MAX_ENTRIES) throw new ArchiveError({ code: 'too_many_entries', entry: null })
  return zip
}

// A damaged directory does not say what the next entry is called.
async function* readEntries(zip: Zip): AsyncGenerator<ZipEntry> {
  let read = 0
  try {
    for await (const entry of zip.entries()) {
      read += 1
      yield entry
    }
  } catch (error) {
    if (error instanceof ZipError) throw new ArchiveError({ code: 'unreadable', entry: `#${read + 1}` })
    throw error
  }
}

/**
 * Reads the directory of an archive in memory and checks names, types and collisions; throws an `ArchiveError`. Nothing is
 * unpacked before all names are known, so that a refusal names as many entries as it can.
 */
export const openArchive = async (archive: Buffer, { maxFiles, ignoresHidden }: ArchiveRules): Promise<Archive> => {
  const problems: ArchiveProblem[] = []
  const files: ArchiveFile[] = []
  const collides = createCollisions()
  let ignored = 0
  for await (const entry of readEntries(await openEntries(archive))) {
    const named = nameEntry(entry)
    const { path } = named
    const isIgnored = 'is' in named && named.is === 'hidden' && ignoresHidden
    const isFile = 'is' in named && named.is !== 'folder' && !isIgnored
    const code = 'fault' in named ? named.fault : isFile ? collides(path) : undefined
    if (code !== undefined) problems.push({ code, entry: path })
    else if (isFile) files.push({ path, size: entry.size, read: entry.read, stream: entry.stream })
    else if (isIgnored) ignored += 1
    if (problems.length === MAX_PROBLEMS) break
    if (files.length > maxFiles) throw new ArchiveError(...problems, { code: 'too_many_files', entry: path })
  }
  if (problems.length > 0) throw new ArchiveError(...problems)
  return { files, ignored }
}
