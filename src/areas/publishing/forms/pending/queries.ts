import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Counts a submission of a locked form for the mail to the staff. */
export const addPending = (db: Db, schoolId: string, formId: string, isSuspected: boolean) =>
  db.run(sql`
    update forms set pending_received = pending_received + ${isSuspected ? 0 : 1}::integer,
      pending_suspected = pending_suspected + ${isSuspected ? 1 : 0}::integer
    where school_id = ${schoolId} and id = ${formId}`)

/** What the mail about a form says, and to whom it goes. */
type Digest = {
  readonly title: string
  readonly received: number
  readonly suspected: number
  readonly notify: readonly string[]
  readonly now: Date
}

/** Takes what no mail has reported of a form; undefined when there is nothing. Only staff who can sign in are told. */
export const takeDigest = (db: Db, schoolId: string, formId: string) =>
  db.first(sql<Digest>`
    with clock as materialized (select stoa.now() as now), held as materialized (
      select f.id, f.version, f.notify, f.pending_received, f.pending_suspected from forms f
      where f.school_id = ${schoolId} and f.id = ${formId} and f.pending_received + f.pending_suspected > 0
      for no key update
    ), reset as (
      update forms f set pending_received = 0, pending_suspected = 0 from held h
      where f.school_id = ${schoolId} and f.id = h.id
    )
    select v.title, h.pending_received as received, h.pending_suspected as suspected, (select now from clock) as now,
      array(select m.id from members m where m.school_id = ${schoolId} and m.id = any (h.notify)
        and m.status = 'active' and m.role in ('admin', 'owner') order by m.id) as notify
    from held h join form_versions v on v.school_id = ${schoolId} and v.form_id = h.id and v.number = h.version`)
