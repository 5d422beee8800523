import type { CourseRow } from '#src/areas/courses/courses/index.ts'
import { type FileReference, fileView, useFile } from '#src/areas/files/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { ReadContext, WriteContext } from '#src/contract/operation.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Body } from '#src/kit/body/render.ts'
import { filesNamed, picturesNamed } from '#src/kit/body/shown.ts'
import { CAPTIONS_TYPE } from '#src/kit/captions.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { copyVersionFiles, copyVersions, insertVersion, isFileOfCourse, showFirstVersions } from './queries.ts'
import { type Captions, type Content, errorsOfContent, errorsOfParts, fitsType, type LessonType } from './rules.ts'
import type { ContentInput } from './schema.ts'

type InCourse = Pick<ReadContext<Caller>, 'db' | 'school' | 'caller' | 'keyFor'> & {
  readonly course: Pick<CourseRow, 'id'>
}

/** A file that a request names, where it names it, and which media types are accepted. */
type RequestedFile = Pick<FileReference, 'id' | 'pointer' | 'isShown'> & { accepts(contentType: string): boolean }

// Staff can use every file for courses; others only their own files and those that the course uses or used. Otherwise
// anybody who sees a lesson of another course could publish its files.
const readOwner = async ({ db, school, caller, course }: InCourse, id: string): Promise<{ memberId?: string }> => {
  if (isStaff(caller) || caller.member === undefined) return {}
  if (await isFileOfCourse(db, school.id, course.id, id)) return {}
  return { memberId: caller.member.id }
}

/**
 * Takes a file into use for a course and returns the id of its row; refuses one that is unknown, that belongs to
 * somebody else, or of another type.
 */
export const useCourseFile = async (context: InCourse, { accepts, ...requested }: RequestedFile): Promise<string> => {
  const { id, pointer } = requested
  const row = await useFile(context, { ...requested, purposes: ['course'], ...(await readOwner(context, id)) })
  const file = await fileView(context, row)
  const isAccepted = file !== null && accepts(file.content_type)
  const error = { pointer, code: 'content_type', message: 'is a file of another type than is accepted here' }
  refuseInvalid(isAccepted ? [] : [error], 'The file cannot be used here.')
  return row
}

type OfLesson = InCourse & { readonly lesson: { readonly type: LessonType } }

const useCaptions = async (context: OfLesson, input: NonNullable<ContentInput['captions']>): Promise<Captions[]> => {
  const captions: Captions[] = []
  for (const [index, { language, label, file_id: id }] of input.entries()) {
    const pointer = `/captions/${index}/file_id`
    const fileId = await useCourseFile(context, { id, pointer, accepts: type => type === CAPTIONS_TYPE })
    captions.push({ language, label: cleanLine(label, 100), file_id: fileId })
  }
  return captions
}

// What the body showed before stays, so that an old mistake in it keeps nobody from changing the rest.
const useBodyFiles = async (context: OfLesson, body: Body, before: readonly string[]): Promise<string[]> => {
  const shown = picturesNamed(body.body_html)
  const ids: string[] = []
  for (const name of filesNamed(body.body_html)) {
    const id = fromId('fil', name) ?? ''
    const isShown = shown.includes(name) && !before.includes(id)
    ids.push(await useCourseFile(context, { id, pointer: '/body', isShown, accepts: () => true }))
  }
  return ids
}

const useMainFile = (context: OfLesson, id: string): Promise<string> =>
  useCourseFile(context, { id, pointer: '/file_id', accepts: type => fitsType(context.lesson.type, type) })

/** The content of a lesson after a change, its files taken into use; `body` is the result of bodyFor. */
export const plannedContent = async (
  context: OfLesson,
  { before, input, body }: { readonly before: Content; readonly input: ContentInput; readonly body: Body },
): Promise<Content> => {
  refuseInvalid(errorsOfContent(context.lesson.type, input))
  const { file_id: main, captions } = input
  const { embed_url = before.embed_url, meeting_url = before.meeting_url } = input
  const { starts_at_local = before.starts_at_local, time_zone = before.time_zone } = input
  const texts = { embed_url, meeting_url, starts_at_local, time_zone }
  refuseInvalid(errorsOfParts({ ...before, ...texts }))
  return {
    ...body,
    ...texts,
    file_id: main ? await useMainFile(context, main) : main === null ? null : before.file_id,
    captions: captions === undefined ? before.captions : await useCaptions(context, captions),
    body_file_ids: body === before ? before.body_file_ids : await useBodyFiles(context, body, before.body_file_ids),
  }
}

/** Stores the new content of a lesson whose course is locked, and returns the number of the version. */
export const addVersion = async (
  {
    db,
    school,
    now,
    authorId,
  }: Pick<WriteContext, 'db' | 'now'> & {
    readonly school: Pick<School, 'id'>
    readonly authorId: string | undefined
  },
  lesson: { readonly id: string; readonly version: number },
  content: Content,
  restores?: number,
): Promise<{ readonly number: number; readonly id: string }> => {
  const version = { id: newUuid(now.getTime()), lessonId: lesson.id, number: lesson.version + 1, authorId }
  await insertVersion(db, school.id, { ...version, ...(restores === undefined ? {} : { restores }) }, content)
  return { number: version.number, id: toId('lev', version.id) }
}

/**
 * Gives lessons without content that of the lessons they are copies of, as their first version; `id` is the version's.
 */
export const copyContents = async (
  db: Db,
  schoolId: string,
  copies: readonly { readonly from: string; readonly into: string; readonly id: string }[],
): Promise<void> => {
  await copyVersions(db, schoolId, copies)
  await copyVersionFiles(db, schoolId, copies)
  await showFirstVersions(
    db,
    schoolId,
    copies.map(({ id }) => id),
  )
}
