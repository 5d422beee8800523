import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { inspectTable, readRows, type TableRow } from '#src/kit/tabular/index.ts'
import { pathOfTable, storedTables } from '#testing/files/tables/index.ts'

const run = promisify(execFile)
const isInstalled = await run('soffice', ['--version']).then(
  () => true,
  () => false,
)

/** A list as LibreOffice opens it and saves it as a workbook, with UTF-8 and this delimiter, as it proposes them for the file. */
const openInLibreOffice = async (name: string, delimiter: ',' | ';', folder: string): Promise<string> => {
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const filter = `--infilter=Text - txt - csv (StarCalc):${delimiter.charCodeAt(0)},34,76,1`
  await run('soffice', [profile, '--headless', filter, '--convert-to', 'xlsx', '--outdir', folder, pathOfTable(name)])
  return join(folder, name.replace(/\.csv$/, '.xlsx'))
}

const readCells = async (path: string): Promise<TableRow['cells'][]> => {
  const { format } = await inspectTable(path, { isHeading: text => text === 'id' || text === 'email' })
  const rows: TableRow['cells'][] = []
  for await (const { cells } of readRows(path, format)) rows.push(cells)
  return rows
}

// A workbook has instants and truth values, which our reader writes in its own form.
const show = (cell: string | null): string | null => cell?.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ').toLowerCase() ?? null

const lists = storedTables.map(({ name }) => name).filter(name => /^stoa-.*-(?:spreadsheet|semicolon)\.csv$/.test(name))

suite('LibreOffice opens our lists for spreadsheets and has the same cells', { skip: !isInstalled }, () => {
  for (const name of lists)
    test(name, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'stoa-lists-'))
      try {
        const opened = await openInLibreOffice(name, name.includes('semicolon') ? ';' : ',', folder)
        const [ours, theirs] = [await readCells(pathOfTable(name)), await readCells(opened)]
        assert.ok(ours.length > 0)
        assert.deepEqual(
          theirs.map(cells => cells.map(show)),
          ours.map(cells => cells.map(show)),
        )
      } finally {
        await rm(folder, { recursive: true })
      }
    })
})
