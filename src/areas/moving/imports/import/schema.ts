import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Line, Nullable, OneOf, Person, Recorded } from '#src/kit/shapes.ts'
import { sources } from '../mapping/index.ts'

/** What an import brings in: people, or what people learn. */
const kinds = ['people', 'learning'] as const

/** The statuses of an import. */
export const statuses = [
  'reading',
  'unreadable',
  'ready',
  'checking',
  'checked',
  'running',
  'stopped',
  'completed',
  'undoing',
  'undone',
] as const

const Encoding = Line(40, 'An encoding, such as utf-8 or windows-1252')
const Delimiter = OneOf([',', ';', '\t', '|'], 'What divides the cells of a line')
const SHEET = 'The name of a sheet'
const Sheet = Line(100, SHEET)
const HeaderRow = Type.Integer({
  minimum: 0,
  maximum: 20,
  description: 'The row of the file that has the headings; 0 where none has',
})

const Samples = Type.Array(Type.String())

const ImportColumn = Closed('ImportColumn', {
  index: Type.Integer({ minimum: 0 }),
  heading: Type.String({ description: 'Empty where the column has values and no heading' }),
  samples: Type.Array(Type.String(), { description: 'The first values that differ, at most three' }),
})

const ImportFormat = Closed('ImportFormat', {
  type: OneOf(['csv', 'xlsx', 'oneroster'], 'What kind of file it is'),
  encoding: Nullable(Encoding),
  delimiter: Nullable(Delimiter),
  // Whatever a file has as the name of a sheet.
  sheet: Nullable(Type.String({ description: SHEET })),
  header_row: HeaderRow,
  is_encoding_guessed: Type.Boolean({ description: 'Whether the encoding fits and is not proved' }),
  encoding_samples: Type.Array(Type.String(), { description: 'Cells that show whether the encoding is right' }),
  sheets: Type.Array(Type.String(), { description: 'The visible sheets of a workbook' }),
  skipped: Type.Array(Samples, { description: 'The rows before that with the headings' }),
  rows: Type.Integer({ minimum: 0, description: 'How many rows follow the headings' }),
  columns: Type.Array(ImportColumn),
})

const Format = Line(40, 'How its dates, percentages or numbers are read')
const Field = Line(50, 'A field of the person or of what they learn, custom: with the key of a custom field, or ignore')

const ImportMapping = Closed('ImportMapping', {
  column: Type.Integer({ minimum: 0, maximum: 99, description: 'The index of the column' }),
  field: Field,
  format: Nullable(Format),
})

const MappingInput = Closed('ImportMappingInput', {
  column: ImportMapping.properties.column,
  field: Field,
  format: Type.Optional(Nullable(Format)),
})

const ImportReading = Closed('ImportReading', {
  format: Format,
  samples: Type.Array(
    Closed('ImportReadingSample', {
      text: Type.String({ description: 'What the file has' }),
      read: Type.String({ description: 'What that is in this format' }),
    }),
  ),
})

const AmbiguousColumn = Closed('AmbiguousColumn', {
  column: Type.Integer({ minimum: 0 }),
  field: Type.String(),
  formats: Type.Array(ImportReading, { description: 'The formats that fit all cells of the column' }),
})

const Tags = Type.Array(Line(50, 'A word or two; kept in lower case'), { maxItems: 20 })

const optionFields = {
  existing: OneOf(['update', 'skip'], 'What happens to people who are members already'),
  restore_deleted: Type.Boolean({ description: 'Whether people who were removed come back with their history' }),
  send_invitations: Type.Boolean({
    description: 'Whether people who are new or come back are invited by mail, at most 1,000 an hour',
  }),
  notify: Type.Boolean({ description: 'Whether people who are enrolled are notified by mail' }),
  issue_certificates: Type.Boolean({ description: 'Whether completed courses issue certificates' }),
  course_id: Nullable(Id('crs')),
  tags: { ...Tags, description: 'Tags that every person of the file gets' },
  inactive: OneOf(['report', 'suspend'], 'What happens to members whom the file calls inactive'),
}

const ImportOptions = Closed('ImportOptions', optionFields)

const OptionsInput = Type.Partial(Type.Object(optionFields), {
  additionalProperties: false,
  title: 'ImportOptionsInput',
})

const Count = Type.Integer({ minimum: 0 })

const ImportCounts = Closed('ImportCounts', {
  created: Count,
  updated: Count,
  unchanged: Count,
  failed: Count,
  skipped: Count,
})

const ImportFile = Closed('ImportFile', {
  name: Type.String(),
  byte_size: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

/** A file of people, or of what they learn, with how it is read and what became of it. */
export const Import = Closed('Import', {
  id: Id('imp'),
  kind: OneOf(kinds, 'What the file has: people, or what people learn'),
  status: OneOf(
    statuses,
    'reading, then ready or unreadable; checking, checked; running, completed or stopped; undoing, undone',
  ),
  file: ImportFile,
  format: Nullable(ImportFormat),
  source: OneOf(sources, 'The program that wrote the file, by its headings'),
  mapping: Type.Array(ImportMapping, { description: 'What each column is; a column that is missing is ignored' }),
  is_mapping_guessed: Type.Boolean({ description: 'Whether nobody has confirmed the mapping' }),
  ambiguous: Type.Array(AmbiguousColumn, {
    description: 'Columns whose values fit several formats; choose one of them in the mapping',
  }),
  options: ImportOptions,
  counts: ImportCounts,
  notices_count: Type.Integer({ minimum: 0, description: 'How many rows have a notice' }),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'How far the check, the run or the undo is' }),
  problem: Nullable(Closed('ImportProblem', { code: Type.String(), message: Type.String() })),
  undo_until: Nullable(Instant),
  started_by: Nullable(Person),
  checked_at: Nullable(Instant),
  started_at: Nullable(Instant),
  ended_at: Nullable(Instant),
  ...Recorded,
})

/** A page of imports. */
export const ImportPage = PageOf(Import, 'ImportPage')

/** How imports are listed. */
export const ImportsQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(statuses, 'Only this status')),
})

/** What an import is named by in a path. */
export const ImportRef = Type.Object({ import_id: Id('imp') })

/** The file of a new import. */
export const NewImport = Closed(
  'NewImport',
  { upload_id: Id('upl') },
  'A completed upload of yours with the purpose import: CSV, XLSX or OneRoster, of at most 50 MB and 50,000 rows',
)

/** A change of how a file is read, of what its columns are, or of what the import does. */
export const ImportChange = Closed('ImportChange', {
  format: Type.Optional(
    Type.Partial(Type.Object({ encoding: Encoding, delimiter: Delimiter, sheet: Sheet, header_row: HeaderRow }), {
      additionalProperties: false,
      title: 'ImportFormatInput',
      description: 'The file is read again',
    }),
  ),
  mapping: Type.Optional(Type.Array(MappingInput, { maxItems: 100 })),
  options: Type.Optional(OptionsInput),
})

/** The kind of an import. */
export type Kind = (typeof kinds)[number]

/** The status of an import. */
export type Status = (typeof statuses)[number]

/** What an import does, as it is stored. */
export type Options = Static<typeof ImportOptions>

/** How a file was read, as it is stored. */
export type StoredFormat = Static<typeof ImportFormat>

/** What a person chose of the format. */
export type Chosen = Partial<Pick<StoredFormat, 'encoding' | 'delimiter' | 'sheet' | 'header_row'>>

/** How many rows have each result, and how many have notices. */
export type Counts = Static<typeof ImportCounts> & { readonly notices: number }
