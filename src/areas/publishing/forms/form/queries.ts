import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { type List, textKey } from '#src/db/list.ts'
import { isNamed } from '#src/db/ref.ts'
import { freeSlug } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'
import type { Field } from '../fields/schema.ts'

/** What a version of a form has. */
export type FormContent = {
  readonly title: string
  readonly intro: string
  readonly fields: readonly Field[]
  readonly submit_label: string
  readonly done_text: string
  readonly redirect_path: string | null
  readonly on_submit: {
    readonly tag: string | null
    readonly group_id: string | null
    readonly marketing_consent_field: string | null
  }
}

/** What is stored of a form as its settings say. */
type FormSettingsRow = {
  readonly slug: string
  readonly opens_at: Date | null
  readonly closes_at: Date | null
  readonly max_submissions: number | null
  readonly one_per_member: boolean
  readonly needs_sign_in: boolean
  readonly notify: readonly string[]
  readonly retention_days: number
}

/** The values of a form. */
export type FormValues = FormContent & FormSettingsRow

/** A form without its fields, as lists have it; its status is that of the database's clock. */
export type FormLineRow = Recorded<Omit<FormValues, 'fields' | 'intro' | 'on_submit'>> & {
  readonly id: string
  readonly status: 'draft' | 'published' | 'closed'
  /** The version whose content this is. */
  readonly shown_version: number
  readonly version: number
  readonly published_version: number | null
  readonly published_at: Date | null
  readonly deleted_at: Date | null
  /** The instant of the statement. */
  readonly asked_at: Date
}

/** A form with the content of one of its versions. */
export type FormRow = FormLineRow & FormValues

/** Which version is read: the newest one, or the one that people answer, of a form that was published. */
type FormViewer = 'staff' | 'anyone'

// A form whose time is over is closed, whether or not anybody closed it.
const status = sql`case when f.status = 'published' and f.closes_at <= (select now from clock) then 'closed'
  else f.status end`

const lineColumns = sql`f.id, f.slug, ${status} as status, f.opens_at, f.closes_at, f.max_submissions, f.one_per_member,
  f.needs_sign_in, f.notify, f.retention_days, f.version, f.published_version, f.published_at, f.deleted_at, f.revision,
  f.created_at, f.updated_at, (select now from clock) as asked_at, v.number as shown_version, v.title, v.submit_label,
  v.done_text, v.redirect_path`

const columns = sql`${lineColumns}, v.intro, v.fields, json_build_object('tag', v.tag, 'group_id', v.group_id,
  'marketing_consent_field', v.marketing_consent_field) as on_submit`

const shownTo = (viewer: FormViewer): Statement => sql`forms f
  join form_versions v on v.school_id = f.school_id and v.form_id = f.id
    and v.number = ${viewer === 'staff' ? sql`f.version` : sql`f.published_version`}`

/** Which forms are meant; what is undefined does not matter. */
type FormFilter = {
  readonly status?: FormLineRow['status'] | undefined
  readonly q?: string | undefined
  readonly isDeleted?: boolean | undefined
}

/** The forms of a filter as staff see them, the newest first. */
export const formList = (schoolId: string, { status: word, q, isDeleted = false }: FormFilter): List<FormLineRow> => ({
  columns: lineColumns,
  from: shownTo('staff'),
  where: joinConditions(
    sql`f.school_id = ${schoolId}`,
    isDeleted ? sql`f.deleted_at is not null` : sql`f.deleted_at is null`,
    when(word, one => sql`${status} = ${one}`),
    when(
      q,
      text =>
        sql`(strpos(v.words_folded, ${fold(text)}) > 0 or stoa.has_words(v.words_folded, (select stoa.searched_parts(${fold(text)}))))`,
    ),
  ),
  id: sql`f.id`,
  keys: { title: textKey(sql`v.title`, row => row.title) },
  sort: '-created_at',
  hasClock: true,
})

// A slug names a form that is there; staff read a deleted one by its id.
const named = (schoolId: string, ref: string): Statement =>
  sql`f.school_id = ${schoolId} and ${isNamed(ref, { id: sql`f.id`, slug: sql`f.slug` })}
    and (f.deleted_at is null or ${!ref.startsWith('slug:')})`

/** The form in a path, if the viewer may see it. */
export const findForm = (db: Db, schoolId: string, viewer: FormViewer, ref: string) =>
  db.first(sql<FormRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from ${shownTo(viewer)}
    where ${named(schoolId, ref)} ${viewer === 'staff' ? sql`` : sql`and f.deleted_at is null`}`)

/** Every form of a school with its newest version, the oldest first. */
export const listAllForms = (db: Db, schoolId: string) =>
  db.all(sql<FormRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from ${shownTo('staff')}
    where f.school_id = ${schoolId} and f.deleted_at is null order by f.id`)

/** Locks the form in a path until the transaction ends and returns its UUID; its values are read afterwards. */
export const lockFormRow = async (db: Db, schoolId: string, ref: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select f.id from forms f where ${named(schoolId, ref)} and f.deleted_at is null for no key update of f`)
  )?.id

/** How many forms a school has. */
export const countForms = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from forms f where f.school_id = ${schoolId} and f.deleted_at is null`)
  ).count

