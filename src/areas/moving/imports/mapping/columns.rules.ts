import type { Column } from '#src/kit/tabular/index.ts'
import { createEvidence, type Evidence, hasEvidence } from './evidence.rules.ts'
import {
  type CustomFieldShape,
  findCustomField,
  type ImportKind,
  importFields,
  toCustomField,
  typeOfField,
  type ValueType,
} from './fields.rules.ts'
import { findMeanings, foldHeading } from './headings.rules.ts'
import { hasLostDigits, readNumber } from './numbers.rules.ts'
import {
  findOption,
  isDateLike,
  isOwnId,
  readConsent,
  readEmail,
  readLocale,
  readPhone,
  readZone,
} from './values.rules.ts'
import { readBoolean, readLearningStatus, readPersonStatus } from './words.rules.ts'

/** What is known of a school when columns are guessed. */
export type GuessInput = { readonly kind: ImportKind; readonly customFields: readonly CustomFieldShape[] }

/** A field that a column may have, as far as its heading says so. */
type Candidate = { readonly field: string; readonly rank: number; readonly fits: (text: string, at: number) => boolean }

/** What a column was found to be. */
export type Profile = {
  readonly column: Column
  /** How many cells have a value. */
  readonly values: number
  /** Whether most values are e-mail addresses. */
  readonly hasAddresses: boolean
  /** Whether most values are words. */
  readonly hasWords: boolean
  /** The fields that heading and values allow, the likeliest first; of two columns the lower rank has the clearer heading. */
  readonly fields: readonly { readonly field: string; readonly rank: number }[]
  findEvidence(type: ValueType): Evidence | undefined
}

const isNumber = (text: string): boolean =>
  readNumber(text, 'decimal_point') !== undefined || readNumber(text, 'decimal_comma') !== undefined

const hasLetters = (text: string): boolean => /\p{L}/u.test(text) && readEmail(text) === undefined && !isDateLike(text)

const isId = (text: string, at: number): boolean =>
  readEmail(text) === undefined && !isOwnId(text) && !isDateLike(text) && text !== String(at)

const tests: Readonly<Record<string, (text: string, at: number) => boolean>> = {
  email: text => readEmail(text) !== undefined,
  name: hasLetters,
  first_name: hasLetters,
  last_name: hasLetters,
  phone: text => readPhone(text) !== undefined || hasLostDigits(text),
  // Numbers of rows and ids of our own say nothing of a person.
  external_id: isId,
  locale: text => readLocale(text) !== undefined,
  time_zone: text => readZone(text) !== undefined,
  tags: text => !isDateLike(text) && !isNumber(text),
  groups: text => !isDateLike(text),
  note: text => !isNumber(text),
  marketing_consent: text => readConsent(text, 'granted') !== undefined,
  course: text => !isDateLike(text) && readEmail(text) === undefined,
  lesson: text => !isDateLike(text),
}

const customTest = ({ type, options }: CustomFieldShape): ((text: string) => boolean) => {
  if (type === 'boolean') return text => readBoolean(text) !== undefined
  if (type === 'choice') return text => findOption(text, options) !== undefined
  return () => true
}

const findTest = (field: string, { kind, customFields }: GuessInput): Candidate['fits'] => {
  if (field === 'status')
    return text => (kind === 'people' ? readPersonStatus(text) : readLearningStatus(text, 'completed')) !== undefined
  const custom = findCustomField(field, customFields)
  return custom === undefined ? (tests[field] ?? (() => true)) : customTest(custom)
}

// A field of the school comes before ours, except for the address.
const listCandidates = (heading: string, input: GuessInput): Candidate[] => {
  const form = foldHeading(heading)
  const own = input.customFields.filter(
    ({ key, label }) => form !== '' && [foldHeading(label), foldHeading(key)].includes(form),
  )
  const known = findMeanings(heading).filter(
    ({ field }) => field !== 'ignore' && importFields[input.kind].includes(field),
  )
  const all = [...own.map(field => ({ field: toCustomField(field), rank: 0 })), ...known]
  return all
    .sort((a, b) => Number(b.field === 'email') - Number(a.field === 'email'))
    .map(candidate => ({ ...candidate, fits: findTest(candidate.field, input) }))
}

const isMost = (some: number, all: number): boolean => some * 2 > all

/** Collects what a column may be; `add` takes each of its values, with the number of its row among all, from 1. */
export const createProfile = (column: Column, input: GuessInput) => {
  const candidates = listCandidates(column.heading, input)
  const evidence = new Map<ValueType, Evidence>()
  for (const { field } of candidates) {
    const type = typeOfField(field, input.customFields)
    if (hasEvidence(type) && !evidence.has(type)) evidence.set(type, createEvidence(type))
  }
  const counts = candidates.map(() => 0)
  let [values, addresses, words] = [0, 0, 0]

  const countFitting = ({ field }: Candidate, at: number): number =>
    evidence.get(typeOfField(field, input.customFields))?.readable ?? counts[at] ?? 0

  return {
    column,
    add: (text: string, at: number): void => {
      values += 1
      if (readEmail(text) !== undefined) addresses += 1
      else if (!/\d/.test(text)) words += 1
      for (const one of evidence.values()) one.add(text)
      for (const [place, { fits }] of candidates.entries()) if (fits(text, at)) counts[place] = (counts[place] ?? 0) + 1
    },
    read: (): Profile => ({
      column,
      values,
      hasAddresses: isMost(addresses, values),
      hasWords: isMost(words, values),
      fields: candidates
        .filter((candidate, at) => values === 0 || isMost(countFitting(candidate, at), values))
        .map(({ field, rank }) => ({ field, rank })),
      findEvidence: type => evidence.get(type),
    }),
  }
}
