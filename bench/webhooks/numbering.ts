import { randomUUID } from 'node:crypto'
import type { Db } from '#src/contract/db.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { sql } from '#src/db/sql.ts'
import type { Load, Side } from '../measure.ts'

// What the numbering of facts was before there were webhooks: it tells nobody.
const numberAlone = async (db: Db, schoolId: string): Promise<number> => {
  const { free } = await db.one(sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`facts ${schoolId}`}, 0)) as free`)
  if (!free) return 0
  return db.run(sql`
    with settled as materialized (
      select id, row_number() over (order by transaction_id, id) as place from facts
      where school_id = ${schoolId} and sequence is null and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    )
    update facts f set sequence = place + coalesce((
        select max(o.sequence) from facts o where o.school_id = ${schoolId} and o.sequence is not null), 0)
    from settled where f.school_id = ${schoolId} and f.id = settled.id`)
}

const addFact = (db: Db, schoolId: string): Promise<number> =>
  db.run(sql`
    insert into facts (school_id, id, type, payload, recorded_at, delivered_at)
    values (${schoolId}, ${randomUUID()}, 'course.updated', '{}', (select stoa.now()), (select stoa.now()))`)

const hasUnnumbered = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql<object>`select from facts where school_id = ${schoolId} and sequence is null limit 1`)) !==
  undefined

/** One fact after another that is recorded and numbered by one of two statements, in a school without a webhook. */
const openNumbering = (
  database: OpenDatabase,
  schoolId: string,
  number: (db: Db, schoolId: string) => Promise<number>,
): Side => ({
  pid: process.pid,
  prepare:
    async ({ seconds }) =>
    async (): Promise<Load> => {
      const taken: number[] = []
      const began = performance.now()
      while (performance.now() - began < seconds * 1000) {
        const start = performance.now()
        await database.transaction(schoolId, db => addFact(db, schoolId))
        // Zero as long as a transaction elsewhere is older, or where the server has numbered it.
        while (
          (await database.transaction(schoolId, db => number(db, schoolId))) === 0 &&
          (await database.transaction(schoolId, db => hasUnnumbered(db, schoolId)))
        );
        taken.push(performance.now() - start)
      }
      const sorted = taken.toSorted((a, b) => a - b)
      const part = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
      const seen = performance.now() - began
      return { perSecond: (taken.length / seen) * 1000, requests: taken.length, p50: part(0.5), p99: part(0.99) }
    },
})

/** The numbering of facts, and the statement that it was before there were webhooks. */
export const numberings = (
  database: OpenDatabase,
  schoolId: string,
  number: (db: Db, schoolId: string) => Promise<number>,
): readonly [now: Side, before: Side] => [
  openNumbering(database, schoolId, number),
  openNumbering(database, schoolId, numberAlone),
]
