/** What is imported: people alone, or what they learn as well. */
export type ImportKind = 'people' | 'learning'

/** A custom field of the school, as far as its values are read. */
export type CustomFieldShape = {
  readonly key: string
  readonly label: string
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'choice'
  readonly options: readonly string[]
}

/** What a column of a file means. */
export type ColumnMapping = {
  /** `Column.index` of the table. */
  readonly column: number
  /** One of `importFields`, or `custom:` and the key of a custom field. */
  readonly field: string
  /** How its cells are written, for fields that have more than one way. */
  readonly format?: string
}

const peopleFields = [
  'email',
  'name',
  'first_name',
  'last_name',
  'phone',
  'external_id',
  'locale',
  'time_zone',
  'tags',
  'groups',
  'note',
  'marketing_consent',
  'joined_at',
  'status',
] as const

const learningFields = [
  'course',
  'enrolled_at',
  'access_ends_at',
  'percent_complete',
  'completed_at',
  'lesson',
  'lesson_completed_at',
] as const

/** A field that a column can have, apart from custom ones. */
export type ImportField = (typeof peopleFields)[number] | (typeof learningFields)[number] | 'ignore'

/** The fields that columns can have, apart from custom ones; `status` is that of the person, or of what they learn. */
export const importFields: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  people: [...peopleFields, 'ignore'],
  learning: [...peopleFields, ...learningFields, 'ignore'],
}

/** Where a file comes from, as far as its headings say so. */
export const sources = ['teachable', 'thinkific', 'kajabi', 'podia', 'stoa', 'oneroster', 'other'] as const

/** One of these values. */
export type Source = (typeof sources)[number]

const CUSTOM = 'custom:'

/** What a column with the values of a custom field is mapped to. */
export const toCustomField = ({ key }: Pick<CustomFieldShape, 'key'>): string => `${CUSTOM}${key}`

/** The custom field that a column is mapped to. */
export const findCustomField = (
  field: string,
  customFields: readonly CustomFieldShape[],
): CustomFieldShape | undefined =>
  field.startsWith(CUSTOM) ? customFields.find(({ key }) => key === field.slice(CUSTOM.length)) : undefined

/** What the cells of a column are read as. */
export type ValueType = 'text' | 'date' | 'number' | 'percent' | 'boolean' | 'consent' | 'status' | 'list' | 'choice'

const TYPES: Readonly<Partial<Record<string, ValueType>>> = {
  joined_at: 'date',
  enrolled_at: 'date',
  access_ends_at: 'date',
  completed_at: 'date',
  lesson_completed_at: 'date',
  percent_complete: 'percent',
  marketing_consent: 'consent',
  status: 'status',
  tags: 'list',
  groups: 'list',
}

/** What the cells of a field are read as. */
export const typeOfField = (field: string, customFields: readonly CustomFieldShape[]): ValueType =>
  TYPES[field] ?? findCustomField(field, customFields)?.type ?? 'text'

/** How cells of a type can be written, by the names of the formats; a type that is not here has one way. */
export const formats: Readonly<Partial<Record<ValueType, readonly string[]>>> = {
  // 2026-04-03 and 2026/4/3; 3.4.2026; 4/3/2026; 3 April 2026.
  date: ['year_month_day', 'day_month_year', 'month_day_year', 'month_name'],
  // 1,250.5 and 1.250,5.
  number: ['decimal_point', 'decimal_comma'],
  // 45 and 0.45.
  percent: ['percent', 'fraction'],
  // Whether a yes grants the consent, or takes it back.
  consent: ['granted', 'withdrawn'],
  // What a yes says of an enrollment; of a person it says that they are active.
  status: ['completed', 'active'],
  // Divided by commas, semicolons and bars, or by bars alone.
  list: ['separators', 'bars'],
}
