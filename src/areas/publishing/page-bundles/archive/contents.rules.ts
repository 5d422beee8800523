import type { Static } from 'typebox'
import { ArchiveError, type ArchiveFile, openArchive } from '#src/kit/archive/contents.ts'
import { findRootFolder } from '#src/kit/archive/names.ts'
import { ZipError } from '#src/kit/archive/zip.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { type BundleProblem, problemAt } from './schema.ts'

const MB = 1_000_000

/** The most bytes of an archive. */
export const MAX_ARCHIVE_BYTES = 50 * MB

const MAX_FILE_BYTES = 10 * MB
const MAX_BYTES = 200 * MB
const MAX_FILES = 2000

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

const readContents = async ({ path, read }: ArchiveFile, left: number): Promise<Buffer> => {
  const most = Math.min(MAX_FILE_BYTES, left)
  return read(most).catch(error => {
    if (!(error instanceof ZipError)) throw error
    const tooLarge = most === MAX_FILE_BYTES ? 'file_too_large' : 'bundle_too_large'
    throw new BundleError(problemAt(error.fault === 'too_large' ? tooLarge : error.fault, path))
  })
}

// What counts is what was inflated, and not what the archive says.
const unpacked = async (files: readonly ArchiveFile[], root: number): Promise<BundleFile[]> => {
  let left = MAX_BYTES
  const bundle: BundleFile[] = []
  for (const file of files) {
    const contents = await readContents(file, left)
    left -= contents.length
    const { length: size } = contents
    bundle.push({ path: file.path.slice(root), sha256: sha256(contents), size, read: () => file.read(size) })
  }
  return bundle
}

/** Reads an archive in memory to its end, with all checks; returns its files, or why it is refused. */
export const readBundle = async (archive: Buffer): Promise<Bundle | BundleRefusal> => {
  try {
    const { files, ignored } = await openArchive(archive, { maxFiles: MAX_FILES, ignoresHidden: true })
    const paths = files.map(({ path }) => path)
    const rootFolder = findRootFolder(paths) ?? null
    const index = rootFolder === null ? 'index.html' : `${rootFolder}/index.html`
    if (!paths.includes(index)) throw new BundleError(problemAt('index_missing'))
    return { files: await unpacked(files, index.length - 'index.html'.length), ignored, rootFolder }
  } catch (error) {
    if (error instanceof BundleError) return { problems: error.problems }
    if (error instanceof ArchiveError)
      return { problems: error.problems.map(({ code, entry }) => problemAt(code, entry)) }
    throw error
  }
}