/** Whether another form has a slug. */
export const isSlugTaken = async (
  db: Db,
  schoolId: string,
  slug: string,
  butId: string | undefined,
): Promise<boolean> =>
  (
    await db.one(sql<{ taken: boolean }>`
      select exists (select from forms f where f.school_id = ${schoolId} and f.slug = ${slug} and f.deleted_at is null
        and f.id is distinct from ${butId ?? null}::uuid) as taken`)
  ).taken

/** The first of the wanted slug and its alternatives that no form has; two at once may find the same one, and the index refuses the second. */
export const freeFormSlug = (db: Db, schoolId: string, wanted: string, id: string): Promise<string> =>
  freeSlug(db, schoolId, { rows: sql`forms`, isLive: sql`r.deleted_at is null` }, wanted, id)

/** Those of these members who are admins or owners and can sign in. */
export const listStaff = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select m.id from members m where m.school_id = ${schoolId} and m.id = any (${ids}::uuid[])
        and m.status = 'active' and m.role in ('admin', 'owner')`)
  ).map(({ id }) => id)

/** Whether a group is there. */
export const isGroup = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`select from groups g where g.school_id = ${schoolId} and g.id = ${id}`)) !== undefined

type Version = { readonly id: string; readonly formId: string; readonly number: number; readonly content: FormContent }

const insertVersion = (schoolId: string, { id, formId, number, content }: Version): Statement => sql`
  insert into form_versions as v (school_id, id, form_id, number, title, intro, fields, submit_label, done_text,
    redirect_path, tag, group_id, marketing_consent_field, words_folded, created_at)
  select ${schoolId}::uuid, ${id}::uuid, ${formId}::uuid, ${number}::integer, ${content.title}, ${content.intro},
    ${JSON.stringify(content.fields)}::json, ${content.submit_label}, ${content.done_text}, ${content.redirect_path},
    ${content.on_submit.tag}, ${content.on_submit.group_id}::uuid, ${content.on_submit.marketing_consent_field}, ${fold(content.title)}, now
  from clock`

/** Stores a new draft with its first version. */
export const insertForm = async (
  db: Db,
  schoolId: string,
  { id, versionId, values }: { readonly id: string; readonly versionId: string; readonly values: FormValues },
): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now),
    version as (${insertVersion(schoolId, { id: versionId, formId: id, number: 1, content: values })})
    insert into forms (school_id, id, slug, status, version, opens_at, closes_at, max_submissions, one_per_member,
      needs_sign_in, notify, retention_days, created_at, updated_at)
    select ${schoolId}::uuid, ${id}::uuid, ${values.slug}, 'draft', 1, ${values.opens_at}::timestamptz,
      ${values.closes_at}::timestamptz, ${values.max_submissions}::integer, ${values.one_per_member}::boolean,
      ${values.needs_sign_in}::boolean, ${values.notify}::uuid[], ${values.retention_days}::integer, now, now
    from clock`)
}

/** Stores the settings of a form as its next revision. */
export const storeForm = (db: Db, schoolId: string, id: string, values: FormSettingsRow) =>
  db.run(sql`
    update forms set slug = ${values.slug}, opens_at = ${values.opens_at}, closes_at = ${values.closes_at},
      max_submissions = ${values.max_submissions}, one_per_member = ${values.one_per_member},
      needs_sign_in = ${values.needs_sign_in}, notify = ${values.notify}::uuid[],
      retention_days = ${values.retention_days}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Stores the content of the newest version: of one that was never published in its place, else as the next one. */
export const storeContent = async (db: Db, schoolId: string, version: Version): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now), version as (
      ${insertVersion(schoolId, version)}
      on conflict (school_id, form_id, number) do update set title = excluded.title, intro = excluded.intro,
        fields = excluded.fields, submit_label = excluded.submit_label, done_text = excluded.done_text,
        redirect_path = excluded.redirect_path, tag = excluded.tag, group_id = excluded.group_id,
        marketing_consent_field = excluded.marketing_consent_field, words_folded = excluded.words_folded
      where v.published_at is null
    )
    update forms set version = ${version.number} where school_id = ${schoolId} and id = ${version.formId}`)
}

/** Publishes the newest version of a locked form. */
export const storePublication = async (db: Db, schoolId: string, id: string): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now), published as (
      update form_versions v set published_at = (select now from clock) from forms f
      where v.school_id = ${schoolId} and v.form_id = ${id} and f.school_id = v.school_id and f.id = v.form_id
        and v.number = f.version and v.published_at is null
    )
    update forms set status = 'published', published_version = version, published_at = (select now from clock),
      revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id}`)
}

/** Closes a form. */
export const storeClosing = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update forms set status = 'closed', revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Deletes a form; its row and its versions stay for the submissions that are kept. */
export const storeDeletion = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update forms set deleted_at = (select now from clock), revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id}`)

/** Takes a member from those who are told of submissions; with `intoId` that member takes their place. */
export const replaceNotified = (db: Db, schoolId: string, memberId: string, intoId?: string) =>
  db.run(sql`
    update forms set notify = array(
      select distinct m from unnest(array_replace(notify, ${memberId}::uuid, ${intoId ?? null}::uuid)) as m
      where m is not null)
    where school_id = ${schoolId} and ${memberId}::uuid = any (notify)`)
