import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** What is stored of a template by staff. */
export type TemplateValues = {
  readonly name: string
  readonly title: string
  readonly body: string
  readonly locale: string
  readonly accent_color: string
  readonly text_color: string
  readonly background_color: string
  readonly design: 'frame' | 'band' | 'plain'
  readonly orientation: 'portrait' | 'landscape'
  readonly page_size: 'A4' | 'Letter'
  readonly hours: number | null
  readonly signature_name: string | null
  readonly signature_role: string | null
  readonly image_file_id: string | null
}

/** A template as it is stored. */
export type TemplateRow = Recorded<TemplateValues> & {
  readonly id: string
  readonly course_count: number
}

const columnsIn = (
  schoolId: string,
): Statement => sql`t.id, t.name, t.title, t.body, t.locale, t.accent_color, t.text_color, t.background_color,
  t.design, t.orientation, t.page_size, t.hours, t.signature_name, t.signature_role, t.image_file_id, t.revision, t.created_at,
  t.updated_at, (select count(*)::integer from courses c
    where c.school_id = ${schoolId} and c.certificate_template_id = t.id and c.deleted_at is null) as course_count`

/** The templates of a school in the order in which they were created, after `after`. */
export const listTemplateRows = (
  db: Db,
  schoolId: string,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
) =>
  db.all(sql<TemplateRow>`
    select ${columnsIn(schoolId)} from certificate_templates t
    where ${joinConditions(
      sql`t.school_id = ${schoolId}`,
      when(after?.[0], id => sql`t.id > ${id}::uuid`),
    )}
    order by t.id limit ${rows}`)

/** How many templates a school has. */
export const countTemplates = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from certificate_templates t where t.school_id = ${schoolId}`)
  ).count

/** The template with this id. */
export const findTemplate = (db: Db, schoolId: string, id: string | undefined) =>
  db.first(sql<TemplateRow>`
    select ${columnsIn(schoolId)} from certificate_templates t where t.school_id = ${schoolId} and t.id = ${id}::uuid`)

/** Locks a template until the transaction ends, so that no course can begin to use it. */
export const lockTemplate = async (
  db: Db,
  schoolId: string,
  id: string | undefined,
): Promise<TemplateRow | undefined> => {
  await db.first(sql`
    select id from certificate_templates where school_id = ${schoolId} and id = ${id}::uuid for update`)
  return findTemplate(db, schoolId, id)
}

/** Takes a key share lock on a template until the transaction ends, so that it is not deleted; false when it does not exist. */
export const shareLockTemplate = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`
    select id from certificate_templates where school_id = ${schoolId} and id = ${id}::uuid for key share`)) !==
  undefined

/** Stores a new template. */
export const insertTemplate = (db: Db, schoolId: string, id: string, values: TemplateValues) =>
  db.one(sql<TemplateRow>`
    with clock as materialized (select stoa.now() as now)
    insert into certificate_templates as t (school_id, id, name, title, body, locale, accent_color, text_color,
      background_color, design, orientation, page_size, hours, signature_name, signature_role, image_file_id, created_at,
      updated_at)
    select ${schoolId}, ${id}, ${values.name}, ${values.title}, ${values.body}, ${values.locale},
      ${values.accent_color}, ${values.text_color}, ${values.background_color}, ${values.design},
      ${values.orientation}, ${values.page_size}, ${values.hours}::integer, ${values.signature_name}, ${values.signature_role},
      ${values.image_file_id}::uuid, now, now
    from clock
    returning ${columnsIn(schoolId)}`)

/** Stores a changed template as its next revision. */
export const storeTemplate = (db: Db, schoolId: string, id: string, values: TemplateValues) =>
  db.one(sql<TemplateRow>`
    update certificate_templates t set name = ${values.name}, title = ${values.title}, body = ${values.body},
      locale = ${values.locale}, accent_color = ${values.accent_color}, text_color = ${values.text_color},
      background_color = ${values.background_color}, design = ${values.design}, orientation = ${values.orientation},
      page_size = ${values.page_size}, hours = ${values.hours}, signature_name = ${values.signature_name},
      signature_role = ${values.signature_role}, image_file_id = ${values.image_file_id},
      revision = revision + 1, updated_at = (select stoa.now())
    where t.school_id = ${schoolId} and t.id = ${id}
    returning ${columnsIn(schoolId)}`)

/** Deletes a template. */
export const deleteTemplateRow = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from certificate_templates where school_id = ${schoolId} and id = ${id}`)

/** The templates that refer to any of these files. */
export const listTemplateImages = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; name: string; image_file_id: string }[]> =>
  db.all(sql<{ id: string; name: string; image_file_id: string }>`
    select id, name, image_file_id from certificate_templates
    where school_id = ${schoolId} and image_file_id = any (${fileIds}::uuid[])`)
