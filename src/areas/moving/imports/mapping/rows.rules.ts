import type { FieldError } from '#src/contract/problem.ts'
import type { TableRow } from '#src/kit/tabular/index.ts'
import { cleanLine, cleanTags } from '#src/kit/text.ts'
import { type CellContext, readCell } from './cells.rules.ts'
import type { ColumnMapping } from './fields.rules.ts'
import type { MappedPerson, MappedRow, Parts } from './mapped-rows.rules.ts'

const MAX_NAME_LENGTH = 120

const faults = {
  too_long: 'has more cells than there are headings: put a value with a delimiter in it into quotation marks',
  cell_too_long: 'has a cell of more than 10,000 characters: shorten it',
  row_too_large: 'has more than 100,000 characters: shorten its cells',
}

const listFaults = ({ fault }: TableRow): FieldError[] =>
  fault === undefined ? [] : [{ pointer: '', code: fault, message: faults[fault] }]

const NAME_FROM_ADDRESS: FieldError = {
  pointer: '/name',
  code: 'name_from_address',
  message: 'was taken from the e-mail address, since the row has no name',
}

const NAME_TOO_LONG: FieldError = {
  pointer: '/name',
  code: 'text_too_long',
  message: `has more than ${MAX_NAME_LENGTH} characters: shorten it`,
}

const EMAIL_MISSING: FieldError = {
  pointer: '/email',
  code: 'email_missing',
  message: 'is missing: every person needs an e-mail address',
}

// Of several columns with tags or custom fields, every value is kept.
const mergePerson = (row: MappedPerson, person: MappedPerson): MappedPerson => {
  const merged = { ...row, ...person }
  const { tags, custom_fields: custom } = person
  return {
    ...merged,
    ...(tags && row.tags ? { tags: [...row.tags, ...tags] } : {}),
    ...(custom && row.custom_fields ? { custom_fields: { ...row.custom_fields, ...custom } } : {}),
  }
}

const merge = (row: Parts, parts: Parts): Parts => ({
  ...row,
  ...parts,
  ...(row.person && parts.person ? { person: mergePerson(row.person, parts.person) } : {}),
  ...(row.learning && parts.learning ? { learning: { ...row.learning, ...parts.learning } } : {}),
})

type Named = { readonly person: MappedPerson; readonly isNameGuessed?: true }

const withName = ({ person = {}, first_name: first, last_name: last }: Parts): Named => {
  if (person.name !== undefined) return { person }
  const name = [first, last].filter(part => part !== undefined).join(' ')
  if (name !== '') return { person: { ...person, name } }
  const [local = ''] = person.email?.split('@') ?? []
  return local === ''
    ? { person }
    : { person: { ...person, name: cleanLine(local, MAX_NAME_LENGTH) }, isNameGuessed: true }
}

const listErrors = ({ email, name }: MappedPerson, errors: readonly FieldError[]): FieldError[] => [
  ...(email === undefined && errors.every(({ pointer }) => pointer !== '/email') ? [EMAIL_MISSING] : []),
  ...(Array.from(name ?? '').length > MAX_NAME_LENGTH ? [NAME_TOO_LONG] : []),
]

/** How the rows of a file are read. */
type RowReading = CellContext & {
  readonly mapping: readonly ColumnMapping[]
  /** Tags that every person gets. */
  readonly tags: readonly string[]
}

/** Returns what reads a row of a file as values; what cannot be read is an error of the row, and the rest is read all the same. */
export const createRowReader = ({
  mapping,
  tags: tagsOfAll,
  ...context
}: RowReading): ((row: TableRow) => MappedRow) => {
  const columns = mapping.filter(({ field }) => field !== 'ignore')
  return row => {
    const errors = listFaults(row)
    const notices: FieldError[] = []
    let parts: Parts = {}
    for (const column of columns) {
      const text = row.cells[column.column] ?? null
      if (text === null) continue
      const reading = readCell(text, column, context)
      const pointer = `/${column.field}`
      if ('parts' in reading) parts = merge(parts, reading.parts)
      else errors.push({ pointer, ...reading.error })
      if ('notice' in reading) notices.push({ pointer, ...reading.notice })
    }
    const { person, isNameGuessed } = withName(parts)
    const tags = cleanTags([...(person.tags ?? []), ...tagsOfAll])
    return {
      number: row.number,
      person: tags.length > 0 ? { ...person, tags } : person,
      ...(isNameGuessed ? { isNameGuessed } : {}),
      ...(context.kind === 'learning' ? { learning: parts.learning ?? {} } : {}),
      errors: [...errors, ...listErrors(person, errors)],
      notices: isNameGuessed ? [...notices, NAME_FROM_ADDRESS] : notices,
    }
  }
}
