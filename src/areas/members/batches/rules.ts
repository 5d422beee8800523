import type { FieldRow } from '#src/areas/custom-fields/index.ts'
import { type FailedRow, failed, isFailed } from '#src/contract/batch.ts'
import type { CallingMember } from '#src/contract/caller.ts'
import { changedFields } from '#src/kit/patch.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { LockedMember, MemberValues } from '../member/queries.ts'
import { changedValues, errorsOfCustom, errorsOfMember, keepsAddress, newValues } from '../member/rules.ts'
import { cleanTags } from '../tags/rules.ts'
import type { Row } from './schema.ts'

/** The plan for one row. */
export type Plan =
  | FailedRow
  | { readonly status: 'unchanged'; readonly id: string }
  | { readonly status: 'updated'; readonly id: string; readonly values: MemberValues; readonly tags: readonly string[] }
  | { readonly status: 'created'; readonly values: MemberValues; readonly tags: readonly string[] }

/** The members that the rows of a batch may refer to. */
export type MemberIndex = {
  readonly byExternal: ReadonlyMap<string, LockedMember>
  readonly byEmail: ReadonlyMap<string, LockedMember>
}

/** The names of a row within its batch; two rows may not share one. */
const namesOf = (row: Row): string[] => [
  `email ${foldEmail(row.email)}`,
  ...(row.external_id ? [`external ${row.external_id}`] : []),
]

const target = (row: Row, { byExternal, byEmail }: MemberIndex): LockedMember | undefined | FailedRow => {
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

const change = (row: Row, member: LockedMember, caller: CallingMember, fields: readonly FieldRow[]): Plan => {
  if (member.status === 'deleted') return failed('', 'deleted', 'refers to a member who was removed')
  if (member.role === 'owner' && caller.role !== 'owner')
    return failed('', 'role_required', 'refers to an owner, whom only an owner can change')
  if (keepsAddress(member, row.email))
    return failed(
      '/email',
      'address_not_yours',
      'belongs to a member with a password, who is the only one to change it',
    )
  const { tags = [], ...settings } = row
  const values = changedValues(member, settings)
  const errors = [...errorsOfMember(values), ...errorsOfCustom(fields, row.custom_fields ?? {})]
  if (errors.length > 0) return { status: 'failed', errors }
  const added = cleanTags(tags).filter(tag => !member.tags.includes(tag))
  const isSame = changedFields<MemberValues>(member, values).length === 0 && added.length === 0
  return isSame ? { status: 'unchanged', id: member.id } : { status: 'updated', id: member.id, values, tags: added }
}

const addition = (row: Row, fields: readonly FieldRow[]): Plan => {
  const { tags = [], name, ...settings } = row
  if (name === undefined)
    return failed('/name', 'required', 'is required, since no member has this external_id or address')
  const values = newValues({ ...settings, name })
  const errors = [...errorsOfMember(values), ...errorsOfCustom(fields, row.custom_fields ?? {})]
  return errors.length > 0 ? { status: 'failed', errors } : { status: 'created', values, tags: cleanTags(tags) }
}

type Planning = { readonly members: MemberIndex; readonly caller: CallingMember; readonly fields: readonly FieldRow[] }

/** The plan for each row of a batch, in their order; rows are independent except for duplicate names. */
export const planBatch = (rows: readonly (Row | FailedRow)[], { members, caller, fields }: Planning): Plan[] => {
  const seen = new Set<string>()
  return rows.map((row): Plan => {
    if (isFailed(row)) return row
    const names = namesOf(row)
    if (names.some(name => seen.has(name)))
      return failed('', 'duplicate', 'refers to the same member as an earlier row')
    for (const name of names) seen.add(name)
    const found = target(row, members)
    if (found === undefined) return addition(row, fields)
    return isFailed(found) ? found : change(row, found, caller, fields)
  })
}
