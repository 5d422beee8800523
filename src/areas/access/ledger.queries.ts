import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import type { Named, Source } from './queries.ts'

/** A new entitlement. */
export type NewEntitlement = {
  readonly id: string
  readonly memberId: string
  readonly named: Named
  readonly source: Source
  readonly sourceId?: string | undefined
  /** Unset: from now on. */
  readonly startsAt?: Date | undefined
  readonly endsAt?: Date | undefined
  readonly reason?: string | undefined
}

/** An entitlement that was given, changed or withdrawn. */
export type Touched = {
  readonly id: string
  readonly member_id: string
  readonly item_type: Named['type']
  readonly item_id: string
  readonly source: Source
  readonly ends_at: Date | null
  readonly revoked_at: Date | null
}

const touched = sql`id, member_id, item_type, item_id, source, ends_at, revoked_at`

const recordsOf = (all: readonly NewEntitlement[]): string =>
  JSON.stringify(
    all.map(one => ({
      id: one.id,
      member_id: one.memberId,
      item_type: one.named.type,
      item_id: one.named.id,
      source: one.source,
      source_id: one.sourceId,
      starts_at: one.startsAt,
      ends_at: one.endsAt,
      reason: one.reason,
    })),
  )

/** Adds entitlements in one statement, but those that their sources gave already; gives the ones that are new. */
export const insertEntitlements = (db: Db, schoolId: string, all: readonly NewEntitlement[]): Promise<Touched[]> =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, ends_at, reason,
      created_at)
    select ${schoolId}::uuid, r.id, r.member_id, r.item_type, r.item_id, r.source, r.source_id, coalesce(r.starts_at, now),
      r.ends_at, r.reason, now
    from jsonb_to_recordset(${recordsOf(all)}::jsonb) as r (id uuid, member_id uuid, item_type text, item_id uuid,
        source text, source_id uuid, starts_at timestamptz, ends_at timestamptz, reason text),
      clock
    on conflict do nothing
    returning ${touched}`)

/** Ends entitlements early, each once; gives those that lived. */
export const revokeEntitlements = (
  db: Db,
  schoolId: string,
  ids: readonly string[],
  reason: string | undefined,
): Promise<Touched[]> =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    update entitlements set revoked_at = (select now from clock), reason = coalesce(${reason}, reason)
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and revoked_at is null
      and coalesce(ends_at, 'infinity') > (select now from clock)
    returning ${touched}`)

/** Ends everything that a source gave, early, each once; gives what lived. */
export const revokeSource = (
  db: Db,
  schoolId: string,
  of: { readonly source: Source; readonly sourceId: string; readonly memberIds?: readonly string[] | undefined },
  reason: string | undefined,
): Promise<Touched[]> =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    update entitlements set revoked_at = (select now from clock), reason = coalesce(${reason}, reason)
    where ${allOf(
      sql`school_id = ${schoolId} and source = ${of.source} and source_id = ${of.sourceId}`,
      when(of.memberIds, ids => sql`member_id = any (${ids}::uuid[])`),
    )}
      and revoked_at is null and coalesce(ends_at, 'infinity') > (select now from clock)
    returning ${touched}`)

/** Another end of an entitlement; null is for good. */
export type NewEnd = { readonly id: string; readonly endsAt: Date | null }

/** Moves the ends of entitlements in one statement; gives those that had not ended and outlast now and their start. */
export const moveEnds = (db: Db, schoolId: string, ends: readonly NewEnd[]): Promise<Touched[]> =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    update entitlements e set ends_at = r.ends_at
    from jsonb_to_recordset(${JSON.stringify(ends.map(({ id, endsAt }) => ({ id, ends_at: endsAt })))}::jsonb)
      as r (id uuid, ends_at timestamptz)
    where e.school_id = ${schoolId} and e.id = r.id and e.revoked_at is null
      and coalesce(e.ends_at, 'infinity') > (select now from clock)
      and coalesce(r.ends_at, 'infinity') > greatest((select now from clock), e.starts_at)
    returning e.id, e.member_id, e.item_type, e.item_id, e.source, e.ends_at, e.revoked_at`)

/** Gives everything one member is entitled to, and kept from, to another; what the other has of the same source stays. */
export const moveEntitlements = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await Promise.all([
    db.run(sql`
      update entitlements e set member_id = ${intoId}
      where e.school_id = ${schoolId} and e.member_id = ${fromId}
        and (e.revoked_at is not null or e.source_id is null or not exists (
          select from entitlements o
          where o.school_id = ${schoolId} and o.member_id = ${intoId} and o.revoked_at is null and o.source = e.source
            and o.source_id = e.source_id and o.item_type = e.item_type and o.item_id = e.item_id))`),
    db.run(sql`update holds set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`),
  ])
}

/** Ends every entitlement of a member who is forgotten, and takes from all of theirs what was written in words. */
export const forgetEntitled = async (db: Db, schoolId: string, memberId: string): Promise<Touched[]> => {
  const [ended] = await Promise.all([
    db.all(sql<Touched>`
      with clock as materialized (select stoa.now() as now)
      update entitlements set revoked_at = (select now from clock)
      where school_id = ${schoolId} and member_id = ${memberId} and revoked_at is null
        and coalesce(ends_at, 'infinity') > (select now from clock)
      returning ${touched}`),
    db.run(sql`update holds set note = null where school_id = ${schoolId} and member_id = ${memberId}`),
  ])
  await db.run(sql`update entitlements set reason = null where school_id = ${schoolId} and member_id = ${memberId}`)
  return ended
}

/** An entitlement by its id, with whether it lives or will. */
export const findEntitlement = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<(Touched & { readonly is_over: boolean }) | undefined> =>
  db.first(sql<Touched & { is_over: boolean }>`
    select ${touched}, revoked_at is not null or coalesce(ends_at, 'infinity') <= (select stoa.now()) as is_over
    from entitlements where school_id = ${schoolId} and id = ${id}`)
