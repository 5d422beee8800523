import type { FieldError } from '#src/contract/problem.ts'
import type { Column, TableRow } from '#src/kit/tabular/index.ts'

/** What a file has: people, or what people learn. */
export type ImportKind = 'people' | 'learning'

/** What a column is, and how its values are read. */
export type ColumnMapping = { readonly column: number; readonly field: string; readonly format?: string }

/** The programs that write files that are known. */
export const sources = ['teachable', 'thinkific', 'kajabi', 'podia', 'stoa', 'oneroster', 'other'] as const

/** The fields of each kind, without custom ones. */
export const importFields: Readonly<Record<ImportKind, readonly string[]>> = {
  people: ['email', 'name', 'tags', 'ignore'],
  learning: ['email', 'name', 'course', 'ignore'],
}

/** A custom field of the school. */
export type CustomFieldShape = { readonly key: string; readonly type: string }

/** Whether a text is the heading of a column that is known. */
export const isKnownHeading = (text: string): boolean =>
  ['email', 'name', 'tags', 'course'].includes(text.toLowerCase())

type Rows = AsyncIterable<TableRow>
type Guessing = {
  readonly kind: ImportKind
  readonly columns: readonly Column[]
  readonly rows: Rows
  readonly customFields: readonly CustomFieldShape[]
}

/** Guesses what the columns are. */
export const guessMapping = async ({
  kind,
  columns,
}: Guessing): Promise<{ source: (typeof sources)[number]; mapping: ColumnMapping[] }> => ({
  source: 'other',
  mapping: columns.flatMap(({ index, heading }) =>
    importFields[kind].includes(heading.toLowerCase()) ? [{ column: index, field: heading.toLowerCase() }] : [],
  ),
})

/** A column whose values fit several formats. */
export type AmbiguousColumn = {
  readonly column: number
  readonly field: string
  readonly formats: readonly {
    readonly format: string
    readonly samples: readonly { readonly text: string; readonly read: string }[]
  }[]
}

/** The columns whose values fit several formats. */
export const findAmbiguous = async (_: {
  readonly mapping: readonly ColumnMapping[]
  readonly rows: Rows
}): Promise<readonly AmbiguousColumn[]> => []

/** The errors of a mapping as such. */
export const errorsOfMapping = (
  kind: ImportKind,
  mapping: readonly ColumnMapping[],
  _columns: readonly Column[],
  _customFields: readonly CustomFieldShape[],
): FieldError[] => [
  ...mapping.flatMap(({ field }, at) =>
    importFields[kind].includes(field)
      ? []
      : [{ pointer: `/mapping/${at}/field`, code: 'unknown', message: 'is not a field' }],
  ),
  ...(mapping.some(({ field }) => field === 'email')
    ? []
    : [{ pointer: '/mapping', code: 'email_missing', message: 'has no column for the e-mail address' }]),
]

/** A row as values. */
export type MappedRow = {
  readonly number: number
  readonly person: {
    readonly email?: string
    readonly name?: string
    readonly phone?: string
    readonly external_id?: string
    readonly locale?: string
    readonly time_zone?: string
    readonly tags?: string[]
    readonly marketing_consent?: boolean
    readonly custom_fields?: Record<string, unknown>
    readonly joined_at?: Date
    readonly groups?: string[]
    readonly note?: string
    readonly is_inactive?: boolean
  }
  readonly isNameGuessed?: true
  readonly learning?: {
    readonly course?: string
    readonly enrolled_at?: Date
    readonly access_ends_at?: Date
    readonly percent_complete?: number
    readonly completed_at?: Date
    readonly is_complete?: boolean
    readonly lesson?: string
    readonly lesson_completed_at?: Date
  }
  readonly errors: readonly FieldError[]
  readonly notices: readonly FieldError[]
}

type Reading = {
  readonly kind: ImportKind
  readonly mapping: readonly ColumnMapping[]
  readonly customFields: readonly CustomFieldShape[]
  readonly zone: string
  readonly tags: readonly string[]
}

/** Reads rows as values. */
export const createRowReader =
  ({ mapping, tags }: Reading) =>
  ({ number, cells }: TableRow): MappedRow => {
    const read = (field: string) => cells[mapping.find(one => one.field === field)?.column ?? -1] ?? undefined
    const email = read('email')
    const name = read('name')
    return {
      number,
      person: { ...(email === undefined ? {} : { email }), ...(name === undefined ? {} : { name }), tags: [...tags] },
      errors: email === undefined ? [{ pointer: '/email', code: 'email_missing', message: 'is missing' }] : [],
      notices: [],
    }
  }
