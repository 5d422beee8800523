import { isKept } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The courses that show some files, those in the bin too, and whether they are public. */
export const listImages = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; image_file_id: string; is_public: boolean }[]> =>
  db.all(sql<{ id: string; image_file_id: string; is_public: boolean }>`
    select id, image_file_id, status = 'published' and deleted_at is null as is_public from all_courses
    where school_id = ${schoolId} and image_file_id = any (${fileIds}::uuid[]) and ${isKept}`)

/** Removes a template from deleted courses. */
export const leaveTemplate = (db: Db, schoolId: string, templateId: string) =>
  db.run(sql`
    update all_courses set certificate_template_id = null
    where school_id = ${schoolId} and certificate_template_id = ${templateId} and deleted_at is not null`)
