// Makes the tables of this folder as programs write them: `node bin/node.mjs testing/files/tables/make.ts`. Those of LibreOffice
// are made where it is installed (stored: LibreOffice 7.4.7.2); the others need nothing else, and are the same each time.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oneRosterArchive, oneRosterUsers } from './one-roster.ts'
import { ownLists } from './own-lists.ts'
import { kajabi, podia, teachable, thinkific, thinkificProgress } from './platforms.ts'
import { excelFiles, googleSheets, libreOfficeRows, numbers } from './spreadsheets.ts'
import { writeWorkbook } from './workbook.ts'

/** The tables by the names of their files, except for those that LibreOffice writes. */
export const buildTables = async (): Promise<Readonly<Record<string, Buffer>>> => ({
  ...excelFiles(),
  'google-sheets.csv': googleSheets(),
  'numbers.csv': numbers(),
  'teachable.csv': teachable(),
  'thinkific.csv': thinkific(),
  'thinkific-progress.csv': thinkificProgress(),
  'kajabi.csv': kajabi(),
  'podia.csv': podia(),
  ...(await ownLists()),
  'oneroster-users.csv': oneRosterUsers(),
  'oneroster.zip': oneRosterArchive(),
})

// Comma, quotation marks where they are needed, UTF-8, cells as they are shown.
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false'

const saveByLibreOffice = (folder: string): void => {
  const work = mkdtempSync(join(tmpdir(), 'stoa-tables-'))
  const convert = (filter: string) =>
    execFileSync(
      'soffice',
      [`-env:UserInstallation=file://${work}/profile`, '--headless', '--convert-to', filter, '--outdir', folder].concat(
        join(work, 'libreoffice.xlsx'),
      ),
    )
  try {
    writeFileSync(join(work, 'libreoffice.xlsx'), writeWorkbook(libreOfficeRows))
    convert('xlsx:Calc MS Excel 2007 XML')
    convert(CSV_FILTER)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const folder = import.meta.dirname
  for (const [name, bytes] of Object.entries(await buildTables())) writeFileSync(join(folder, name), bytes)
  saveByLibreOffice(folder)
}
