import { courseStates } from '#src/areas/courses/courses/index.ts'
import { type FileUse, filesPublic, usesOf } from '#src/areas/files/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { type FileUseRow, listFileUses, listSavedVersions, moveAuthor } from './queries.ts'

const usesWithStates = async (db: Db, schoolId: string, fileIds: readonly string[]) => {
  const rows = await listFileUses(db, schoolId, fileIds)
  const states = await courseStates(
    db,
    schoolId,
    rows.map(row => row.course_id),
  )
  return rows.map((row): FileUseRow & { readonly state: string | undefined } => ({
    ...row,
    state: states.get(row.course_id),
  }))
}

// Older versions count, since they can be restored; lessons of deleted courses do not.
const usesOfFiles = async (fileIds: readonly string[], { db, school }: SchoolContext): Promise<FileUse[]> =>
  (await usesWithStates(db, school.id, fileIds))
    .filter(row => row.state !== undefined)
    .map(row => ({
      fileId: row.file_id,
      kind: 'lesson',
      id: toId('les', row.lesson_id),
      name: row.name,
      within: toId('crs', row.course_id),
      isDownload: row.is_download,
    }))

// Files that a preview of a published course currently shows.
const previewedFiles = async (fileIds: readonly string[], { db, school }: SchoolContext): Promise<string[]> =>
  (await usesWithStates(db, school.id, fileIds))
    .filter(row => row.is_previewed && row.state === 'published')
    .map(row => row.file_id)

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(usesOf, ({ fileIds }, context) => usesOfFiles(fileIds, context)),
  implement(filesPublic, ({ fileIds }, context) => previewedFiles(fileIds, context)),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveAuthor(db, school.id, fromId, intoId)
  }),
  // The texts are those of the school; who saved them, and when, is about the person.
  implement(personalData, async ({ memberId }, { db, school }) => [
    {
      name: 'lesson_versions',
      rows: (await listSavedVersions(db, school.id, memberId)).map(({ lesson_id, number, created_at: at }) => ({
        lesson_id: toId('les', lesson_id),
        number,
        created_at: instant(at),
      })),
    },
  ]),
]
