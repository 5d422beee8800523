import { accessIs } from '#src/areas/learning/index.ts'
import { isDelivered } from '#src/areas/shop/digital-products/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** A file for which a member wants a link: its latest version, and how it may be downloaded. */
export type Downloadable = {
  readonly version_id: string
  readonly filename: string
  readonly product_id: string
  readonly product_status: 'draft' | 'published' | 'archived'
  readonly download_limit: number | null
  readonly link_minutes: number
  readonly used: number
}

const usedBy = (schoolId: string, memberId: Statement | string, fileId: Statement): Statement => sql`
  coalesce((select c.used from download_counts c
    where c.school_id = ${schoolId} and c.member_id = ${memberId} and c.file_id = ${fileId}), 0)`

/** A file of a product that is not deleted, for a member. */
export const findDownloadable = (db: Db, schoolId: string, memberId: string, fileId: string) =>
  db.first(sql<Downloadable>`
    select v.id as version_id, u.filename, f.product_id, d.status as product_status, d.download_limit, d.link_minutes,
      ${usedBy(schoolId, memberId, sql`f.id`)} as used
    from product_files f join digital_products d on d.school_id = f.school_id and d.id = f.product_id
    join product_file_versions v on v.school_id = f.school_id and v.file_id = f.id
    join uploads u on u.school_id = v.school_id and u.id = v.upload_id
    where f.school_id = ${schoolId} and f.id = ${fileId} and f.removed_at is null and d.deleted_at is null
    order by v.version desc limit 1`)

/** A new link. */
type NewLink = {
  readonly id: string
  readonly memberId: string
  readonly versionId: string
  readonly isCounted: boolean
  readonly minutes: number
}

/** Stores a link; returns when it expires. */
export const insertLink = async (db: Db, schoolId: string, link: NewLink): Promise<Date> =>
  (
    await db.one(sql<{ expires_at: Date }>`
      with clock as materialized (select stoa.now() as now)
      insert into download_links (school_id, id, member_id, version_id, is_counted, expires_at, created_at)
      select ${schoolId}, ${link.id}, ${link.memberId}, ${link.versionId}, ${link.isCounted}::boolean,
        now + make_interval(mins => ${link.minutes}::integer), now from clock
      returning expires_at`)
  ).expires_at

/** A link that works now. */
export type ActiveLink = {
  readonly id: string
  readonly member_id: string
  readonly version_id: string
  readonly file_id: string
  readonly upload_id: string
  readonly is_counted: boolean
  readonly is_used: boolean
  readonly download_limit: number | null
  readonly used: number
  /** Whether its use from this network is in the log. */
  readonly is_logged: boolean
}

/**
 * A link that has not expired, of a member who can sign in and, by the clock of the statement, has access to a product that
 * is not a draft; one that is not counted belongs to staff.
 */
export const findActiveLink = (db: Db, schoolId: string, id: string, network: string) =>
  db.first(sql<ActiveLink>`
    with clock as materialized (select stoa.now() as now)
    select l.id, l.member_id, l.version_id, v.file_id, v.upload_id, l.is_counted, l.first_used_at is not null as is_used,
      d.download_limit, ${usedBy(schoolId, sql`l.member_id`, sql`v.file_id`)} as used,
      exists (select from product_downloads o
        where o.school_id = ${schoolId} and o.link_id = l.id and o.network = ${network}) as is_logged
    from download_links l
    join members m on m.school_id = l.school_id and m.id = l.member_id
    join product_file_versions v on v.school_id = l.school_id and v.id = l.version_id
    join product_files f on f.school_id = v.school_id and f.id = v.file_id
    join digital_products d on d.school_id = f.school_id and d.id = f.product_id
    where l.school_id = ${schoolId} and l.id = ${id} and l.expires_at > (select now from clock) and m.status = 'active'
      and f.removed_at is null and d.deleted_at is null
      and case when l.is_counted
        then ${isDelivered} and ${accessIs('active', schoolId, sql`l.member_id`, { type: 'digital_product', id: sql`f.product_id` })}
        else m.role in ('admin', 'owner') end`)

/** Marks a link as used; returns 0 when it was used before. */
export const markUsed = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update download_links set first_used_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and first_used_at is null`)

/** Takes one of the downloads of a file that a member has; returns 0 when none is left. */
export const takeDownload = (
  db: Db,
  schoolId: string,
  { memberId, fileId }: { readonly memberId: string; readonly fileId: string },
) =>
  db.run(sql`
    insert into download_counts as c (school_id, member_id, file_id, used)
    values (${schoolId}, ${memberId}, ${fileId}, 1)
    on conflict (school_id, member_id, file_id) do update set used = c.used + 1
    where coalesce(c.used < (
      select d.download_limit from product_files f
      join digital_products d on d.school_id = f.school_id and d.id = f.product_id
      where f.school_id = ${schoolId} and f.id = c.file_id), true)`)

/** A use of a link. */
type NewDownload = Pick<ActiveLink, 'id' | 'version_id' | 'member_id'> & {
  readonly rowId: string
  readonly network: string
  readonly isCounted: boolean
}

/** Logs a use of a link from a network, once. */
export const insertDownload = (db: Db, schoolId: string, use: NewDownload) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into product_downloads (school_id, id, link_id, version_id, member_id, network, is_counted, created_at)
    select ${schoolId}, ${use.rowId}, ${use.id}, ${use.version_id}, ${use.member_id}, ${use.network},
      ${use.isCounted}::boolean, now from clock
    on conflict (school_id, link_id, network) do nothing`)

