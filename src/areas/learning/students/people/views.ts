import type { Static } from 'typebox'
import { readScope } from '#src/areas/learning/enrollments/index.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { getStudentRow, type StudentRow } from './queries.ts'
import type { Student } from './schema.ts'

/** A student with their counts. */
export const viewOfStudent = (row: StudentRow): Static<typeof Student> => ({
  id: row.id,
  name: row.name,
  email: row.email,
  status: row.status,
  enrollment_count: row.enrollment_count,
  completed_count: row.completed_count,
  last_activity_at: row.last_activity_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** A student, read again, with the counts that the caller may see. */
export const studentView = async (context: AsCaller, id: string): Promise<Static<typeof Student>> =>
  viewOfStudent(await getStudentRow(context.db, context.school.id, id, await readScope(context)))
