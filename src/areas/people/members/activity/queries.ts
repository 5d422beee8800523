import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { ActivityKind } from './rules.ts'

/** An entry of a member's activity. */
export type ActivityRow = {
  readonly id: string
  readonly kind: ActivityKind
  readonly at: Date
  readonly operation: string | null
  readonly event: string | null
  readonly client_id: string | null
  readonly client_name: string | null
  readonly by_id: string | null
  readonly by_name: string | null
  readonly fields: readonly string[] | null
}

type ActivityFilter = { readonly schoolId: string; readonly memberId: string; readonly before: string | undefined }

// Each branch reads its own index from the newest on and stops at the limit, however long the history is.
const branch = (
  { schoolId, before }: ActivityFilter,
  {
    columns,
    table,
    ofMember,
  }: { readonly columns: Statement; readonly table: Statement; readonly ofMember: Statement },
  end: Statement,
): Statement => sql`
  (select ${columns} from ${table}
    where ${joinConditions(
      sql`school_id = ${schoolId}`,
      ofMember,
      when(before, id => sql`id < ${id}::uuid`),
    )} ${end})`

const branches = (filter: ActivityFilter, end: Statement): Statement => {
  const { memberId } = filter
  const entry = sql`recorded_at as at, operation, null::text as event, client_id, member_id as by_id, fields`
  const did = branch(
    filter,
    { columns: sql`id, 'did' as kind, ${entry}`, table: sql`audit_log`, ofMember: sql`member_id = ${memberId}` },
    end,
  )
  const happened = branch(
    filter,
    { columns: sql`id, 'happened' as kind, ${entry}`, table: sql`audit_log`, ofMember: sql`about_id = ${memberId}` },
    end,
  )
  const rest = sql`null::uuid as by_id, null::text[] as fields`
  const security = branch(
    filter,
    {
      columns: sql`id, 'security' as kind, recorded_at as at, null as operation, kind as event, client_id, ${rest}`,
      table: sql`security_events`,
      ofMember: sql`member_id = ${memberId}`,
    },
    end,
  )
  const signedIn = branch(
    filter,
    {
      columns: sql`id, 'signed_in' as kind, created_at as at, null as operation, null as event, null as client_id, ${rest}`,
      table: sql`sessions`,
      ofMember: sql`member_id = ${memberId}`,
    },
    end,
  )
  return sql`${did} union all ${happened} union all ${security} union all ${signedIn}`
}

/** What a member did and what happened to them, newest first, before `before`; what they did to themselves once. */
export const listActivity = (db: Db, schoolId: string, memberId: string, rows: number, before: string | undefined) =>
  db.all(sql<ActivityRow>`
    with found as (
      select distinct on (id) * from (
        ${branches({ schoolId, memberId, before }, sql`order by id desc limit ${rows}`)}
      ) as every order by id desc, kind limit ${rows}
    )
    select f.id, f.kind, f.at, f.operation, f.event, f.client_id, c.name as client_name, f.by_id, m.name as by_name, f.fields
    from found f
    left join clients c on c.school_id = ${schoolId} and c.id = f.client_id
    left join members m on m.school_id = ${schoolId} and m.id = f.by_id
    order by f.id desc`)

/** How much a member did and how much happened to them. */
export const countActivity = async (db: Db, schoolId: string, memberId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(distinct id)::integer as count from (
        ${branches({ schoolId, memberId, before: undefined }, sql``)}
      ) as every`)
  ).count