/** Deletes links that expired, at most so many; returns how many. */
export const deleteExpiredLinks = (db: Db, schoolId: string, most: number) =>
  db.run(sql`
    delete from download_links where school_id = ${schoolId} and id in (
      select id from download_links where school_id = ${schoolId} and expires_at < (select stoa.now()) - interval '1 day'
      order by expires_at limit ${most})`)

/** A use of a link in the log of a product. */
export type DownloadRow = {
  readonly id: string
  readonly link_id: string
  readonly member_id: string
  readonly member_name: string
  readonly file_id: string
  readonly file_name: string
  readonly version: number
  readonly network: string | null
  readonly is_counted: boolean
  readonly changed_in: string
  readonly created_at: Date
}

/** Which downloads are meant; what is undefined does not matter. */
type DownloadFilter = {
  readonly productId?: string | undefined
  readonly memberId?: string | undefined
  readonly fileId?: string | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
}

/** The downloads of a filter. */
export const downloadList = (schoolId: string, filter: DownloadFilter): List<DownloadRow> => ({
  columns: sql`o.id, o.link_id, o.member_id, m.name as member_name, v.file_id, coalesce(u.filename, '') as file_name,
    v.version, o.network, o.is_counted, o.changed_in, o.created_at`,
  from: sql`product_downloads o
    join members m on m.school_id = o.school_id and m.id = o.member_id
    join product_file_versions v on v.school_id = o.school_id and v.id = o.version_id
    join product_files f on f.school_id = v.school_id and f.id = v.file_id
    left join uploads u on u.school_id = v.school_id and u.id = v.upload_id`,
  where: joinConditions(
    sql`o.school_id = ${schoolId}`,
    when(filter.productId, id => sql`f.product_id = ${id}`),
    when(filter.memberId, id => sql`o.member_id = ${id}`),
    when(filter.fileId, id => sql`v.file_id = ${id}`),
    when(filter.createdFrom, at => sql`o.created_at >= ${at}`),
    when(filter.createdBefore, at => sql`o.created_at < ${at}`),
  ),
  id: sql`o.id`,
  changedIn: sql`o.changed_in`,
})

/** A product that a member can download. */
export type OwnProduct = {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly license_text: string
}

/** The products that a member can download now. */
export const ownProductList = (schoolId: string, memberId: string, productId?: string): List<OwnProduct> => ({
  columns: sql`d.id, d.name, d.slug, d.license_text`,
  from: sql`digital_products d`,
  where: joinConditions(
    sql`d.school_id = ${schoolId}`,
    when(productId, id => sql`d.id = ${id}`),
    isDelivered,
    accessIs('active', schoolId, sql`${memberId}::uuid`, { type: 'digital_product', id: sql`d.id` }),
  ),
  id: sql`d.id`,
  hasClock: true,
})

/** How many downloads of the files of some products a member has used, and the limits. */
export const listUsed = async (
  db: Db,
  schoolId: string,
  memberId: string,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly used: number; readonly limit: number | null }>> => {
  const rows = await db.all(sql<{ id: string; used: number; limit: number | null }>`
    select f.id, ${usedBy(schoolId, memberId, sql`f.id`)} as used, d.download_limit as "limit"
    from product_files f join digital_products d on d.school_id = f.school_id and d.id = f.product_id
    where f.school_id = ${schoolId} and f.product_id = any (${productIds}::uuid[]) and f.removed_at is null`)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Deletes the links of a member who is erased, and from where they downloaded. */
export const eraseDownloads = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  await Promise.all([
    db.run(sql`delete from download_links where school_id = ${schoolId} and member_id = ${memberId}`),
    db.run(sql`delete from download_counts where school_id = ${schoolId} and member_id = ${memberId}`),
    db.run(sql`
      update product_downloads set network = null
      where school_id = ${schoolId} and member_id = ${memberId} and network is not null`),
  ])
}

/** Moves the links, the log and the counted downloads of one member to another. */
export const moveDownloads = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await Promise.all([
    db.run(
      sql`update download_links set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`,
    ),
    db.run(
      sql`update product_downloads set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`,
    ),
    db.run(sql`
      with moved as (
        delete from download_counts where school_id = ${schoolId} and member_id = ${fromId} returning file_id, used
      )
      insert into download_counts as c (school_id, member_id, file_id, used)
      select ${schoolId}::uuid, ${intoId}::uuid, file_id, used from moved
      on conflict (school_id, member_id, file_id) do update set used = c.used + excluded.used`),
  ])
}
