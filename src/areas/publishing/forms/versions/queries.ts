import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { defineVersions } from '#src/db/versions.ts'
import type { Field } from '../fields/schema.ts'
import type { FormContent } from '../form/queries.ts'

/** A version of a form. */
type VersionRow = FormContent & {
  readonly id: string
  readonly number: number
  readonly is_newest: boolean
  readonly is_published: boolean
  readonly published_at: Date | null
  readonly created_at: Date
}

const from = sql`form_versions v join forms f on f.school_id = v.school_id and f.id = v.form_id`

const content = sql`v.intro, v.fields, v.submit_label, v.done_text, v.redirect_path, json_build_object('tag', v.tag,
  'group_id', v.group_id, 'marketing_consent_field', v.marketing_consent_field) as on_submit`

/** How the versions of forms are stored. */
export const formVersions = defineVersions<VersionRow>({
  from,
  of: sql`v.form_id`,
  line: () => sql`v.title, v.number = f.version as is_newest,
    v.number is not distinct from f.published_version as is_published, v.published_at, v.created_at`,
  content: () => content,
})

/** The fields of every version that was published, the oldest version first. */
export const listPublishedFields = async (
  db: Db,
  schoolId: string,
  formId: string,
): Promise<{ readonly number: number; readonly fields: readonly Field[] }[]> =>
  db.all(sql<{ number: number; fields: readonly Field[] }>`
    select v.number, v.fields from form_versions v
    where v.school_id = ${schoolId} and v.form_id = ${formId} and v.published_at is not null order by v.number`)

/** A version that takes answers. */
export type AnswerableVersion = FormContent & { readonly number: number }

/** A version that takes answers: the published one, and the one before it for an hour. */
export const findAnswerable = (db: Db, schoolId: string, formId: string, number: number) =>
  db.first(sql<AnswerableVersion>`
    select v.number, v.title, ${content}
    from ${from}
    join form_versions p on p.school_id = f.school_id and p.form_id = f.id and p.number = f.published_version
    where v.school_id = ${schoolId} and v.form_id = ${formId} and v.number = ${number} and v.published_at is not null
      and (v.number = p.number
        or (v.number = p.number - 1 and p.published_at > (select stoa.now()) - interval '1 hour'))`)
