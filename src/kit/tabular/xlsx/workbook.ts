import type { ArchiveFile } from '../../archive/contents.ts'
import type { RawRow } from '../cells.ts'
import { TableError } from '../table.ts'
import { readNumberKinds } from './numbers.ts'
import { explainError, openParts, type Parts, type Relationship, readRelationships, walkPart } from './parts.ts'
import { readSheetRows, type Shared } from './sheet.ts'
import { readSharedStrings } from './strings.ts'

/** A workbook in memory. */
type Workbook = {
  /** The names of the sheets that are not hidden, in their order. */
  readonly visible: readonly string[]
  /** The rows of the sheet with this name; throws a `TableError`. */
  readRows(sheet: string): AsyncGenerator<RawRow>
}

type Sheet = { readonly name: string; readonly isHidden: boolean; readonly path: string }

// What other programs put into a zip archive: OpenDocument, Numbers, Apple's preview of both.
const OTHERS = ['mimetype', 'Index/Document.iwa', 'Index.zip', 'xl/workbook.bin']

const findWorkbook = async (parts: Parts): Promise<ArchiveFile> => {
  const whole = await readRelationships(parts, '')
  const path = whole.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const part = parts.find(path)
  if (OTHERS.some(other => parts.find(other) !== undefined) || path.endsWith('.bin'))
    throw new TableError('other_spreadsheet')
  if (part === undefined || parts.find('[Content_Types].xml') === undefined) throw new TableError('not_a_table')
  return part
}

const readSheets = async (part: ArchiveFile, relationships: readonly Relationship[]) => {
  const sheets: Sheet[] = []
  let is1904 = false
  const paths = new Map(relationships.filter(({ type }) => type === 'worksheet').map(({ id, path }) => [id, path]))
  await walkPart(part, {
    open: (element, { name = '', id = '', state = 'visible', date1904 = '0' }) => {
      const path = paths.get(id)
      if (element === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true'
      if (element === 'sheet' && path !== undefined) sheets.push({ name, isHidden: state !== 'visible', path })
    },
  })
  return { sheets, is1904 }
}

const findPart = (parts: Parts, relationships: readonly Relationship[], wanted: string): ArchiveFile | undefined => {
  const path = relationships.find(({ type }) => type === wanted)?.path
  return path === undefined ? undefined : parts.find(path)
}

const openSheets = async (file: Buffer): Promise<Workbook> => {
  const parts = await openParts(file)
  const part = await findWorkbook(parts)
  const relationships = await readRelationships(parts, part.path)
  const { sheets, is1904 } = await readSheets(part, relationships)
  let shared: Promise<Shared> | undefined
  const readShared = async (): Promise<Shared> => ({
    kinds: await readNumberKinds(findPart(parts, relationships, 'styles')),
    strings: await readSharedStrings(findPart(parts, relationships, 'sharedStrings')),
    is1904,
  })
  async function* readRows(name: string): AsyncGenerator<RawRow> {
    const sheet = sheets.find(one => one.name === name)
    if (sheet === undefined) throw new TableError('no_sheet')
    const found = parts.find(sheet.path)
    if (found === undefined) throw new TableError('damaged')
    try {
      shared ??= readShared()
      yield* readSheetRows(found, await shared)
    } catch (error) {
      throw explainError(error)
    }
  }
  return { visible: sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name), readRows }
}

/** Opens a workbook of Office Open XML (ISO/IEC 29500) in memory; throws a `TableError`. */
export const openWorkbook = (file: Buffer): Promise<Workbook> =>
  openSheets(file).catch(error => {
    throw explainError(error)
  })
