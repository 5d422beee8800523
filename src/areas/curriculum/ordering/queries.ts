import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { type SectionRow, sectionColumns } from '../outline/queries.ts'
import type { LessonValues } from '../outline/rules.ts'

/** One section whatever its state. */
export const findSection = (db: Db, schoolId: string, id: string | undefined): Promise<SectionRow | undefined> =>
  db.first(sql<SectionRow>`
    select ${sectionColumns} from sections s where s.school_id = ${schoolId} and s.id = ${id}::uuid`)

/** Whether a section has a lesson that is published. */
export const showsLessons = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (
    await db.one(sql<{ found: boolean }>`
      select exists (
        select from lessons where school_id = ${schoolId} and section_id = ${id} and status = 'published' and archived_at is null
      ) as found`)
  ).found

/** Stores a section of a course that is held; its place is given to it by the order. */
export const insertSection = (
  db: Db,
  schoolId: string,
  section: { readonly id: string; readonly courseId: string; readonly name: string },
): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into sections (school_id, id, course_id, name, position, created_at, updated_at)
    select ${schoolId}, ${section.id}, ${section.courseId}, ${section.name}, -1, now, now
    from clock`)

/** Gives a section another name. */
export const renameSection = (db: Db, schoolId: string, id: string, name: string): Promise<number> =>
  db.run(sql`
    update sections set name = ${name}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Raises the revision of a section that was moved, or whose lessons were. */
export const touchSection = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    update sections set revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Brings an archived section back with the lessons that were archived along with it. */
export const restoreSection = async (db: Db, schoolId: string, { id, archived_at: at }: SectionRow): Promise<void> => {
  await db.run(sql`
    update lessons l set archived_at = null, revision = l.revision + 1, updated_at = (select stoa.now())
    from sections s
    where s.school_id = ${schoolId} and s.id = ${id} and ${at !== null}
      and l.school_id = ${schoolId} and l.section_id = s.id and l.archived_at = s.archived_at`)
  await db.run(sql`
    update sections set archived_at = null, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)
}

/** Puts the sections of a course that is held in an order. */
export const storeSectionOrder = (db: Db, schoolId: string, ids: readonly string[]): Promise<number> =>
  db.run(sql`
    update sections s set position = o.place - 1
    from unnest(${ids}::uuid[]) with ordinality as o (id, place)
    where s.school_id = ${schoolId} and s.id = o.id and s.position <> o.place - 1`)

/** Puts lessons of a course that is held in an order, all of them in one section. */
export const storeLessonOrder = (db: Db, schoolId: string, ids: readonly string[]): Promise<number> =>
  db.run(sql`
    update lessons l set position = o.place - 1
    from unnest(${ids}::uuid[]) with ordinality as o (id, place)
    where l.school_id = ${schoolId} and l.id = o.id and l.position <> o.place - 1`)

/** A lesson that is to be stored; its place is given to it by the order. */
export type NewLesson = LessonValues & { readonly id: string; readonly courseId: string; readonly sectionId: string }

/** Stores a lesson of a course that is held. */
export const insertLesson = (db: Db, schoolId: string, lesson: NewLesson): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into lessons (school_id, id, course_id, section_id, name, type, status, preview,
      required_for_completion, duration_seconds, position, created_at, updated_at)
    select ${schoolId}, ${lesson.id}, ${lesson.courseId}, ${lesson.sectionId}, ${lesson.name}, ${lesson.type},
      ${lesson.status}, ${lesson.preview}::boolean, ${lesson.required_for_completion}::boolean,
      ${lesson.duration_seconds}::integer, -1, now, now
    from clock`)

/** Stores a changed lesson as its next revision, with the number of the version that is shown. */
export const storeLesson = (
  db: Db,
  schoolId: string,
  id: string,
  lesson: Omit<LessonValues, 'type'> & { readonly version: number },
): Promise<number> =>
  db.run(sql`
    update lessons set name = ${lesson.name}, status = ${lesson.status}, preview = ${lesson.preview},
      required_for_completion = ${lesson.required_for_completion}, duration_seconds = ${lesson.duration_seconds},
      version = ${lesson.version}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Stores which version of a lesson is shown, without a new revision: of one that was made in this moment. */
export const storeFirstVersion = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`update lessons set version = 1 where school_id = ${schoolId} and id = ${id} and version = 0`)

/** Moves a lesson to a section of its course, which is held; an archived one comes back. */
export const storeLessonPlacement = (db: Db, schoolId: string, id: string, sectionId: string): Promise<number> =>
  db.run(sql`
    update lessons set section_id = ${sectionId}, archived_at = null, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)
