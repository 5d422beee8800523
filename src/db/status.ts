import type { Db, Statement } from '#src/contract/db.ts'
import { buildFactAbout } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { ArchivableName, PublishableName, SchedulableName, StoredStatus } from '#src/contract/status.ts'
import { toId } from '#src/kit/ids.ts'
import { recordWorkerChange } from './audit.ts'
import { buildColumns } from './columns.ts'
import { dropJob, putJob } from './jobs.ts'
import { sql } from './sql.ts'

/** What is declared of the status of a publishable resource. */
type StatusTable<Name extends PublishableName> = Pick<StoredStatus<Name>, 'fact' | 'prefix' | 'id'> & {
  readonly table: Statement
  readonly shown?: 'active'
  /** How a publication is planned: the kind of the job, and the status of the row until then. */
  readonly planned?: Name extends SchedulableName
    ? { readonly job: string; readonly status: 'scheduled' | 'draft' }
    : never
  readonly isArchivable?: Name extends ArchivableName ? true : never
  readonly named?: string
  /** Further assignments of the row `r` that becomes `next.status` at `clock.now`. */
  readonly sets?: Statement
}

type Published = { readonly revision: number; readonly updated_at: Date }

/**
 * Declares how the status of a publishable resource is stored: in the columns `status` and `published_at` of its table,
 * and in `publish_at` where publications are planned.
 */
export const defineStatus = <Name extends PublishableName>(declared: StatusTable<Name>): StoredStatus<Name> => {
  const { table, fact, prefix, id: name, shown = 'published', isArchivable = false, named, sets } = declared
  const planned: { readonly job: string; readonly status: 'scheduled' | 'draft' } | undefined = declared.planned

  const update = (schoolId: string, id: string, status: string, publishAt?: Date): Statement => sql`
    with clock as materialized (select stoa.now() as now)
    update ${table} r set status = next.status,
      ${planned === undefined ? sql`` : sql`publish_at = ${publishAt}::timestamptz,`}
      published_at = case when next.status = ${shown} and r.status <> ${shown} then clock.now else r.published_at end,
      ${sets === undefined ? sql`` : sql`${sets},`} revision = r.revision + 1, updated_at = clock.now
    from clock, (values (${status}::text)) as next (status)
    where r.school_id = ${schoolId} and r.id = ${id}`

  const publishDue = (db: Db, schoolId: string, id: string) =>
    db.first(sql<Published>`
      ${update(schoolId, id, shown)} and r.publish_at <= clock.now
      returning ${buildColumns('r', ['revision', 'updated_at', ...(named === undefined ? [] : [named])])}`)

  const cancel: StoredStatus['cancel'] = async (db, schoolId, id) => {
    if (planned !== undefined) await dropJob(db, schoolId, planned.job, id)
  }

  const store: StoredStatus['store'] = async (db, schoolId, id, { status, publishAt }) => {
    await db.run(update(schoolId, id, status, publishAt))
    if (planned === undefined || publishAt === undefined) await cancel(db, schoolId, id)
    else await putJob(db, schoolId, { kind: planned.job, id, dueAt: publishAt })
  }

  const resume: StoredStatus['resume'] = async (db, schoolId, id, now) => {
    if (planned === undefined) return
    const { publish_at: at } = await db.one(sql<{ publish_at: Date | null }>`
      select publish_at from ${table} where school_id = ${schoolId} and id = ${id}`)
    if (at === null) return
    if (at > now) await putJob(db, schoolId, { kind: planned.job, id, dueAt: at })
    else await store(db, schoolId, id, { status: 'draft' })
  }

  // Publishes the row of a job, in the transaction that settles the job.
  const publishPlanned: JobHandler = async ({ schoolId, id: rowId }) => ({
    againIn: undefined,
    settle: async db => {
      const published = await publishDue(db, schoolId, rowId)
      if (published === undefined) return
      const { updated_at: now, revision } = published
      const id = toId(prefix, rowId)
      const more = named === undefined ? {} : { [named]: Reflect.get(published, named) }
      await recordWorkerChange(
        db,
        { schoolId, now, operation: `publish${name}` },
        { ids: [id], fields: ['status'], revision },
        [buildFactAbout(`${fact}.published`, id, more)],
      )
    },
  })

  return {
    fact,
    prefix,
    id: name,
    shown,
    planned: planned?.status,
    isArchivable,
    named,
    cancel,
    jobs: planned === undefined ? {} : { [planned.job]: () => publishPlanned },
    store,
    resume,
  }
}
