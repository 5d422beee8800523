import { encodeAnsi, encodeMarked, encodeUtf16, writeCsv } from './csv.ts'
import { platformPeople, spreadsheetRows, type TablePerson } from './people.ts'
import { type WorkbookCell, writeWorkbook } from './workbook.ts'

const splitDay = (day: string): string[] => day.split('-')

const formatDotted = (day = ''): string => splitDay(day).reverse().join('.')
const formatSlashed = (day = ''): string => splitDay(day).reverse().join('/')

/** A day as Google Sheets shows it in the United States; days from 13 on are made earlier, so that each could be a month. */
const formatAmerican = (day = ''): string => {
  const [year = '', month = '', date = ''] = splitDay(day)
  return day === '' ? '' : `${Number(month)}/${((Number(date) - 1) % 12) + 1}/${year}`
}

const sayYes = (yes: string, no: string, value: boolean | undefined): string =>
  value === undefined ? '' : value ? yes : no

const EMPTY: TablePerson = { email: '' }

const listGerman = (person: TablePerson | undefined): string[] => {
  const { email, first = '', last = '', phone = '', tags = [], joined, consents, note = '' } = person ?? EMPTY
  return [email, first, last, phone, tags.join(', '), formatDotted(joined), sayYes('ja', 'nein', consents), note]
}

const GERMAN = ['E-Mail', 'Vorname', 'Nachname', 'Telefon', 'Schlagwörter', 'Beitrittsdatum', 'Newsletter', 'Notiz']
const german = [GERMAN, ...spreadsheetRows.map(listGerman)]

const JOINED = GERMAN.indexOf('Beitrittsdatum')

const germanCells = german.map((cells, row): readonly WorkbookCell[] => {
  const day = row === 0 ? undefined : spreadsheetRows[row - 1]?.joined
  return cells.map((cell, at) => (at === JOINED && day !== undefined ? { day } : cell === '' ? null : cell))
})

/** Excel of Microsoft 365 in German: what its four ways of saving give of one table. */
export const excelFiles = (): Readonly<Record<string, Buffer>> => ({
  'excel-german.csv': encodeMarked(writeCsv(german, { delimiter: ';' })),
  'excel-german-unicode.txt': encodeUtf16(writeCsv(german, { delimiter: '\t' })),
  'excel-german-ansi.csv': encodeAnsi(writeCsv(german, { delimiter: ';' })),
  'excel-german.xlsx': writeWorkbook(germanCells),
  'excel-1904.xlsx': writeWorkbook(
    [
      ['Correo electrónico', 'Nombre', 'Apellidos', 'Fecha de alta'],
      ...platformPeople.map(({ email, first = null, last = null, joined }) => [
        email,
        first,
        last,
        joined === undefined ? null : { day: joined },
      ]),
    ],
    { is1904: true },
  ),
  'excel-merged.xlsx': writeWorkbook(
    [
      ['Autumn'],
      [],
      ['Course', 'Email', 'Name', 'Enrolled on', 'Progress'],
      ['First loaf', 'lars.sorensen@example.com', 'Lars Sørensen', { day: '2025-09-01' }, { share: 0.5 }],
      [null, 'ana.conceicao@example.com', 'Ana Conceição', { day: '2025-09-02' }, { share: 1 }],
      [null, 'jan@bücher.example', 'Jan Müller', { day: '2025-09-15' }, { share: 0 }],
      ['Sourdough from scratch', 'liam.oneill@example.com', 'Liam O’Neill', { day: '2025-10-01' }, { share: 0.25 }],
      [null, 'zoe.simek@example.com', 'Zoë Šimek', { day: '2025-10-01' }, null],
    ],
    { merged: ['A1:E1', 'A4:A6', 'A7:A8'] },
  ),
})

const AMERICAN = [
  'Email Address',
  'First Name',
  'Last Name',
  'Phone Number',
  'Tags',
  'Date Joined',
  'Newsletter',
  'Notes',
]

const listAmerican = (person: TablePerson | undefined): string[] => {
  const { email, first = '', last = '', phone = '', tags = [], joined, consents, note = '' } = person ?? EMPTY
  return [email, first, last, phone, tags.join(', '), formatAmerican(joined), sayYes('TRUE', 'FALSE', consents), note]
}

/** Google Sheets writes no byte order mark and no last line end; check boxes are TRUE and FALSE. */
export const googleSheets = (): Buffer =>
  Buffer.from(writeCsv([AMERICAN, ...spreadsheetRows.map(listAmerican)], { endsLine: false }))

const PORTUGUESE = ['Correio eletrónico', 'Nome', 'Telemóvel', 'Etiquetas', 'Data de inscrição', 'Notas']

const listPortuguese = (person: TablePerson | undefined): string[] => {
  const { email, first, last, phone = '', tags = [], joined, note = '' } = person ?? EMPTY
  const name = [first, last].filter(part => part !== undefined).join(' ')
  return [email, name, phone, tags.join(' | '), formatSlashed(joined), note]
}

/** Numbers writes the name of the table above it, and divides by semicolons where decimals have a comma. */
export const numbers = (): Buffer =>
  Buffer.from(
    writeCsv([['Tabela 1', '', '', '', '', ''], PORTUGUESE, ...spreadsheetRows.map(listPortuguese)], {
      delimiter: ';',
      endsLine: false,
    }),
  )

const FRENCH = ['Adresse e-mail', 'Prénom', 'Nom', 'Téléphone', 'Groupes', "Date d'inscription"]

/** The table in French that LibreOffice opens and saves as the files that are stored. */
export const libreOfficeRows: readonly (readonly WorkbookCell[])[] = [
  FRENCH,
  ...platformPeople.map(({ email, first = null, last = null, phone = null, tags = [], joined }) => [
    email,
    first,
    last,
    phone,
    tags.length === 0 ? null : tags.map(tag => `Groupe ${tag}`).join(' ; '),
    joined === undefined ? null : { day: joined },
  ]),
]
