import { buildPerson } from '#src/areas/people/index.ts'
import { isKept } from '#src/areas/school/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { defineVersions } from '#src/db/versions.ts'
import type { Content } from './rules.ts'

type StoredFile = {
  readonly part: 'main' | 'caption' | 'body'
  readonly file_id: string
  readonly language: string | null
  readonly label: string | null
}

/** A stored content of a lesson. */
export type ContentRow = Omit<Content, 'file_id' | 'captions' | 'body_file_ids'> & {
  readonly number: number
  readonly files: readonly StoredFile[]
}

/** A version of a lesson. */
type VersionRow = ContentRow & {
  readonly id: string
  readonly lesson_id: string
  readonly is_current: boolean
  readonly restores: number | null
  readonly author: { readonly id: string; readonly name: string } | null
  readonly created_at: Date
}

const contentIn = (
  schoolId: string,
): Statement => sql`v.body, v.body_format, v.body_html, v.body_allowed, v.embed_url, v.starts_at_local, v.time_zone,
  v.meeting_url, coalesce((
    select jsonb_agg(jsonb_build_object('part', f.part, 'file_id', f.file_id, 'language', f.language, 'label', f.label)
      order by f.part, f.place)
    from lesson_files f where f.school_id = ${schoolId} and f.version_id = v.id), '[]'::jsonb) as files`

const from = sql`lesson_versions v join lessons l on l.school_id = v.school_id and l.id = v.lesson_id`

/** How the versions of lessons are stored. */
export const storedVersions = defineVersions<VersionRow>({
  from,
  of: sql`v.lesson_id`,
  line: schoolId => sql`v.lesson_id, v.number = l.version as is_current, v.restores, v.created_at,
    ${buildPerson(schoolId, sql`v.author_id`)} as author`,
  content: contentIn,
})

/** One version of a lesson by its number. */
export const findVersionByNumber = (db: Db, schoolId: string, lessonId: string, number: number) =>
  db.first(sql<ContentRow>`
    select v.number, ${contentIn(schoolId)} from lesson_versions v
    where v.school_id = ${schoolId} and v.lesson_id = ${lessonId} and v.number = ${number}`)

/** The current version of a lesson by its id alone. */
export const findCurrentVersion = (db: Db, schoolId: string, lessonId: string | undefined) =>
  db.first(sql<ContentRow>`
    select v.number, ${contentIn(schoolId)} from ${from}
    where v.school_id = ${schoolId} and v.lesson_id = ${lessonId}::uuid and v.number = l.version`)

type SavedVersion = Pick<VersionRow, 'lesson_id' | 'number' | 'created_at'>

/** The versions of lessons that a member saved, the oldest first. */
export const listSavedVersions = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<SavedVersion>`
    select v.lesson_id, v.number, v.created_at from lesson_versions v
    where v.school_id = ${schoolId} and v.author_id = ${memberId} order by v.created_at, v.id`)

/** A version to be stored. */
type NewVersion = {
  readonly id: string
  readonly lessonId: string
  readonly number: number
  readonly authorId: string | undefined
  readonly restores?: number
}

const listFiles = ({ file_id: main, captions, body_file_ids: inBody }: Content): unknown[] => [
  ...(main === null ? [] : [{ part: 'main', place: 0, file_id: main }]),
  ...captions.map((one, place) => ({ part: 'caption', place, ...one })),
  ...inBody.map((file_id, place) => ({ part: 'body', place, file_id })),
]

/** Stores a version of the content of a lesson whose course is locked, with its files. */
export const insertVersion = async (db: Db, schoolId: string, version: NewVersion, content: Content): Promise<void> => {
  const { id, lessonId, number, authorId, restores } = version
  await db.run(sql`
    insert into lesson_versions (school_id, id, lesson_id, number, body, body_format, body_html, body_allowed, embed_url,
      starts_at_local, time_zone, meeting_url, restores, author_id, created_at)
    values (${schoolId}, ${id}, ${lessonId}, ${number}, ${content.body}, ${content.body_format}, ${content.body_html},
      ${content.body_allowed}, ${content.embed_url}, ${content.starts_at_local}, ${content.time_zone},
      ${content.meeting_url}, ${restores ?? null}, ${authorId ?? null}, (select stoa.now()))`)
  const files = listFiles(content)
  if (files.length === 0) return
  await db.run(sql`
    insert into lesson_files (school_id, version_id, part, place, file_id, language, label)
    select ${schoolId}, ${id}, f.part, f.place, f.file_id, f.language, f.label
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb)
      as f (part text, place integer, file_id uuid, language text, label text)`)
}

