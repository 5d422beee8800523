import { buildWorkbook } from '#testing/tables.ts'

/** A cell of a workbook: a text, a number, a day that is shown as one, a share that is shown in percent, or nothing. */
export type WorkbookCell = string | number | { readonly day: string } | { readonly share: number } | null

type WorkbookForm = {
  /** Whether days count from 1904, as in workbooks that began on an old Mac. */
  readonly is1904?: boolean
  /** Ranges that are merged. */
  readonly merged?: readonly string[]
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const MS_PER_DAY = 86_400_000
const countDays = (day: string, from: string): number => (Date.parse(day) - Date.parse(from)) / MS_PER_DAY

const STYLES = `<numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts>
<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills>
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="9" applyNumberFormat="1"/></cellXfs>`

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const typeOf = (part: string, type: string): string =>
  `<Override PartName="/xl/${part}.xml" ContentType="${TYPE}.${type}+xml"/>`

// ECMA-376, part 2, 10.1.2: other programs than ours look up here what a part is.
const CONTENT_TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>${typeOf('workbook', 'sheet.main')}
${typeOf('worksheets/sheet1', 'worksheet')}${typeOf('styles', 'styles')}${typeOf('sharedStrings', 'sharedStrings')}</Types>`

/** Builds a workbook as Excel saves it: with shared strings, formats of numbers, and the places of cells. */
export const writeWorkbook = (
  rows: readonly (readonly WorkbookCell[])[],
  { is1904 = false, merged = [] }: WorkbookForm = {},
): Buffer => {
  const strings: string[] = []
  const share = (text: string): number => {
    const at = strings.indexOf(text)
    return at === -1 ? strings.push(text) - 1 : at
  }
  const firstDay = is1904 ? '1904-01-01' : '1899-12-30'
  const writeCell = (cell: WorkbookCell, place: string): string => {
    if (cell === null) return ''
    if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${share(cell)}</v></c>`
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
    if ('share' in cell) return `<c r="${place}" s="2"><v>${cell.share}</v></c>`
    return `<c r="${place}" s="1"><v>${countDays(cell.day, firstDay)}</v></c>`
  }
  const written = rows.map((cells, at) => {
    const inner = cells.map((cell, column) => writeCell(cell, `${String.fromCharCode(65 + column)}${at + 1}`)).join('')
    return inner === '' ? '' : `<row r="${at + 1}">${inner}</row>`
  })
  const ranges = merged.map(range => `<mergeCell ref="${range}"/>`).join('')
  return buildWorkbook({
    rows: written.join(''),
    strings: strings.map(text => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join(''),
    styles: STYLES,
    properties: `<workbookPr${is1904 ? ' date1904="1"' : ''}/>`,
    entries: [{ name: '[Content_Types].xml', data: CONTENT_TYPES }],
    sheets: '<sheet name="Tabelle1" sheetId="1" r:id="rId1"/>',
    ...(merged.length > 0 ? { after: `<mergeCells count="${merged.length}">${ranges}</mergeCells>` } : {}),
  })
}
