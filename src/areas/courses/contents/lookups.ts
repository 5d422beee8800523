import type { Db } from '#src/contract/db.ts'
import { type ContentRow, findCurrentVersion, findVersionByNumber } from './queries.ts'
import { BLANK, type Content } from './rules.ts'

/** The content in a row. */
export const buildContent = ({ files, ...row }: ContentRow): Content => {
  const listIds = (part: string) => files.filter(file => file.part === part).map(file => file.file_id)
  return {
    body: row.body,
    body_format: row.body_format,
    body_html: row.body_html,
    body_allowed: row.body_allowed,
    file_id: listIds('main')[0] ?? null,
    captions: files
      .filter(({ part }) => part === 'caption')
      .map(({ language, label, file_id }) => ({ language: language ?? '', label: label ?? '', file_id })),
    body_file_ids: listIds('body'),
    embed_url: row.embed_url,
    starts_at_local: row.starts_at_local,
    time_zone: row.time_zone,
    meeting_url: row.meeting_url,
  }
}

/** The current content of a lesson. */
export const currentContent = async (
  db: Db,
  schoolId: string,
  lesson: { readonly id: string; readonly version: number },
): Promise<Content> => {
  const row = lesson.version === 0 ? undefined : await findVersionByNumber(db, schoolId, lesson.id, lesson.version)
  return row === undefined ? BLANK : buildContent(row)
}

/**
 * The number and content of the current version of a lesson by the lesson's id alone; number 0 before the first one.
 */
export const findCurrentContent = async (
  db: Db,
  schoolId: string,
  lessonId: string | undefined,
): Promise<{ readonly number: number; readonly content: Content }> => {
  const row = await findCurrentVersion(db, schoolId, lessonId)
  return row === undefined ? { number: 0, content: BLANK } : { number: row.number, content: buildContent(row) }
}
