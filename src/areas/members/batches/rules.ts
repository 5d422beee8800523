import type { FieldRow } from '#src/areas/custom-fields/index.ts'
import type { CallingMember } from '#src/contract/caller.ts'
import { checkOf, faults } from '#src/contract/check.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { changedFields } from '#src/kit/patch.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { MemberRow, MemberValues } from '../member/queries.ts'
import { changedValues, errorsOfCustom, faultsOfMember, keepsAddress, newValues } from '../member/rules.ts'
import { cleanTags } from '../tags/rules.ts'
import { BatchRow, type Row } from './schema.ts'

/** What is to be done with one row. */
export type Plan =
  | { readonly kind: 'failed'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'unchanged'; readonly id: string }
  | { readonly kind: 'updated'; readonly id: string; readonly values: MemberValues; readonly tags: readonly string[] }
  | { readonly kind: 'created'; readonly values: MemberValues; readonly tags: readonly string[] }

/** The members that the rows of a batch may mean. */
export type MemberIndex = {
  readonly byExternal: ReadonlyMap<string, MemberRow>
  readonly byEmail: ReadonlyMap<string, MemberRow>
}

const failed = (pointer: string, code: string, message: string): Plan => ({
  kind: 'failed',
  errors: [{ pointer, code, message }],
})

/** The rows that fit their shape; the others are undefined. */
export const shapedRows = (rows: readonly unknown[]): (Row | undefined)[] =>
  rows.map(row => (checkOf(BatchRow).Check(row) ? (row as Row) : undefined))

/** The names a row goes by within its batch; two rows may not share one. */
export const namesOf = (row: Row): string[] => [
  `email ${foldEmail(row.email)}`,
  ...(row.external_id ? [`external ${row.external_id}`] : []),
]

const target = (row: Row, { byExternal, byEmail }: MemberIndex): MemberRow | undefined | Plan => {
  const external = row.external_id ? byExternal.get(row.external_id) : undefined
  const email = byEmail.get(foldEmail(row.email))
  if (external !== undefined) {
    if (email !== undefined && email.id !== external.id)
      return failed('/email', 'email_taken', 'is the address of another member')
    return external
  }
  if (row.external_id && email !== undefined && email.external_id !== null)
    return failed('/external_id', 'email_taken', 'differs from that of the member with this address')
  return email
}

const isPlan = (found: MemberRow | Plan): found is Plan => 'kind' in found

const change = (row: Row, member: MemberRow, caller: CallingMember, fields: readonly FieldRow[]): Plan => {
  if (member.status === 'deleted') return failed('', 'deleted', 'means a member who was removed')
  if (member.role === 'owner' && caller.role !== 'owner')
    return failed('', 'role_required', 'means an owner, who is changed by an owner alone')
  if (keepsAddress(member, row.email))
    return failed('/email', 'address_not_yours', 'belongs to a member with a password, who changes it alone')
  const { tags = [], ...settings } = row
  const values = changedValues(member, settings)
  const errors = [...faultsOfMember(values), ...errorsOfCustom(fields, row.custom_fields ?? {})]
  if (errors.length > 0) return { kind: 'failed', errors }
  const added = cleanTags(tags).filter(tag => !member.tags.includes(tag))
  const isSame = changedFields<MemberValues>(member, values).length === 0 && added.length === 0
  return isSame ? { kind: 'unchanged', id: member.id } : { kind: 'updated', id: member.id, values, tags: added }
}

const addition = (row: Row, fields: readonly FieldRow[]): Plan => {
  const { tags = [], name, ...settings } = row
  if (name === undefined) return failed('/name', 'required', 'is missing, and nobody has this external_id or address')
  const values = newValues({ ...settings, name })
  const errors = [...faultsOfMember(values), ...errorsOfCustom(fields, row.custom_fields ?? {})]
  return errors.length > 0 ? { kind: 'failed', errors } : { kind: 'created', values, tags: cleanTags(tags) }
}

type Planning = { readonly known: MemberIndex; readonly caller: CallingMember; readonly fields: readonly FieldRow[] }

/** What is to be done with each row of a batch, in their order; the rows decide alone, and only names bind them. */
export const planBatch = (
  rows: readonly unknown[],
  shaped: readonly (Row | undefined)[],
  { known, caller, fields }: Planning,
): Plan[] => {
  const seen = new Set<string>()
  return shaped.map((row, index): Plan => {
    if (row === undefined) return { kind: 'failed', errors: faults(BatchRow, rows[index]) }
    const names = namesOf(row)
    if (names.some(name => seen.has(name))) return failed('', 'duplicate', 'means the same member as an earlier row')
    for (const name of names) seen.add(name)
    const found = target(row, known)
    if (found === undefined) return addition(row, fields)
    return isPlan(found) ? found : change(row, found, caller, fields)
  })
}
