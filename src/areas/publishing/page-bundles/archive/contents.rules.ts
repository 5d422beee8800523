import type { Static } from 'typebox'
import { sha256 } from '#src/kit/crypto.ts'
import { openZip, type Zip, type ZipEntry, ZipError, type ZipFault } from '#src/kit/zip.ts'
import { createCollisions, findRootFolder, nameEntry } from './names.rules.ts'
import { type BundleProblem, type ProblemCode, problemAt } from './schema.ts'

const MB = 1_000_000

/** The most bytes of an archive. */
export const MAX_ARCHIVE_BYTES = 50 * MB

const MAX_FILE_BYTES = 10 * MB
const MAX_BYTES = 200 * MB
const MAX_FILES = 2000
// Folders and leftovers of systems are entries too.
const MAX_ENTRIES = 10_000
const MAX_PROBLEMS = 20

type Problem = Static<typeof BundleProblem>

/** A file of a bundle; its path begins at the root of the page. */
export type BundleFile = {
  readonly path: string
  readonly sha256: Buffer
  readonly size: number
  /** Unpacks it once more. */
  read(): Promise<Buffer>
}

/** What an archive contains. */
export type Bundle = {
  readonly files: readonly BundleFile[]
  /** How many files are not published: hidden ones, and leftovers of systems. */
  readonly ignored: number
  /** The one folder in which everything was, which is the root of the page. */
  readonly rootFolder: string | null
}

/** The problems of an archive that is refused, at least one. */
type BundleRefusal = { readonly problems: readonly Problem[] }

class BundleError extends Error {
  readonly problems: readonly Problem[]
  constructor(...problems: readonly Problem[]) {
    super('the bundle is refused')
    this.problems = problems
  }
}

type NamedEntry = { readonly path: string; readonly entry: ZipEntry }
type Listing = { readonly files: readonly NamedEntry[]; readonly ignored: number }

const opened = async (archive: Buffer): Promise<Zip> => {
  const zip = await openZip(archive).catch(error => {
    if (error instanceof ZipError) throw new BundleError(problemAt('not_an_archive'))
    throw error
  })
  if (zip.entryCount > MAX_ENTRIES) throw new BundleError(problemAt('too_many_entries'))
  return zip
}

// A damaged directory does not say what the next entry is called.
async function* numbered(zip: Zip): AsyncGenerator<ZipEntry> {
  let read = 0
  try {
    for await (const entry of zip.entries()) {
      read += 1
      yield entry
    }
  } catch (error) {
    if (error instanceof ZipError) throw new BundleError(problemAt('unreadable', `#${read + 1}`))
    throw error
  }
}

// Nothing is unpacked before all names are known, so that a refusal names as many entries as it can.
const listed = async (zip: Zip): Promise<Listing> => {
  const problems: Problem[] = []
  const files: NamedEntry[] = []
  const collides = createCollisions()
  let ignored = 0
  for await (const entry of numbered(zip)) {
    const named = nameEntry(entry)
    const problem = 'problem' in named ? named.problem : named.is === 'file' ? collides(named.path) : undefined
    if (problem !== undefined) problems.push(problemAt(problem, named.path))
    else if ('is' in named && named.is === 'file') files.push({ path: named.path, entry })
    else if (!named.path.endsWith('/')) ignored += 1
    if (problems.length === MAX_PROBLEMS) break
    if (files.length > MAX_FILES) throw new BundleError(...problems, problemAt('too_many_files', named.path))
  }
  if (problems.length > 0) throw new BundleError(...problems)
  return { files, ignored }
}

const ofFault: Readonly<Record<Exclude<ZipFault, 'too_large'>, ProblemCode>> = {
  unreadable: 'unreadable',
  encrypted: 'encrypted',
  unsupported_method: 'unsupported_method',
  wrong_size: 'wrong_size',
  wrong_checksum: 'wrong_checksum',
  different_names: 'different_names',
  overlapping: 'overlapping',
}

const readContents = async ({ path, entry }: NamedEntry, left: number): Promise<Buffer> => {
  const most = Math.min(MAX_FILE_BYTES, left)
  return entry.read(most).catch(error => {
    if (!(error instanceof ZipError)) throw error
    const tooLarge = most === MAX_FILE_BYTES ? 'file_too_large' : 'bundle_too_large'
    throw new BundleError(problemAt(error.fault === 'too_large' ? tooLarge : ofFault[error.fault], path))
  })
}

// What counts is what was inflated, and not what the archive says.
const unpacked = async (files: readonly NamedEntry[], root: number): Promise<BundleFile[]> => {
  let left = MAX_BYTES
  const bundle: BundleFile[] = []
  for (const file of files) {
    const contents = await readContents(file, left)
    left -= contents.length
    const { length: size } = contents
    bundle.push({ path: file.path.slice(root), sha256: sha256(contents), size, read: () => file.entry.read(size) })
  }
  return bundle
}

/** Reads an archive in memory to its end, with all checks; returns its files, or why it is refused. */
export const readBundle = async (archive: Buffer): Promise<Bundle | BundleRefusal> => {
  try {
    const { files, ignored } = await listed(await opened(archive))
    const paths = files.map(({ path }) => path)
    const rootFolder = findRootFolder(paths) ?? null
    const index = rootFolder === null ? 'index.html' : `${rootFolder}/index.html`
    if (!paths.includes(index)) throw new BundleError(problemAt('index_missing'))
    return { files: await unpacked(files, index.length - 'index.html'.length), ignored, rootFolder }
  } catch (error) {
    if (error instanceof BundleError) return { problems: error.problems }
    throw error
  }
}
