import type { Static } from 'typebox'
import type { BundleItemRow } from '#src/areas/learning/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { itemNames, type NamedItem } from '#src/contract/items.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { listFirstItems } from './queries.ts'
import { getPrefix } from './rules.ts'
import type { PlanItemName } from './schema.ts'

type Row = Pick<BundleItemRow, 'item_type' | 'item_id'>

type View = Static<typeof PlanItemName>

const namesByType = async ({ db, school, caller }: AsCaller<Caller>, rows: readonly Row[]) => {
  const byType = Map.groupBy(rows, row => row.item_type)
  const found = await Promise.all(
    [...byType].map(async ([type, some]) => {
      const ids = [...new Set(some.map(row => row.item_id))]
      return itemNames.call({ type, ids, isPublic: !isStaff(caller) }, { db, school })
    }),
  )
  return new Map<string, NamedItem>(found.flat().flatMap(names => [...names]))
}

/** The items in rows by their names, without those that the caller may not see; each with its row. */
export const namedRows = async <One extends Row>(
  context: AsCaller<Caller>,
  rows: readonly One[],
): Promise<{ readonly row: One; readonly item: View }[]> => {
  const names = await namesByType(context, rows)
  return rows.flatMap(row => {
    const named = names.get(row.item_id)
    const { item_type: type, item_id: id } = row
    return named === undefined ? [] : [{ row, item: { type, id: toId(getPrefix(type), id), ...named } }]
  })
}

/** How many items a view of a plan has. */
const MAX_SHOWN = 100

/** The first items of some plans by their names, as a caller sees them, and how many each plan opens. */
export const readFirstItems = async (
  context: AsCaller<Caller>,
  planIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly items: View[]; readonly item_count: number }>> => {
  const rows = await listFirstItems(context.db, context.school.id, planIds, MAX_SHOWN)
  const named = await namedRows(context, rows)
  const counts = new Map(rows.map(row => [row.plan_id, row.item_count]))
  return new Map(
    [...counts].map(([id, item_count]) => [
      id,
      { items: named.filter(({ row }) => row.plan_id === id).map(({ item }) => item), item_count },
    ]),
  )
}
