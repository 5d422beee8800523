import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The ids of a category and of everything below it. For the statements of later areas. */
export const withSubcategories = (schoolId: string, categoryId: string): Statement => sql`
  with recursive below as (
    select id from categories where school_id = ${schoolId} and id = ${categoryId}
    union
    select k.id from categories k join below b on k.parent_id = b.id where k.school_id = ${schoolId}
  )
  select id from below`
