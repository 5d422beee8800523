import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { buildWorkbook } from '#testing/tables.ts'

const ROWS = 50_000
const COLUMNS = 12
// Less than the texts of all rows, so a reader that keeps them ends with an error.
const HEAP_MB = 40

const writeRows = (writeRow: (row: number) => string): string =>
  Array.from({ length: ROWS + 1 }, (_, row) => writeRow(row)).join('')

const columns = Array.from({ length: COLUMNS }, (_, column) => column)

const writeCell = (row: number, column: number): string =>
  row === 0 ? `heading ${column}` : `${row}.${column}@example.com, a text of usual length`

const writeCsv = (): string => writeRows(row => `${columns.map(column => `"${writeCell(row, column)}"`).join(';')}\r\n`)

const writeWorkbook = (): Buffer =>
  buildWorkbook({
    strings: writeRows(row => columns.map(column => `<si><t>${writeCell(row, column)}</t></si>`).join('')),
    rows: writeRows(row => {
      const cells = columns.map(column => `<c t="s"><v>${row * COLUMNS + column}</v></c>`)
      return `<row r="${row + 1}">${cells.join('')}</row>`
    }),
  })

const script = (path: string): string => `
  import { inspectTable, readRows } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)}
  const before = process.resourceUsage().maxRSS
  const { format } = await inspectTable(${JSON.stringify(path)}, { isHeading: text => text.startsWith('heading') })
  let rows = 0
  for await (const { cells } of readRows(${JSON.stringify(path)}, format)) rows += cells.length / ${COLUMNS}
  console.log(JSON.stringify({ rows, megabytes: Math.round((process.resourceUsage().maxRSS - before) / 1024) }))`

const readElsewhere = async (file: string | Buffer): Promise<{ readonly rows: number; readonly megabytes: number }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'))
  try {
    const path = join(folder, 'table')
    await writeFile(path, file)
    const args = [`--max-old-space-size=${HEAP_MB}`, '--input-type=module', '-e', script(path)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

suite('50,000 rows of 12 columns are read in a memory in which they would have no place', () => {
  for (const [type, write] of [
    ['CSV', writeCsv],
    ['XLSX', writeWorkbook],
  ] as const)
    test(type, async context => {
      const { rows, megabytes } = await readElsewhere(write())
      context.diagnostic(`${megabytes} MB`)
      assert.equal(rows, ROWS)
    })
})
