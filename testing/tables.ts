import type { Column, TableRow } from '#src/kit/tabular/index.ts'
import { type ArchiveEntry, buildArchive } from './archives.ts'

/** What reads bytes from their beginning each time, in pieces of so many bytes. */
export const chunkBytes = (bytes: Uint8Array, size = 65_536) =>
  async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }

/** A workbook as a test describes it, in XML; what is left out is as small as Excel reads it. */
export type WorkbookDraft = {
  /** What is in `sheetData` of the first sheet. */
  readonly rows?: string
  /** What follows `sheetData`. */
  readonly after?: string
  /** What is in `sst`; there is no such part without it. */
  readonly strings?: string
  /** What is in `styleSheet`. */
  readonly styles?: string
  /** What is in `workbook` before the sheets. */
  readonly properties?: string
  readonly sheets?: string
  readonly relationships?: string
  /** Entries of the archive beside or instead of these. */
  readonly entries?: readonly ArchiveEntry[]
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const relate = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`

const RELATED = [
  relate('rId1', 'worksheet', 'worksheets/sheet1.xml'),
  relate('rId2', 'styles', 'styles.xml'),
  relate('rId3', 'sharedStrings', 'sharedStrings.xml'),
]

const relateAll = (relationships: string): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${relationships}</Relationships>`

const writePart = (name: string, content: string): string =>
  `<${name} xmlns="${MAIN}" xmlns:r="${DOCUMENT}">${content}</${name}>`

const writeParts = (draft: WorkbookDraft): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
  '_rels/.rels': relateAll(relate('rId1', 'officeDocument', 'xl/workbook.xml')),
  'xl/workbook.xml': writePart(
    'workbook',
    `${draft.properties ?? ''}<sheets>${draft.sheets ?? '<sheet name="People" sheetId="1" r:id="rId1"/>'}</sheets>`,
  ),
  'xl/_rels/workbook.xml.rels': relateAll(draft.relationships ?? RELATED.join('')),
  'xl/worksheets/sheet1.xml': writePart('worksheet', `<sheetData>${draft.rows ?? ''}</sheetData>${draft.after ?? ''}`),
  ...(draft.strings === undefined ? {} : { 'xl/sharedStrings.xml': writePart('sst', draft.strings) }),
  ...(draft.styles === undefined ? {} : { 'xl/styles.xml': writePart('styleSheet', draft.styles) }),
})

/** Builds an XLSX file (ISO/IEC 29500) of these parts. */
export const buildWorkbook = (draft: WorkbookDraft): Buffer => {
  const { entries = [] } = draft
  const own = new Set(entries.map(({ name }) => name.toString()))
  const parts = Object.entries(writeParts(draft)).map(([name, data]) => ({ name, data }))
  return buildArchive([...parts.filter(({ name }) => !own.has(name)), ...entries])
}

/** Columns with these headings and no values. */
export const nameColumns = (headings: readonly string[]): Column[] =>
  headings.map((heading, index) => ({ index, heading, samples: [] }))

/** Rows with these cells, below one with the headings. */
export async function* readCells(rows: readonly TableRow['cells'][]): AsyncGenerator<TableRow> {
  for (const [at, cells] of rows.entries()) yield { number: at + 2, cells }
}
