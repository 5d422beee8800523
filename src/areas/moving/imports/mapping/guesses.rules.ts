import type { Column, TableRow } from '#src/kit/tabular/index.ts'
import { createProfile, type GuessInput, type Profile } from './columns.rules.ts'
import { createEvidence, type Evidence, hasEvidence } from './evidence.rules.ts'
import { type ColumnMapping, formats, type Source, typeOfField } from './fields.rules.ts'
import { foldHeading } from './headings.rules.ts'
import { guessSource } from './sources.rules.ts'

/** A column whose cells can be read by several formats, of which a person has to choose one. */
export type AmbiguousColumn = {
  readonly column: number
  readonly field: string
  readonly formats: Evidence['possible']
}

/** What the columns of a file were found to be; a column with several possible formats has none. */
type Guess = {
  readonly source: Source
  /** Every column, in their order; `ignore` where nothing is known of it. */
  readonly mapping: readonly ColumnMapping[]
  readonly ambiguous: readonly AmbiguousColumn[]
}

type Assigned = ReadonlyMap<number, string>

// Columns may have the same tags field, and any other field once.
const assignFields = (profiles: readonly Profile[]): Map<number, string> => {
  const pairs = profiles.flatMap(({ column, values, fields }) =>
    fields.map(({ field, rank }, preference) => ({
      column: column.index,
      field,
      rank,
      preference,
      isEmpty: values === 0,
    })),
  )
  const assigned = new Map<number, string>()
  const taken = new Set<string>()
  const sorted = pairs.sort(
    (a, b) => Number(a.isEmpty) - Number(b.isEmpty) || a.preference - b.preference || a.rank - b.rank,
  )
  for (const { column, field } of sorted) {
    if (assigned.has(column) || taken.has(field)) continue
    assigned.set(column, field)
    if (field !== 'tags') taken.add(field)
  }
  return assigned
}

const has = (assigned: Assigned, field: string): boolean => [...assigned.values()].includes(field)

const findColumn = (assigned: Assigned, field: string): number | undefined =>
  [...assigned].find(([, one]) => one === field)?.[0]

const withAddresses = (assigned: Assigned, profiles: readonly Profile[]): Assigned => {
  if (has(assigned, 'email')) return assigned
  const [best] = profiles.filter(({ hasAddresses }) => hasAddresses).sort((a, b) => b.values - a.values)
  return best === undefined ? assigned : new Map([...assigned, [best.column.index, 'email']])
}

// A file without headings has a name where it has one column of words.
const withNames = (assigned: Assigned, profiles: readonly Profile[]): Assigned => {
  if (profiles.some(({ column }) => column.heading !== '')) return assigned
  const [first, ...others] = profiles.filter(({ hasWords }) => hasWords)
  return first === undefined || others.length > 0 ? assigned : new Map([...assigned, [first.column.index, 'name']])
}

const SURNAMES = ['name', 'nom']
const GIVEN_NAMES = ['nombre', 'nome']

// Name is the last one beside Vorname and Prénom, and nombre and nome the first one beside apellidos and apelido.
const withPartsOfNames = (assigned: Assigned, profiles: readonly Profile[]): Assigned => {
  const column = findColumn(assigned, 'name')
  const heading = foldHeading(profiles.find(profile => profile.column.index === column)?.column.heading ?? '')
  const [hasFirst, hasLast] = [has(assigned, 'first_name'), has(assigned, 'last_name')]
  if (column === undefined || hasFirst === hasLast) return assigned
  if (hasFirst && SURNAMES.includes(heading)) return new Map([...assigned, [column, 'last_name']])
  return hasLast && GIVEN_NAMES.includes(heading) ? new Map([...assigned, [column, 'first_name']]) : assigned
}

const WITHDRAWN = /unsub|optout|optedout|descadastr|desinscri|desabonn|abgemeldet|nosuscrit|baja/
const ACTIVE = /activ|ativo|actif|aktiv|enabled/

