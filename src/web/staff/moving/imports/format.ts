import type { Phrase } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { folded, lineControl, selectControl } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { ImportShown } from './shown.ts'

const text = texts.staff.imports.format

// What programs of the three languages and their neighbours write.
const ENCODINGS: readonly (readonly [value: string, label: string])[] = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows 1252'],
  ['utf-16le', 'UTF-16 LE'],
  ['utf-16be', 'UTF-16 BE'],
  ['iso-8859-15', 'ISO 8859-15'],
  ['windows-1250', 'Windows 1250'],
  ['windows-1251', 'Windows 1251'],
  ['macintosh', 'Mac Roman'],
]

// By names, since a tab does not survive a form.
const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const

type DelimiterName = keyof typeof DELIMITERS

const delimiterNames = Object.keys(DELIMITERS) as DelimiterName[]

const nameDelimiter = (delimiter: string | null | undefined): DelimiterName | undefined =>
  delimiterNames.find(name => DELIMITERS[name] === delimiter)

const delimiterPhrases: Readonly<Record<DelimiterName, Phrase>> = text.delimiters

const nameEncoding = (encoding: string): string =>
  ENCODINGS.find(([value]) => value === encoding)?.[1] ?? encoding.toUpperCase()

/** How the file was read, in a few words. */
export const describeFormat = ({ file, format }: ImportShown, { t }: StaffContext): string => {
  if (format === null) return file.name
  const { type, encoding, delimiter, sheet, rows } = format
  const name = nameDelimiter(delimiter)
  const how =
    type === 'csv' && encoding !== null
      ? [nameEncoding(encoding), ...(name === undefined ? [] : [t(delimiterPhrases[name])])]
      : [type === 'oneroster' ? 'OneRoster' : 'XLSX', ...(sheet === null ? [] : [sheet])]
  return [file.name, t(texts.staff.imports.common.rows, { n: rows }), ...how].join(' · ')
}

const storedPairs = ({ format }: ImportShown): Pairs => [
  ['encoding', format?.encoding ?? 'utf-8'],
  ['delimiter', nameDelimiter(format?.delimiter) ?? 'comma'],
  ['sheet', format?.sheet ?? ''],
  ['header_row', String(format?.header_row ?? 1)],
]

type ControlState = { readonly typed: Pairs; readonly errors: ReadonlyMap<string, string> }

const renderCsv = (state: ControlState, item: ImportShown, { t }: StaffContext): Html => {
  const samples = item.format?.encoding_samples ?? []
  const encoding = formField(state.typed, 'encoding')
  const known = ENCODINGS.some(([value]) => value === encoding)
    ? ENCODINGS
    : [...ENCODINGS, [encoding, encoding] as const]
  const hint = samples.length > 0 && { hint: t(text.encodingHint, { samples: samples.join(', ') }) }
  return html`${selectControl(
    state,
    { name: 'encoding', label: t(text.encoding), ...hint },
    known.map(([value, label]) => ({ value, label })),
  )}${selectControl(
    state,
    { name: 'delimiter', label: t(text.delimiter) },
    delimiterNames.map(value => ({ value, label: t(delimiterPhrases[value]) })),
  )}`
}

/** How the file is read, and the button that reads it again; open where the encoding is a guess. Nothing of OneRoster can be chosen. */
export const renderFormat = (item: ImportShown, context: StaffContext, isOpen = false): Html | false => {
  const { t } = context
  const { format } = item
  if (format?.type === 'oneroster') return false
  const state = { typed: storedPairs(item), errors: new Map<string, string>() }
  const skipped = format?.skipped.flat().filter(cell => cell !== '') ?? []
  const inside = html`${format?.type !== 'xlsx' && renderCsv(state, item, context)}${
    format?.type === 'xlsx' &&
    selectControl(
      state,
      { name: 'sheet', label: t(text.sheet) },
      format.sheets.map(value => ({ value, label: value })),
    )
  }${lineControl(state, { name: 'header_row', label: t(text.headerRow), hint: t(text.headerHint), attributes: html`type="number" min="0" max="20"` })}${skipped.length > 0 && html`<p class="quiet">${t(text.skipped, { text: skipped.join(' · ') })}</p>\n`}<div class="buttons"><button type="submit" name="act" value="format">${t(text.button)}</button></div>`
  return folded(t(text.title), inside, isOpen || format?.is_encoding_guessed === true)
}

/** What a form says of how the file is read, as far as it differs from how it was read. */
export const readFormat = (item: ImportShown, typed: Pairs) => {
  const stored = storedPairs(item)
  const chosen = (name: string): string | undefined => {
    const value = formField(typed, name)
    return value === '' || (item.format !== null && value === formField(stored, name)) ? undefined : value
  }
  const [encoding, sheet, row] = [chosen('encoding'), chosen('sheet'), chosen('header_row')]
  const delimiter = delimiterNames.find(name => name === chosen('delimiter'))
  return {
    ...(encoding && { encoding }),
    ...(delimiter && { delimiter: DELIMITERS[delimiter] }),
    ...(sheet && { sheet }),
    ...(row && { header_row: Number(row) }),
  }
}
