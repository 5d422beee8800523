import { instant } from '#src/kit/instant.ts'
import { changedFields, picked } from '#src/kit/patch.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { BatchMember } from '../batches/queries.ts'
import type { CustomValue, MemberRow, MemberValues } from '../member/queries.ts'

type PlainValues = Omit<MemberValues, 'custom_fields'>

type PlainField = keyof PlainValues

type CustomFields = Readonly<Record<string, CustomValue | null>>

/** Some fields of a member as JSON; a custom field without a value is null. */
type UndoFields = Partial<Omit<PlainValues, 'joined_at'>> & {
  readonly joined_at?: string | null
  readonly custom_fields?: CustomFields
}

/** What an import changed of one member, as JSON. */
export type MemberUndo = {
  readonly id: string
  readonly isCreated: boolean
  /** Whether the member had been deleted before. */
  readonly isBack: boolean
  /** The fields that changed, as they were; none of a member who was created. */
  readonly before: UndoFields
  /** The same fields as the import stored them; all of a member who was created. */
  readonly after: UndoFields
  /** The tags that were added. */
  readonly tags: readonly string[]
  /** The note that was added. */
  readonly noteId?: string
  /** Why the member was suspended, if they were. */
  readonly suspendedFor?: string
}

// Fields that only make sense together: an address and whether it is proven; a consent, its source and who gave it.
const GROUPS: readonly (readonly PlainField[])[] = [
  ['email', 'email_verified'],
  ['name'],
  ['phone'],
  ['locale'],
  ['time_zone'],
  ['external_id'],
  ['joined_at'],
  ['marketing_granted', 'marketing_source', 'marketing_by_person'],
]

const toUndo = ({ joined_at: joinedAt, ...values }: Partial<PlainValues>): UndoFields =>
  joinedAt === undefined ? values : { ...values, joined_at: instant(joinedAt) }

const fromUndo = ({ joined_at: joinedAt, custom_fields: _, ...values }: UndoFields): Partial<PlainValues> =>
  joinedAt === undefined ? values : { ...values, joined_at: joinedAt === null ? null : new Date(joinedAt) }

const pickFields = (values: MemberValues, fields: readonly PlainField[], keys: readonly string[]): UndoFields => ({
  ...toUndo(picked(values, fields)),
  ...(keys.length === 0
    ? {}
    : { custom_fields: Object.fromEntries(keys.map(key => [key, values.custom_fields[key] ?? null])) }),
})

/** The fields that new values change, as they are stored and as they become. */
export const compareFields = (
  stored: MemberValues,
  values: MemberValues,
): { readonly before: UndoFields; readonly after: UndoFields } => {
  const changed = new Set<string>(changedFields<MemberValues>(stored, values))
  const fields = GROUPS.filter(group => group.some(field => changed.has(field))).flat()
  const all = new Set([...Object.keys(stored.custom_fields), ...Object.keys(values.custom_fields)])
  const keys = [...all].filter(key => stored.custom_fields[key] !== values.custom_fields[key])
  return { before: pickFields(stored, fields, keys), after: pickFields(values, fields, keys) }
}

const listEveryField = (values: MemberValues): UndoFields =>
  pickFields(values, GROUPS.flat(), Object.keys(values.custom_fields))

/** What an import added with a new member. */
export const createdUndo = ({ id, values, tags }: BatchMember): MemberUndo => ({
  id,
  isCreated: true,
  isBack: false,
  before: {},
  after: listEveryField(values),
  tags,
})

/** What an import changed of a member whom it suspended, and the reason that it gave. */
export const suspendedUndo = (id: string, reason: string): MemberUndo => ({
  id,
  isCreated: false,
  isBack: false,
  before: {},
  after: {},
  tags: [],
  suspendedFor: reason,
})

/** A member after an undo, and whether a field that the import stored was changed since, and stays. */
type Reverted = { readonly values: MemberValues; readonly isChanged: boolean }

const withoutNulls = (fields: CustomFields): Readonly<Record<string, CustomValue>> =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])))

/** Who has some folded addresses and external ids. */
export type TakenNames = {
  readonly emails: ReadonlyMap<string, string>
  readonly externalIds: ReadonlyMap<string, string>
}

const isOther = (holder: string | undefined, { id }: MemberRow): boolean => holder !== undefined && holder !== id

const isTaken = (
  row: MemberRow,
  { email, external_id: externalId }: UndoFields,
  names: TakenNames,
  field: PlainField,
) => {
  if (field === 'email' && email !== undefined) return isOther(names.emails.get(foldEmail(email)), row)
  return field === 'external_id' && externalId != null && isOther(names.externalIds.get(externalId), row)
}

/**
 * A member whose fields are as before an import, where they still are as the import stored them and no other member has the
 * address or external id by now.
 */
export const revertFields = (
  row: MemberRow,
  { before, after }: Pick<MemberUndo, 'before' | 'after'>,
  taken: TakenNames,
): Reverted => {
  const touched = GROUPS.filter(group => group.some(field => field in after))
  const isAsStored = (field: PlainField): boolean => JSON.stringify(row[field]) === JSON.stringify(after[field])
  const reverted = touched.filter(
    group => group.every(isAsStored) && !group.some(field => isTaken(row, before, taken, field)),
  )
  const keys = Object.keys(after.custom_fields ?? {})
  const sameKeys = keys.filter(key => (row.custom_fields[key] ?? null) === after.custom_fields?.[key])
  const custom = Object.fromEntries(sameKeys.map(key => [key, before.custom_fields?.[key] ?? null]))
  return {
    values: {
      ...row,
      ...picked({ ...row, ...fromUndo(before) }, reverted.flat()),
      custom_fields: withoutNulls({ ...row.custom_fields, ...custom }),
    },
    isChanged: reverted.length < touched.length || sameKeys.length < keys.length,
  }
}

/** Whether a member is as the import that created them left them. */
export const isAsCreated = (row: MemberRow, { after, tags }: Pick<MemberUndo, 'after' | 'tags'>): boolean => {
  const keys = new Set([...Object.keys(row.custom_fields), ...Object.keys(after.custom_fields ?? {})])
  return (
    GROUPS.flat().every(field => JSON.stringify(row[field]) === JSON.stringify(after[field])) &&
    [...keys].every(key => row.custom_fields[key] === after.custom_fields?.[key]) &&
    row.tags.length === tags.length &&
    tags.every(tag => row.tags.includes(tag))
  )
}
