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
import { compareFields } from '../undo/rules.ts'
import type { Row } from './schema.ts'

/** The plan for one row. */
export type Plan =
  | FailedRow
  | { readonly status: 'unchanged' | 'skipped'; readonly id: string; readonly notices?: readonly FieldError[] }
  | {
      readonly status: 'updated'
      readonly id: string
      readonly values: MemberValues
      readonly tags: readonly string[]
      readonly note: string | undefined
      readonly notices?: readonly FieldError[]
      /** The fields that change. */
      readonly fields: ReturnType<typeof compareFields>
      /** Whether the member was deleted and comes back. */
      readonly isBack: boolean
    }
  | {
      readonly status: 'created'
      readonly values: MemberValues
      readonly tags: readonly string[]
      readonly note: string | undefined
    }

/** The members that the rows of a batch may refer to. */
type MemberIndex = {
  readonly byExternal: ReadonlyMap<string, LockedMember>
  readonly byEmail: ReadonlyMap<string, LockedMember>
}

/** Members by what rows may name them by. */
export const indexMembers = (members: readonly LockedMember[]): MemberIndex => ({
  byExternal: new Map(members.flatMap(row => (row.external_id === null ? [] : [[row.external_id, row] as const]))),
  byEmail: new Map(members.map(row => [row.email_folded, row] as const)),
})

type Planning = {
  readonly members: MemberIndex
  readonly caller: CallingMember
  readonly fields: readonly FieldRow[]
  /** Whether members who were deleted come back. */
  readonly restores: boolean
  /** Whether members who exist stay as they are. */
  readonly skips: boolean
  /** Whether a member has a note with these words. */
  readonly hasNote: (memberId: string, body: string) => boolean
  readonly now: Date
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

const change = (row: Row, member: LockedMember, planning: Planning): Plan => {
  const { caller, fields, restores, skips, now } = planning
  const isBack = member.status === 'deleted'
  if (isBack && !restores)
    return failed('', 'deleted', 'refers to a member who was removed; restore_deleted brings them back')
  if (skips && !isBack) return { status: 'skipped', id: member.id }
  if (!mayTouch(caller, member)) return failed('', 'role_required', 'refers to an owner, whom only an owner can change')
  if (keepsAddress(isBack ? { ...member, status: 'invited' } : member, row.email))
    return failed(
      '/email',
      'address_not_yours',
      'belongs to a member with a password, who is the only one to change it',
    )
  const { tags = [], note, name, is_name_guessed: isGuessed, ...settings } = row
  const values = changedValues(member, isGuessed === true || name === undefined ? settings : { ...settings, name })
  const errors = [...errorsOfMember(values, now), ...errorsOfCustom(fields, row.custom_fields ?? {})]
  if (errors.length > 0) return { status: 'failed', errors }
  const added = cleanTags(tags).filter(tag => !member.tags.includes(tag))
  const isNoted = note === undefined || planning.hasNote(member.id, note)
  const isSame = changedFields<MemberValues>(member, values).length === 0 && added.length === 0 && isNoted
  const notices = buildNotices(member, row.marketing_consent)
  return isSame && !isBack
    ? { status: 'unchanged', id: member.id, ...notices }
    : {
        status: 'updated',
        id: member.id,
        values,
        tags: added,
        note: isNoted ? undefined : note,
        fields: compareFields(member, values),
        isBack,
        ...notices,
      }
}

const addition = (row: Row, { fields, now }: Planning): Plan => {
  const { tags = [], note, name, ...settings } = row
  if (name === undefined)
    return failed('/name', 'required', 'is required, since no member has this external_id or address')
  const values = newValues({ ...settings, name })
  const errors = [...errorsOfMember(values, now), ...errorsOfCustom(fields, row.custom_fields ?? {})]
  return errors.length > 0 ? { status: 'failed', errors } : { status: 'created', values, tags: cleanTags(tags), note }
}

const duplicate = (first: number): FailedRow =>
  failed('', 'duplicate', `refers to the same member as ${rowPointer('rows', first)}`)

/** The plan for each row of a batch, in their order; rows are independent except for duplicate names. */
export const planBatch = (rows: readonly (Row | FailedRow)[], planning: Planning): Plan[] => {
  const seen = new Map<string, number>()
  const matched = new Map<string, number>()
  return rows.map((row, index): Plan => {
    if (isFailed(row)) return row
    const names = listNames(row)
    const [first] = names.flatMap(name => seen.get(name) ?? [])
    if (first !== undefined) return duplicate(first)
    for (const name of names) seen.set(name, index)
    const found = target(row, planning.members)
    if (found === undefined) return addition(row, planning)
    if (isFailed(found)) return found
    // One row may name a member by external id, and another by the address.
    const earlier = matched.get(found.id)
    if (earlier !== undefined) return duplicate(earlier)
    matched.set(found.id, index)
    return change(row, found, planning)
  })
}
