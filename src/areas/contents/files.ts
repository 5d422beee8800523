import { type CourseRow, courseStates } from '#src/areas/courses/index.ts'
import { type FileUse, fileView, useFile } from '#src/areas/storage/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { isFileOfCourse, listFileUses } from './queries.ts'

type Using = {
  readonly db: Db
  readonly school: School
  readonly caller: Caller
  keyFor(purpose: string): Buffer
  readonly course: Pick<CourseRow, 'id'>
}

/** A file that somebody names for something of a course. */
export type Named = { readonly id: string; readonly pointer: string; fits(contentType: string): boolean }

// Staff use every file that is for courses; others their own, and what the course has or had. Else a link to a lesson
// elsewhere would be enough to publish what it shows.
const ownerOf = async ({ db, school, caller, course }: Using, id: string): Promise<{ memberId?: string }> => {
  if (isStaff(caller) || caller.member === undefined) return {}
  const row = fromId('fil', id)
  if (row !== undefined && (await isFileOfCourse(db, school.id, course.id, row))) return {}
  return { memberId: caller.member.id }
}

/** Takes a file into use for a course and gives the id of its row; refuses what is unknown, another's or does not fit. */
export const useCourseFile = async (using: Using, { id, pointer, fits }: Named): Promise<string> => {
  const row = await useFile(using, { id, pointer, purposes: ['course'], ...(await ownerOf(using, id)) })
  const file = await fileView(using, row)
  if (file !== null && fits(file.content_type)) return row
  throw new Refusal(invalidBody, 'The file cannot be used here.', {
    errors: [{ pointer, code: 'content_type', message: 'is a file of another kind than belongs here' }],
  })
}

/** Which lessons use some files, in any version, so that an older one can be brought back; of deleted courses none do. */
export const usesOfFiles = async (db: Db, school: School, fileIds: readonly string[]): Promise<FileUse[]> => {
  const rows = await listFileUses(db, school.id, fileIds)
  const states = await courseStates(
    db,
    school.id,
    rows.map(row => row.course_id),
  )
  return rows
    .filter(row => states.has(row.course_id))
    .map(row => ({ fileId: row.file_id, kind: 'lesson', id: toId('les', row.lesson_id) }))
}

/** Which of some files anybody may see: those that a preview of a published course shows now. */
export const previewedFiles = async (db: Db, school: School, fileIds: readonly string[]): Promise<string[]> => {
  const rows = (await listFileUses(db, school.id, fileIds)).filter(row => row.is_previewed)
  const states = await courseStates(
    db,
    school.id,
    rows.map(row => row.course_id),
  )
  return rows.filter(row => states.get(row.course_id) === 'published').map(row => row.file_id)
}
