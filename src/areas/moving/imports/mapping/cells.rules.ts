import { cleanLine } from '#src/kit/text.ts'
import { dateToDay, dateToInstant, readDate } from './dates.rules.ts'
import { type ColumnMapping, type CustomFieldShape, findCustomField, formats, type ImportKind } from './fields.rules.ts'
import type { Parts } from './mapped-rows.rules.ts'
import { hasLostDigits, readNumber, readPercent } from './numbers.rules.ts'
import {
  findOption,
  hasSeveralPhones,
  readConsent,
  readEmail,
  readLocale,
  readPhone,
  readZone,
  splitList,
} from './values.rules.ts'
import { readBoolean, readLearningStatus, readPersonStatus, type Status } from './words.rules.ts'

/** Why a cell cannot be read and what to do, or what was not taken over. */
type CellRemark = { readonly code: string; readonly message: string }

/** What a cell adds to its row, or why it cannot be read. */
type CellReading = { readonly parts: Parts; readonly notice?: CellRemark } | { readonly error: CellRemark }

/** How the cells of a file are read, apart from what their column says. */
export type CellContext = {
  readonly kind: ImportKind
  readonly customFields: readonly CustomFieldShape[]
  /** The time zone of the school, in which dates without one are. */
  readonly zone: string
}

const fail = (code: string, message: string): CellReading => ({ error: { code, message } })

const LOST = fail(
  'digits_lost',
  'has lost its last digits: format the column as text, enter the value again and export the file again',
)
const DATE = fail('date_unreadable', 'is not a date in the format of its column: correct it, or choose another format')
const NUMBER = fail('number_unreadable', 'is not a number in the format of its column: correct it')
const PERCENT = fail('number_unreadable', 'is not a percentage from 0 to 100: correct it')
const BOOLEAN = fail('boolean_unreadable', 'is neither yes nor no: write yes, no or nothing')
const EMAIL = fail('email_invalid', 'is not an e-mail address: correct it, and leave one address in the cell')
const PHONE = fail('phone_invalid', 'is not a telephone number: leave digits, spaces and + ( ) . / - alone')
const LOCALE = fail('locale_unknown', 'is not a language: write its tag, such as pt-PT')
const ZONE = fail('time_zone_unknown', 'is not a time zone: write its name, such as Europe/Lisbon')
const STATUS = fail('status_unknown', 'is not a status that is known: replace the word, or ignore the column')

const take = <Value>(value: Value | undefined, error: CellReading, place: (value: Value) => Parts): CellReading =>
  value === undefined ? error : { parts: place(value) }

// Where no format was chosen, a cell has a value if all formats that read it agree.
const readAny = <Value>(
  type: 'date' | 'number' | 'percent',
  format: string | undefined,
  readAs: (format: string) => Value | undefined,
): Value | undefined => {
  if (format !== undefined) return readAs(format)
  const values = (formats[type] ?? []).flatMap(one => readAs(one) ?? [])
  return new Set(values.map(String)).size === 1 ? values[0] : undefined
}

type Reader<Value> = (value: Value) => Parts

const readLine = (text: string, maxLength: number, place: Reader<string>): CellReading => {
  const line = cleanLine(text, text.length)
  return Array.from(line).length > maxLength
    ? fail('text_too_long', `has more than ${maxLength} characters: shorten it`)
    : { parts: place(line) }
}

// Programs show what has more digits than they keep with an exponent.
const readIdentifier = (text: string, maxLength: number, place: Reader<string>): CellReading =>
  hasLostDigits(text) ? LOST : readLine(text, maxLength, place)

const MAX_LIST = 50

const readList = (
  text: string,
  { format }: ColumnMapping,
  maxLength: number,
  place: Reader<readonly string[]>,
): CellReading => {
  const names = splitList(text, format ?? 'separators')
  if (names.length > MAX_LIST) return fail('too_many', `has more than ${MAX_LIST} values: remove some`)
  const long = names.find(name => name.length > maxLength)
  return long === undefined ? { parts: place(names) } : readLine(long, maxLength, () => place(names))
}

const readInstant = (
  text: string,
  { field, format }: ColumnMapping,
  { zone }: CellContext,
  place: Reader<Date>,
): CellReading => {
  const readAs = (name: string): Date | undefined => {
    const date = readDate(text, name)
    // Access until a day lasts until its end.
    return date && dateToInstant(date, zone, field === 'access_ends_at')
  }
  const at = readAny('date', format, name => readAs(name)?.getTime())
  return take(at, DATE, time => place(new Date(time)))
}

