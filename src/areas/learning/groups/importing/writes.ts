import type { Undone } from '#src/areas/people/index.ts'
import { type FailedRow, failed, isFailed } from '#src/contract/batch.ts'
import type { WriteContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { fold } from '#src/kit/text.ts'
import { lockGroupNames } from '../group/queries.ts'
import { cleanName, errorsOfName, MAX_NAME_LENGTH } from '../group/rules.ts'
import { joinGroup, leaveGroup } from '../members/writes.ts'
import { deleteEmptyGroups, type ImportedGroup, insertGroups, keepGroupsNamed } from './queries.ts'

/** A member and the name of a group to put them into. */
type GroupPair = { readonly memberId: string; readonly name: string }

/** What an import did for a member and a group, as JSON. */
export type GroupUndo = {
  readonly groupId: string
  readonly memberId: string
  /** Whether the import created the group. */
  readonly isNewGroup: boolean
}

/** The result of a pair: `undo` where the member was not in the group. */
type GroupOutcome =
  | FailedRow
  | { readonly status: 'added' | 'unchanged'; readonly groupId: string; readonly undo?: GroupUndo }

type Writing = Pick<WriteContext, 'db' | 'school' | 'now' | 'changed' | 'record'>

const checkName = (name: string): FailedRow | undefined => {
  if (name.trim().length > MAX_NAME_LENGTH)
    return failed('/groups', 'too_long', `has a name of more than ${MAX_NAME_LENGTH} characters`)
  return errorsOfName(cleanName(name)).length > 0 ? failed('/groups', 'text', 'has no visible characters') : undefined
}

const created = (id: string): Fact => ({ type: 'group.created', payload: { group_id: toId('grp', id) } })

const about = (groupId: string, memberId: string) => ({
  group_id: toId('grp', groupId),
  member_id: toId('mem', memberId),
})

// Creates the groups that are missing, as far as there may be so many; returns all, and the ids of the new ones.
const ensureGroups = async ({ db, school, now }: Writing, names: readonly string[], most: number) => {
  const groups = new Map(await keepGroupsNamed(db, school.id, names))
  const added: ImportedGroup[] = []
  if (names.every(name => groups.has(fold(name)))) return { groups, added }
  await lockGroupNames(db, school.id)
  for (const [key, group] of await keepGroupsNamed(db, school.id, names)) groups.set(key, group)
  for (const name of names) {
    if (groups.has(fold(name)) || added.length >= most) continue
    const group = { id: newUuid(now.getTime()), name }
    groups.set(fold(name), group)
    added.push(group)
  }
  if (added.length > 0) await insertGroups(db, school.id, added)
  return { groups, added }
}

/**
 * Puts members into groups that are named, and creates the groups that are missing, at most `maxNew`. The caller is staff who may
 * change the members. Returns the results in order.
 */
export const addToGroups = async (
  context: Writing,
  pairs: readonly GroupPair[],
  { maxNew }: { readonly maxNew: number },
): Promise<GroupOutcome[]> => {
  const { changed, record } = context
  const checked = pairs.map(pair => checkName(pair.name) ?? { ...pair, name: cleanName(pair.name) })
  const names = new Map(checked.flatMap(pair => (isFailed(pair) ? [] : [[fold(pair.name), pair.name] as const])))
  const { groups, added } = await ensureGroups(context, [...names.values()], maxNew)
  const newIds = new Set(added.map(({ id }) => id))
  const joined = new Set<string>()
  for (const [key, { id }] of groups) {
    const memberIds = checked.flatMap(one => (!isFailed(one) && fold(one.name) === key ? [one.memberId] : []))
    for (const memberId of await joinGroup(context, id, [...new Set(memberIds)])) {
      joined.add(`${id} ${memberId}`)
      record({ type: 'group.member_added', payload: about(id, memberId) })
    }
  }
  for (const { id } of added) record(created(id))
  const touched = [...groups.values()].filter(({ id }) => newIds.has(id) || [...joined].some(one => one.startsWith(id)))
  if (touched.length > 0) changed({ ids: touched.map(({ id }) => toId('grp', id)), fields: ['members'] })
  return checked.map((pair): GroupOutcome => {
    if (isFailed(pair)) return pair
    const group = groups.get(fold(pair.name))
    if (group === undefined) return failed('/groups', 'too_many', `would be one of more than ${maxNew} new groups`)
    // A pair that is named twice is added once.
    if (!joined.delete(`${group.id} ${pair.memberId}`)) return { status: 'unchanged', groupId: group.id }
    const undo = { groupId: group.id, memberId: pair.memberId, isNewGroup: newIds.has(group.id) }
    return { status: 'added', groupId: group.id, undo }
  })
}

/** Takes members from the groups into which an import put them, and deletes the groups that it created and that are empty again. */
export const undoGroups = async (context: Writing, undos: readonly GroupUndo[]): Promise<Undone[]> => {
  const { db, school, changed, record } = context
  const byGroup = Map.groupBy(undos, ({ groupId }) => groupId)
  const left: string[] = []
  for (const [groupId, all] of byGroup) {
    const memberIds = all.map(({ memberId }) => memberId)
    const removed = await leaveGroup(context, groupId, memberIds, 'undo')
    if (removed.length > 0) left.push(groupId)
    for (const memberId of removed) record({ type: 'group.member_removed', payload: about(groupId, memberId) })
  }
  const newIds = new Set(undos.filter(({ isNewGroup }) => isNewGroup).map(({ groupId }) => groupId))
  const deleted = newIds.size === 0 ? [] : await deleteEmptyGroups(db, school.id, [...newIds])
  for (const id of deleted)
    record({ type: 'group.deleted', payload: { group_id: toId('grp', id), member_count: 0, item_count: 0 } })
  const ids = [...new Set([...left, ...deleted])]
  if (ids.length > 0) changed({ ids: ids.map(id => toId('grp', id)), fields: ['members'] })
  return undos.map(() => ({ status: 'undone' }))
}
