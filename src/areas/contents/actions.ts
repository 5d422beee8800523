import type { CourseRow } from '#src/areas/courses/index.ts'
import { fileViews } from '#src/areas/storage/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { resolveTime } from '#src/kit/local-time.ts'
import { cleanLine } from '#src/kit/text.ts'
import { type Body, type BodyFault, filesNamed, renderBody, shownHtml, withAddresses } from './bodies.rules.ts'
import { embedOf } from './embeds.rules.ts'
import { useCourseFile } from './files.ts'
import { findNumbered, insertVersion, type VersionRow } from './queries.ts'
import {
  BLANK,
  CAPTIONS_TYPE,
  type Captions,
  type Content,
  faultsOfContent,
  faultsOfParts,
  fitsKind,
  type LessonType,
  type Parts,
} from './rules.ts'
import type { ContentInput, ContentView } from './schema.ts'

type Looking = { readonly db: Db; readonly school: School; readonly caller: Caller; keyFor(purpose: string): Buffer }

/** The content that a version has. */
export const contentOf = ({ files, ...row }: VersionRow): Content => {
  const idsOf = (part: string) => files.filter(file => file.part === part).map(file => file.file_id)
  return {
    ...{ body: row.body, body_format: row.body_format, body_html: row.body_html, body_allowed: row.body_allowed },
    file_id: idsOf('main')[0] ?? null,
    captions: files
      .filter(({ part }) => part === 'caption')
      .map(({ language, label, file_id }) => ({ language: language ?? '', label: label ?? '', file_id })),
    body_file_ids: idsOf('body'),
    ...{ embed_url: row.embed_url, starts_at_local: row.starts_at_local, time_zone: row.time_zone },
    meeting_url: row.meeting_url,
  }
}

/** The content of a lesson as it is now. */
export const currentContent = async (
  db: Db,
  schoolId: string,
  lesson: { readonly id: string; readonly version: number },
): Promise<Content> => {
  const row = lesson.version === 0 ? undefined : await findNumbered(db, schoolId, lesson.id, lesson.version)
  return row === undefined ? BLANK : contentOf(row)
}

const startOf = ({ starts_at_local: local, time_zone: zone }: Parts): string | null =>
  local === null || zone === null ? null : (resolveTime({ local, time_zone: zone })?.at.toISOString() ?? null)

/** A content as it is shown to who may read it; those who run the course see what was written too. */
export const contentView = async (looking: Looking, content: Content, runs: boolean): Promise<ContentView> => {
  const { file_id: main, captions, body_file_ids: inBody } = content
  const ids = [...(main === null ? [] : [main]), ...captions.map(one => one.file_id), ...inBody]
  const files = await fileViews(looking, ids)
  const { embed_url, starts_at_local, time_zone, meeting_url, body, body_format } = content
  return {
    body_html: withAddresses(shownHtml(content), id => files.get(fromId('fil', id) ?? '')?.url),
    ...(runs ? { body, body_format } : {}),
    file: main === null ? null : (files.get(main) ?? null),
    captions: captions.flatMap(({ language, label, file_id: id }) => {
      const file = files.get(id)
      return file === undefined ? [] : [{ language, label, file }]
    }),
    embed: embedOf(embed_url) ?? null,
    ...{ embed_url, starts_at_local, time_zone, meeting_url },
    starts_at: startOf(content),
  }
}

const refuse = (errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw new Refusal(invalidBody, 'Some values are not allowed.', { errors })
}

const WHY: Readonly<Record<BodyFault | 'too_many_files', string>> = {
  too_complex:
    'takes too long to read: more than 500 elements are open at once, or it has more than 30,000 marks of Markdown',
  too_long: 'becomes too long when it is shown',
  too_many_files: 'names more than 50 files',
}

const refuseBody = (code: keyof typeof WHY): never => {
  throw new Refusal(invalidBody, 'The text cannot be shown.', {
    errors: [{ pointer: '/body', code, message: WHY[code] }],
  })
}

/** What is shown of a text that somebody wrote; refuses one that cannot be shown. `ready` may have been rendered before. */
export const bodyFor = (before: Body, said: ContentInput, ready?: Body): Body => {
  const { body = before.body, body_format: format = before.body_format } = said
  if (body === before.body && format === before.body_format) return before
  if (ready?.body === body && ready.body_format === format) return ready
  const rendered = renderBody(body, format)
  if (typeof rendered === 'string') return refuseBody(rendered)
  return filesNamed(rendered.body_html).length > 50 ? refuseBody('too_many_files') : rendered
}

type Planning = Looking & { readonly course: CourseRow; readonly lesson: { readonly type: LessonType } }

const captionsFor = async (planning: Planning, said: NonNullable<ContentInput['captions']>): Promise<Captions[]> => {
  const made: Captions[] = []
  for (const [index, { language, label, file_id: id }] of said.entries()) {
    const file = { id, pointer: `/captions/${index}/file_id`, fits: (type: string) => type === CAPTIONS_TYPE }
    made.push({ language, label: cleanLine(label, 100), file_id: await useCourseFile(planning, file) })
  }
  return made
}

const bodyFilesFor = async (planning: Planning, body: Body): Promise<string[]> => {
  const made: string[] = []
  for (const id of filesNamed(body.body_html)) {
    const pointer = '/body'
    made.push(await useCourseFile(planning, { id, pointer, fits: () => true }))
  }
  return made
}

const mainFor = async (planning: Planning, id: string): Promise<string> => {
  const { type: kind } = planning.lesson
  return useCourseFile(planning, { id, pointer: '/file_id', fits: type => fitsKind(kind, type) })
}

/** The content of a lesson after what somebody said of it, its files taken into use; `body` is what bodyFor gave. */
export const plannedContent = async (
  planning: Planning,
  { before, said, body }: { readonly before: Content; readonly said: ContentInput; readonly body: Body },
): Promise<Content> => {
  refuse(faultsOfContent(planning.lesson.type, said))
  const { file_id: main, captions } = said
  const { embed_url = before.embed_url, meeting_url = before.meeting_url } = said
  const { starts_at_local = before.starts_at_local, time_zone = before.time_zone } = said
  const texts = { embed_url, meeting_url, starts_at_local, time_zone }
  refuse(faultsOfParts({ ...before, ...texts }))
  return {
    ...body,
    ...texts,
    file_id: main ? await mainFor(planning, main) : main === null ? null : before.file_id,
    captions: captions === undefined ? before.captions : await captionsFor(planning, captions),
    body_file_ids: body === before ? before.body_file_ids : await bodyFilesFor(planning, body),
  }
}

/** Stores what a lesson, whose course is held, is made of from now on; gives the number and id of the version. */
export const addVersion = async (
  {
    db,
    school,
    now,
    authorId,
  }: {
    readonly db: Db
    readonly school: Pick<School, 'id'>
    readonly now: Date
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