/** The format of a field whose cells do not decide it; undefined where they do, or where there is one way. */
const defaultFormat = (field: string, heading: string, { kind, customFields }: GuessInput, source: Source) => {
  const form = foldHeading(heading)
  const type = typeOfField(field, customFields)
  if (hasEvidence(type)) return undefined
  if (type === 'consent' && WITHDRAWN.test(form)) return 'withdrawn'
  if (type === 'status' && (kind === 'people' || ACTIVE.test(form))) return 'active'
  if (field === 'groups' && source === 'oneroster') return 'bars'
  return formats[type]?.[0]
}

const toMapping = (column: number, field: string, format: string | undefined): ColumnMapping =>
  format === undefined ? { column, field } : { column, field, format }

const toAmbiguous = ({ column, field }: ColumnMapping, evidence: Evidence | undefined): AmbiguousColumn[] => {
  const possible = evidence?.possible ?? []
  return possible.length === 0 ? [] : [{ column, field, formats: possible }]
}

/** Guesses from headings and all values what the columns of a file are; reads the rows once. */
export const guessMapping = async ({
  columns,
  rows,
  ...input
}: GuessInput & { readonly columns: readonly Column[]; readonly rows: AsyncIterable<TableRow> }): Promise<Guess> => {
  const collecting = columns.map(column => createProfile(column, input))
  let at = 0
  for await (const { cells } of rows) {
    at += 1
    for (const { column, add } of collecting) {
      const text = cells[column.index] ?? null
      if (text !== null) add(text, at)
    }
  }
  const profiles = collecting.map(({ read }) => read())
  const source = guessSource(columns.map(({ heading }) => heading))
  const assigned = [withAddresses, withNames, withPartsOfNames].reduce<Assigned>(
    (found, refine) => refine(found, profiles),
    assignFields(profiles),
  )
  const found = profiles.map(({ column, findEvidence }) => {
    const field = assigned.get(column.index) ?? 'ignore'
    const evidence = findEvidence(typeOfField(field, input.customFields))
    const format = evidence?.format ?? defaultFormat(field, column.heading, input, source)
    return { mapping: toMapping(column.index, field, format), evidence }
  })
  return {
    source,
    mapping: found.map(({ mapping }) => mapping),
    ambiguous: found.flatMap(({ mapping, evidence }) => toAmbiguous(mapping, evidence)),
  }
}

/**
 * Finds the formats that a mapping does not say from all values, after a person changed it; reads the rows once. Columns with several
 * possible formats stay without one, and are listed with cells that these read differently.
 */
export const resolveFormats = async ({
  mapping,
  columns,
  rows,
  source,
  ...input
}: GuessInput & {
  readonly mapping: readonly ColumnMapping[]
  readonly columns: readonly Column[]
  readonly rows: AsyncIterable<TableRow>
  readonly source: Source
}): Promise<Pick<Guess, 'mapping' | 'ambiguous'>> => {
  const open = mapping.map(one => {
    const type = typeOfField(one.field, input.customFields)
    return { one, evidence: one.format === undefined && hasEvidence(type) ? createEvidence(type) : undefined }
  })
  const isOpen = open.some(({ evidence }) => evidence !== undefined)
  if (isOpen)
    for await (const { cells } of rows)
      for (const { one, evidence } of open) {
        const text = evidence === undefined ? null : (cells[one.column] ?? null)
        if (text !== null) evidence?.add(text)
      }
  const headings = new Map(columns.map(({ index, heading }) => [index, heading]))
  return {
    mapping: open.map(({ one, evidence }) =>
      toMapping(
        one.column,
        one.field,
        one.format ?? evidence?.format ?? defaultFormat(one.field, headings.get(one.column) ?? '', input, source),
      ),
    ),
    ambiguous: open.flatMap(({ one, evidence }) => toAmbiguous(one, evidence)),
  }
}
