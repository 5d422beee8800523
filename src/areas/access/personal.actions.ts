import type { Db } from '#src/contract/db.ts'
import type { PersonalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { listEntitlementsOf, listOwnHolds } from './personal.queries.ts'
import { prefixOf } from './rules.ts'

const instant = (at: Date | null): string | null => (at === null ? null : at.toISOString())

/** What a member was ever entitled to and kept from. */
export const personalAccess = async (db: Db, school: School, memberId: string): Promise<PersonalData[]> => {
  const [given, held] = await Promise.all([
    listEntitlementsOf(db, school.id, memberId),
    listOwnHolds(db, school.id, memberId),
  ])
  const entitlements = given.map(one => ({
    ...{ id: toId('ent', one.id), item_type: one.item_type, item_id: toId(prefixOf(one.item_type), one.item_id) },
    ...{ source: one.source, starts_at: instant(one.starts_at), ends_at: instant(one.ends_at) },
    revoked_at: instant(one.revoked_at),
  }))
  const holds = held.map(({ id, reason, starts_at, ends_at }) => ({
    ...{ id: toId('hld', id), reason, starts_at: instant(starts_at), ends_at: instant(ends_at) },
  }))
  return [
    { name: 'entitlements', rows: entitlements },
    { name: 'holds', rows: holds },
  ]
}