const readCustom = (
  text: string,
  field: CustomFieldShape,
  { format }: ColumnMapping,
  { zone }: CellContext,
): CellReading => {
  const place = (value: string | number | boolean): Parts => ({ person: { custom_fields: { [field.key]: value } } })
  if (field.type === 'text') return readIdentifier(text, 1000, place)
  if (field.type === 'boolean') return take(readBoolean(text), BOOLEAN, place)
  if (field.type === 'number' && hasLostDigits(text)) return LOST
  if (field.type === 'number')
    return take(
      readAny('number', format, name => readNumber(text, name)),
      NUMBER,
      place,
    )
  const some = field.options.slice(0, 10).join(', ')
  if (field.type === 'choice')
    return take(
      findOption(text, field.options),
      fail('choice_unknown', `is not a value of the field: write one of ${some}`),
      place,
    )
  const readDay = (name: string): string | undefined => {
    const date = readDate(text, name)
    return date && dateToDay(date, zone)
  }
  return take(readAny('date', format, readDay), DATE, place)
}

const FIRST_TAKEN = { code: 'first_taken', message: 'has several telephone numbers, of which the first was taken' }

const readFirstPhone = (text: string): CellReading => {
  const phone = readPhone(text)
  if (phone === undefined) return PHONE
  return { parts: { person: { phone } }, ...(hasSeveralPhones(text) ? { notice: FIRST_TAKEN } : {}) }
}

const placeStatus = (status: Status, kind: ImportKind): Parts => {
  if (kind === 'people') return status === 'over' ? { person: { is_inactive: true } } : {}
  if (status === 'over') return { learning: { is_over: true } }
  return status === 'completed' ? { learning: { is_complete: true } } : {}
}

type FieldReader = (text: string, column: ColumnMapping, context: CellContext) => CellReading

const instantReader =
  (place: Reader<Date>): FieldReader =>
  (text, column, context) =>
    readInstant(text, column, context, place)

const readers: Readonly<Record<string, FieldReader>> = {
  email: text => take(readEmail(text), EMAIL, email => ({ person: { email } })),
  name: text => readLine(text, 120, name => ({ person: { name } })),
  first_name: text => readLine(text, 120, first_name => ({ first_name })),
  last_name: text => readLine(text, 120, last_name => ({ last_name })),
  phone: text => (hasLostDigits(text) ? LOST : readFirstPhone(text)),
  external_id: text => readIdentifier(text, 255, external_id => ({ person: { external_id } })),
  locale: text => take(readLocale(text), LOCALE, locale => ({ person: { locale } })),
  time_zone: text => take(readZone(text), ZONE, time_zone => ({ person: { time_zone } })),
  tags: (text, column) => readList(text, column, 50, tags => ({ person: { tags } })),
  groups: (text, column) => readList(text, column, 120, groups => ({ person: { groups } })),
  note: text => ({ parts: { person: { note: text } } }),
  marketing_consent: (text, { format }) =>
    take(readConsent(text, format ?? 'granted'), BOOLEAN, isGranted => ({ person: { marketing_consent: isGranted } })),
  joined_at: instantReader(joined_at => ({ person: { joined_at } })),
  status: (text, { format }, { kind }) =>
    take(kind === 'people' ? readPersonStatus(text) : readLearningStatus(text, format ?? 'completed'), STATUS, status =>
      placeStatus(status, kind),
    ),
  course: text => readIdentifier(text, 255, course => ({ learning: { course } })),
  enrolled_at: instantReader(enrolled_at => ({ learning: { enrolled_at } })),
  access_ends_at: instantReader(access_ends_at => ({ learning: { access_ends_at } })),
  percent_complete: (text, { format }) =>
    take(
      readAny('percent', format, name => readPercent(text, name)),
      PERCENT,
      percent_complete => ({ learning: { percent_complete } }),
    ),
  completed_at: instantReader(completed_at => ({ learning: { completed_at } })),
  lesson: text => readIdentifier(text, 255, lesson => ({ learning: { lesson } })),
  lesson_completed_at: instantReader(lesson_completed_at => ({ learning: { lesson_completed_at } })),
}

/** Reads a cell as its column says. */
export const readCell = (text: string, column: ColumnMapping, context: CellContext): CellReading => {
  const custom = findCustomField(column.field, context.customFields)
  if (custom !== undefined) return readCustom(text, custom, column, context)
  const read = Object.hasOwn(readers, column.field) ? readers[column.field] : undefined
  return read?.(text, column, context) ?? fail('field_unknown', 'belongs to a field that is not there any more')
}
