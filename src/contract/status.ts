import type { IdPrefix } from '#src/kit/ids.ts'
import type { Db } from './db.ts'
import type { FactType } from './fact-types.ts'
import type { JobHandler } from './job.ts'

type ResourceWith<Verb extends string> = {
  [Type in FactType]: Type extends `${infer Resource}.${Verb}` ? Resource : never
}[FactType]

/** The resources that have the facts of a publication, as facts name them. */
export type PublishableName = ResourceWith<'published'> & ResourceWith<'unpublished'>

/** Those whose publication can be scheduled. */
export type SchedulableName = PublishableName & ResourceWith<'scheduled'> & ResourceWith<'unscheduled'>

/** Those that can be archived. */
export type ArchivableName = PublishableName & ResourceWith<'archived'> & ResourceWith<'unarchived'>

/** The statuses of publishable resources; each has those that its table allows. */
export type Status = 'draft' | 'scheduled' | 'published' | 'active' | 'archived' | 'cancelled'

/** How a publishable resource is named, and how its status is stored; `db/status.ts` makes it for a table. */
export type StoredStatus<Name extends PublishableName = PublishableName> = {
  /** The resource in the types and payloads of its facts. */
  readonly fact: Name
  readonly prefix: IdPrefix
  /** The resource in the ids of its operations: `Course` for `publishCourse`. */
  readonly id: string
  /** The status of what is public. */
  readonly shown: 'published' | 'active'
  /** The status while a publication is planned; undefined: there are no planned ones. */
  readonly planned: 'scheduled' | 'draft' | undefined
  readonly isArchivable: boolean
  /** A column that the fact of a publication names too. */
  readonly named: string | undefined
  /** Stores the status of a locked row as its next revision; with `publishAt` a job publishes it at that instant. */
  store(
    db: Db,
    schoolId: string,
    id: string,
    to: { readonly status: Status; readonly publishAt?: Date | undefined },
  ): Promise<void>
  /** Plans the publication of a restored row again, if it had one; a row whose instant is over by now is a draft. */
  resume(db: Db, schoolId: string, id: string, now: Date): Promise<void>
  /** Drops the job that publishes a row. */
  cancel(db: Db, schoolId: string, id: string): Promise<void>
  /** The job that publishes what is due, by its kind. */
  readonly jobs: Readonly<Record<string, () => JobHandler>>
}

/** Whether a row with a status can be published, now or later. */
export const isPlannable = (status: Status): boolean => status === 'draft' || status === 'scheduled'

/** The operations that a status allows staff, for `allowed_actions`. */
export const offeredBy = ({ id, shown, isArchivable }: StoredStatus, status: Status): string[] => {
  if (status === 'archived') return [`unarchive${id}`]
  return [
    ...(isPlannable(status) ? [`publish${id}`] : []),
    ...(status === shown || status === 'scheduled' ? [`unpublish${id}`] : []),
    ...(status === shown && isArchivable ? [`archive${id}`] : []),
  ]
}
