import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { ArchiveError, type ArchiveFile, openArchive } from '#src/kit/archive/contents.ts'
import { findRootFolder } from '#src/kit/archive/names.ts'
import { ZipError } from '#src/kit/archive/zip.ts'
import {
  type Column,
  readRows,
  TableError,
  type TableFormat,
  type TableRow,
  type TableSource,
} from '#src/kit/tabular/index.ts'
import { foldHeading } from './headings.rules.ts'

/** The users of OneRoster as one table, with the classes of students as groups. */
type OneRoster = {
  readonly columns: readonly Column[]
  /** How many users there are. */
  readonly rows: number
  /** Reads the users, each time it is called; throws a `TableError`. */
  readRows(): AsyncGenerator<TableRow>
}

// OneRoster 1.2, CSV binding, 3: UTF-8, commas, and headings in the first row, which is read as a row here.
const FORMAT: TableFormat = { type: 'csv', encoding: 'utf-8', delimiter: ',', sheet: null, header_row: 0 }

const MAX_UNPACKED_BYTES = 400_000_000
const MAX_FILES = 1000
const MAX_USERS = 50_000
const MAX_CLASSES = 100_000
const MAX_ENROLLMENTS = 500_000

/** A line of a file by its headings, which have no case. */
type Line = { readonly number: number; read(heading: string): string | null }

async function* readLines(source: TableSource, maxRows: number): AsyncGenerator<Line> {
  let places: ReadonlyMap<string, number> | undefined
  try {
    for await (const { number, cells } of readRows(source, FORMAT, { maxRows: maxRows + 1 })) {
      if (places === undefined) places = new Map(cells.map((cell, at) => [foldHeading(cell ?? ''), at]))
      else {
        const found = places
        yield { number, read: heading => cells[found.get(foldHeading(heading)) ?? -1] ?? null }
      }
    }
  } catch (error) {
    throw error instanceof ZipError ? new TableError('damaged') : error
  }
}

/** The files of OneRoster that are read; of an archive, those that it has. */
type Files = { readonly users: TableSource; readonly classes?: TableSource; readonly enrollments?: TableSource }

const ZIP = Buffer.from('PK\x03\x04', 'latin1')

const openFile = async (source: TableSource): Promise<Buffer> =>
  buffer(typeof source === 'string' ? createReadStream(source) : source())

const toSource =
  (file: ArchiveFile): TableSource =>
  () =>
    file.stream(file.size)

const findFiles = async (archive: Buffer): Promise<Files | undefined> => {
  const { files } = await openArchive(archive, { maxFiles: MAX_FILES, ignoresHidden: true }).catch(error => {
    // What no archive is, and what is wrong with one, is said by whoever reads it as a workbook.
    if (error instanceof ArchiveError) return { files: [] }
    throw error
  })
  const root = findRootFolder(files.map(({ path }) => path))
  const find = (name: string): ArchiveFile | undefined =>
    files.find(({ path }) => path.toLowerCase() === (root === undefined ? name : `${root.toLowerCase()}/${name}`))
  if (find('manifest.csv') === undefined) return undefined
  const [users, classes, enrollments] = [find('users.csv'), find('classes.csv'), find('enrollments.csv')]
  if (users === undefined) throw new TableError('empty')
  if ([users, classes, enrollments].reduce((sum, file) => sum + (file?.size ?? 0), 0) > MAX_UNPACKED_BYTES)
    throw new TableError('too_large')
  return {
    users: toSource(users),
    ...(classes === undefined ? {} : { classes: toSource(classes) }),
    ...(enrollments === undefined ? {} : { enrollments: toSource(enrollments) }),
  }
}

const USER_HEADINGS = ['sourcedid', 'givenname', 'familyname', 'enableduser']
const START_BYTES = 8192

// The first line says whether a file of text has users of OneRoster.
const hasUsers = (start: Buffer): boolean => {
  const [first = ''] = start.subarray(0, START_BYTES).toString().split(/\r?\n/)
  const headings = new Set(first.split(',').map(foldHeading))
  return USER_HEADINGS.every(heading => headings.has(heading))
}

const readBeginning = async (source: TableSource): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of typeof source === 'string' ? createReadStream(source) : source()) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= START_BYTES) break
  }
  return Buffer.concat(chunks)
}

