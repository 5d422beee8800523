import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Touched } from './ledger.queries.ts'

/** An entitlement as the person hears of it whose it is. */
export type OwnEntitlement = Pick<Touched, 'id' | 'item_type' | 'item_id' | 'source'> & {
  readonly starts_at: Date
  readonly ends_at: Date | null
  readonly revoked_at: Date | null
}

/** Every entitlement of a member, in the order they were made. */
export const listEntitlementsOf = (db: Db, schoolId: string, memberId: string): Promise<OwnEntitlement[]> =>
  db.all(sql<OwnEntitlement>`
    select id, item_type, item_id, source, starts_at, ends_at, revoked_at from entitlements
    where school_id = ${schoolId} and member_id = ${memberId} order by created_at, id`)

/** A hold as the person hears of it whom it keeps out; what staff noted beside it is theirs. */
export type OwnHold = {
  readonly id: string
  readonly reason: string
  readonly starts_at: Date
  readonly ends_at: Date | null
}

/** Every hold on a member, in the order in which they began. */
export const listOwnHolds = (db: Db, schoolId: string, memberId: string): Promise<OwnHold[]> =>
  db.all(sql<OwnHold>`
    select id, reason, starts_at, ends_at from holds
    where school_id = ${schoolId} and member_id = ${memberId} order by starts_at, id`)
