import { courseStates } from '#src/areas/courses/courses/index.ts'
import { type FileUse, filesPublic, usesOf } from '#src/areas/files/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { implement } from '#src/contract/hook.ts'
import { memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { listFileUses, listSavedVersions, moveAuthor } from './queries.ts'

// Older versions count, since they can be restored.
const usesOfFiles = async (fileIds: readonly string[], { db, school }: SchoolContext): Promise<FileUse[]> =>
  (await listFileUses(db, school.id, fileIds)).map(row => ({
    fileId: row.file_id,
    kind: 'lesson',
    id: toId('les', row.lesson_id),
    isDownload: row.is_download,
  }))

// Files that a preview of a published course currently shows.
const previewedFiles = async (fileIds: readonly string[], { db, school }: SchoolContext): Promise<string[]> => {
  const rows = (await listFileUses(db, school.id, fileIds)).filter(row => row.is_previewed)
  const courseIds = rows.map(row => row.course_id)
  const states = await courseStates(db, school.id, courseIds)
  return rows.filter(row => states.get(row.course_id) === 'published').map(row => row.file_id)
}

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