const isDeleted = (line: Line): boolean => line.read('status')?.toLowerCase() === 'tobedeleted'

// Classes that have the same title are told apart by their code; bars divide the groups of a user.
const readClasses = async (source: TableSource | undefined): Promise<ReadonlyMap<string, string>> => {
  const lines: { readonly id: string; readonly title: string; readonly code: string }[] = []
  const counts = new Map<string, number>()
  if (source !== undefined)
    for await (const line of readLines(source, MAX_CLASSES)) {
      const [id, title] = [line.read('sourcedId'), line.read('title')?.replaceAll('|', '/')]
      if (id === null || !title || isDeleted(line)) continue
      lines.push({ id, title, code: line.read('classCode')?.replaceAll('|', '/') ?? id })
      counts.set(title, (counts.get(title) ?? 0) + 1)
    }
  return new Map(lines.map(({ id, title, code }) => [id, (counts.get(title) ?? 0) > 1 ? `${title} (${code})` : title]))
}

const readGroups = async ({ classes, enrollments }: Files): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const groups = new Map<string, Set<string>>()
  const titles = await readClasses(classes)
  if (enrollments === undefined || titles.size === 0) return groups
  for await (const line of readLines(enrollments, MAX_ENROLLMENTS)) {
    const [user, title] = [line.read('userSourcedId'), titles.get(line.read('classSourcedId') ?? '')]
    if (user === null || title === undefined || isDeleted(line) || line.read('role')?.toLowerCase() !== 'student')
      continue
    const own = groups.get(user) ?? new Set()
    groups.set(user, own.add(title))
  }
  return groups
}

const HEADINGS = ['sourcedId', 'givenName', 'familyName', 'email', 'phone', 'groups', 'status']

const findStatus = (line: Line): string => {
  if (isDeleted(line)) return 'tobedeleted'
  return line.read('enabledUser')?.toLowerCase() === 'false' ? 'disabled' : 'active'
}

const buildRow = (line: Line, groups: ReadonlyMap<string, ReadonlySet<string>>): TableRow => {
  const id = line.read('sourcedId')
  const own = [...(groups.get(id ?? '') ?? [])].join('|')
  return {
    number: line.number,
    cells: [
      id,
      line.read('preferredGivenName') ?? line.read('givenName'),
      line.read('preferredFamilyName') ?? line.read('familyName'),
      line.read('email'),
      line.read('phone') ?? line.read('sms'),
      own === '' ? null : own,
      findStatus(line),
    ],
  }
}

const MAX_SAMPLES = 3

const describe = async (rows: AsyncIterable<TableRow>): Promise<Pick<OneRoster, 'columns' | 'rows'>> => {
  const samples = HEADINGS.map(() => new Set<string>())
  let count = 0
  for await (const { cells } of rows) {
    count += 1
    for (const [at, cell] of cells.entries())
      if (cell !== null && (samples[at]?.size ?? MAX_SAMPLES) < MAX_SAMPLES) samples[at]?.add(cell)
  }
  if (count === 0) throw new TableError('empty')
  return {
    rows: count,
    columns: HEADINGS.map((heading, index) => ({ index, heading, samples: [...(samples[index] ?? [])] })).filter(
      column => column.samples.length > 0,
    ),
  }
}

/**
 * Opens the files of OneRoster 1.1 and 1.2 (CSV binding): an archive with `manifest.csv`, or the users alone. Undefined for any other
 * file; throws a `TableError`.
 */
export const openOneRoster = async (source: TableSource): Promise<OneRoster | undefined> => {
  const start = await readBeginning(source)
  const isArchive = start.subarray(0, ZIP.length).equals(ZIP)
  const files = isArchive ? await findFiles(await openFile(source)) : hasUsers(start) ? { users: source } : undefined
  if (files === undefined) return undefined
  const groups = await readGroups(files)
  async function* readUsers(users: TableSource): AsyncGenerator<TableRow> {
    for await (const line of readLines(users, MAX_USERS)) yield buildRow(line, groups)
  }
  return { ...(await describe(readUsers(files.users))), readRows: () => readUsers(files.users) }
}