type VersionCopy = { readonly from: string; readonly into: string; readonly id: string }

const copied = (
  schoolId: string,
  copies: readonly VersionCopy[],
): Statement => sql`jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as p ("from" uuid, "into" uuid, id uuid)
    join lessons l on l.school_id = ${schoolId} and l.id = p."from"
    join lesson_versions v on v.school_id = ${schoolId} and v.lesson_id = l.id and v.number = l.version`

/** Copies the current versions of lessons, each as the first version of another lesson. */
export const copyVersions = (db: Db, schoolId: string, copies: readonly VersionCopy[]) =>
  db.run(sql`
    insert into lesson_versions (school_id, id, lesson_id, number, body, body_format, body_html, body_allowed, embed_url,
      starts_at_local, time_zone, meeting_url, created_at)
    select ${schoolId}, p.id, p."into", 1, v.body, v.body_format, v.body_html, v.body_allowed, v.embed_url,
      v.starts_at_local, v.time_zone, v.meeting_url, (select stoa.now())
    from ${copied(schoolId, copies)}`)

/** Copies the references of the same versions to files. */
export const copyVersionFiles = (db: Db, schoolId: string, copies: readonly VersionCopy[]) =>
  db.run(sql`
    insert into lesson_files (school_id, version_id, part, place, file_id, language, label)
    select ${schoolId}, p.id, f.part, f.place, f.file_id, f.language, f.label
    from ${copied(schoolId, copies)} join lesson_files f on f.school_id = ${schoolId} and f.version_id = v.id`)

/** Makes first versions, by their ids, the current content of their lessons. */
export const showFirstVersions = (db: Db, schoolId: string, versionIds: readonly string[]) =>
  db.run(sql`
    update lessons l set version = 1
    where l.school_id = ${schoolId} and l.version = 0
      and l.id in (select v.lesson_id from lesson_versions v
        where v.school_id = ${schoolId} and v.id = any (${versionIds}::uuid[]))`)

/** Whether any version of a lesson of a course uses a file, or a lesson has it attached. */
export const isFileOfCourse = async (db: Db, schoolId: string, courseId: string, fileId: string): Promise<boolean> =>
  (
    await db.one(sql<{ found: boolean }>`
      select exists (
        select from lesson_files f
          join lesson_versions v on v.school_id = ${schoolId} and v.id = f.version_id
          join lessons l on l.school_id = ${schoolId} and l.id = v.lesson_id
        where f.school_id = ${schoolId} and f.file_id = ${fileId}::uuid and l.course_id = ${courseId}
      ) or exists (
        select from lesson_attachments a join lessons l on l.school_id = ${schoolId} and l.id = a.lesson_id
        where a.school_id = ${schoolId} and a.file_id = ${fileId}::uuid and l.course_id = ${courseId}
      ) as found`)
  ).found

/** A lesson of which a version uses a file, or that has it attached. */
type FileUseRow = {
  readonly file_id: string
  readonly lesson_id: string
  readonly course_id: string
  /** Whether the lesson is a published preview and shows the file now. */
  readonly is_previewed: boolean
  /** Whether it is attached or the file of a lesson, and no text shows it. */
  readonly is_download: boolean
}

/** Which lessons use some files; those of a course in the bin too, since it can be restored. */
export const listFileUses = (db: Db, schoolId: string, fileIds: readonly string[]) =>
  db.all(sql<FileUseRow>`
    with used as (
      select f.file_id, v.lesson_id, v.number, f.part = 'main' as is_download from lesson_files f
        join lesson_versions v on v.school_id = ${schoolId} and v.id = f.version_id
      where f.school_id = ${schoolId} and f.file_id = any (${fileIds}::uuid[])
      union all
      select a.file_id, a.lesson_id, null, true from lesson_attachments a
      where a.school_id = ${schoolId} and a.file_id = any (${fileIds}::uuid[])
    )
    select u.file_id, l.id as lesson_id, l.course_id,
      bool_or(l.preview and l.status = 'published' and l.archived_at is null and coalesce(u.number, l.version) = l.version)
        as is_previewed,
      bool_and(u.is_download) as is_download
    from used u join all_lessons l on l.school_id = ${schoolId} and l.id = u.lesson_id and l.${isKept}
    group by u.file_id, l.id, l.course_id`)

/** Moves the authorship of versions from one member to another. */
export const moveAuthor = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`update lesson_versions set author_id = ${intoId} where school_id = ${schoolId} and author_id = ${fromId}`)
