import type { FieldRow } from '#src/areas/people/custom-fields/index.ts'
import { type FailedRow, failed, isFailed, rowPointer } from '#src/contract/batch.ts'
import type { CallingMember } from '#src/contract/caller.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { changedFields } from '#src/kit/patch.ts'
import { cleanTags, foldEmail } from '#src/kit/text.ts'
import { mayTouch } from '../member/access.ts'
import type { LockedMember, MemberValues } from '../member/queries.ts'
import {
  buildNotices,
  changedValues,
  errorsOfCustom,
  errorsOfMember,
  keepsAddress,
  newValues,
} from '../member/rules.ts'
import type { Row } from './schema.ts'

/** The plan for one row. */
export type Plan =
  | FailedRow
  | { readonly status: 'unchanged'; readonly id: string; readonly notices?: readonly FieldError[] }
  | {
      readonly status: 'updated'
      readonly id: string
      readonly values: MemberValues
      readonly tags: readonly string[]
      readonly notices?: readonly FieldError[]
      /** Whether the member was deleted and comes back. */
      readonly isBack: boolean
    }
  | { readonly status: 'created'; readonly values: MemberValues; readonly tags: readonly string[] }

/** The members that the rows of a batch may refer to. */
export type MemberIndex = {
  readonly byExternal: ReadonlyMap<string, LockedMember>
  readonly byEmail: ReadonlyMap<string, LockedMember>
}

type Planning = {
  readonly members: MemberIndex
  readonly caller: CallingMember
  readonly fields: readonly FieldRow[]
  /** Whether members who were deleted come back. */
  readonly restores: boolean
}

/** The names of a row within its batch; two rows may not share one. */
const listNames = (row: Row): string[] => [
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

const change = (row: Row, member: LockedMember, { caller, fields, restores }: Planning): Plan => {
  const isBack = member.status === 'deleted'
  if (isBack && !restores)
    return failed('', 'deleted', 'refers to a member who was removed; restore_deleted brings them back')
  if (!mayTouch(caller, member)) return failed('', 'role_required', 'refers to an owner, whom only an owner can change')
  if (keepsAddress(isBack ? { ...member, status: 'invited' } : member, row.email))
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
  const notices = buildNotices(member, row.marketing_consent)
  return isSame && !isBack
    ? { status: 'unchanged', id: member.id, ...notices }
    : { status: 'updated', id: member.id, values, tags: added, isBack, ...notices }
}

const addition = (row: Row, fields: readonly FieldRow[]): Plan => {
  const { tags = [], name, ...settings } = row
  if (name === undefined)
    return failed('/name', 'required', 'is required, since no member has this external_id or address')
  const values = newValues({ ...settings, name })
  const errors = [...errorsOfMember(values), ...errorsOfCustom(fields, row.custom_fields ?? {})]
  return errors.length > 0 ? { status: 'failed', errors } : { status: 'created', values, tags: cleanTags(tags) }
}

/** The plan for each row of a batch, in their order; rows are independent except for duplicate names. */
export const planBatch = (rows: readonly (Row | FailedRow)[], planning: Planning): Plan[] => {
  const seen = new Map<string, number>()
  return rows.map((row, index): Plan => {
    if (isFailed(row)) return row
    const names = listNames(row)
    const [first] = names.flatMap(name => seen.get(name) ?? [])
    if (first !== undefined) return failed('', 'duplicate', `refers to the same member as ${rowPointer('rows', first)}`)
    for (const name of names) seen.set(name, index)
    const found = target(row, planning.members)
    if (found === undefined) return addition(row, planning.fields)
    return isFailed(found) ? found : change(row, found, planning)
  })
}
