import type { FieldError } from '#src/contract/problem.ts'
import { isLocalTime } from '#src/kit/local-time.ts'
import { isLocale, isTimeZone } from '#src/kit/locale.ts'
import { cleanLine } from '#src/kit/text.ts'
import { ALLOWED } from './allowed.rules.ts'
import type { Body } from './bodies.rules.ts'
import { embedOf, embedProviders, secureUrl } from './embeds.rules.ts'
import type { ContentInput } from './schema.ts'

/** The captions of a video or sound in one language, with the id of their file's row. */
export type Captions = { readonly language: string; readonly label: string; readonly file_id: string }

/** What is said of a content beside its text, with ids of rows. */
export type Parts = {
  readonly file_id: string | null
  readonly captions: readonly Captions[]
  readonly embed_url: string | null
  readonly starts_at_local: string | null
  readonly time_zone: string | null
  readonly meeting_url: string | null
}

/** The content of a lesson as it is stored. */
export type Content = Body & Parts & { readonly body_file_ids: readonly string[] }

/** The content of a lesson of which nothing was written. */
export const BLANK: Content = {
  ...{ body: '', body_format: 'markdown', body_html: '', body_allowed: ALLOWED, body_file_ids: [] },
  ...{ file_id: null, captions: [], embed_url: null, starts_at_local: null, time_zone: null, meeting_url: null },
}

/** What a lesson can be made of. */
export const lessonTypes = ['video', 'audio', 'text', 'download', 'embed', 'quiz', 'assignment', 'live'] as const

/** One of them. */
export type LessonType = (typeof lessonTypes)[number]

const KINDS: Readonly<Record<keyof Parts, readonly LessonType[]>> = {
  file_id: ['video', 'audio', 'download'],
  captions: ['video', 'audio'],
  embed_url: ['embed'],
  starts_at_local: ['live'],
  time_zone: ['live'],
  meeting_url: ['live'],
}

const fault = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const faultsOfKind = (kind: LessonType, said: ContentInput): FieldError[] =>
  (Object.keys(KINDS) as (keyof Parts)[]).flatMap(name => {
    const value = said[name]
    const isNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    return isNothing || KINDS[name].includes(kind)
      ? []
      : [fault(`/${name}`, 'type', `is not of a lesson of the type ${kind}`)]
  })

const faultsOfCaptions = (captions: NonNullable<ContentInput['captions']>): FieldError[] => {
  const met = new Set<string>()
  return captions.flatMap(({ language, label }, index) => {
    const at = `/captions/${index}`
    const isTwice = met.has(language)
    met.add(language)
    if (!isLocale(language)) return [fault(`${at}/language`, 'locale', 'is not a canonical language tag')]
    if (isTwice) return [fault(`${at}/language`, 'twice', 'has captions already')]
    return cleanLine(label, 100) === '' ? [fault(`${at}/label`, 'empty', 'has nothing visible')] : []
  })
}

const faultsOfTime = ({ starts_at_local: local, time_zone: zone }: ContentInput): FieldError[] => [
  ...(local && !isLocalTime(local) ? [fault('/starts_at_local', 'local_time', 'is not a time of the calendar')] : []),
  ...(zone && !isTimeZone(zone) ? [fault('/time_zone', 'time_zone', 'is not an IANA time zone')] : []),
]

/** What is wrong with what is said of a content, before any file is looked at; empty when it can be stored. */
export const faultsOfContent = (kind: LessonType, said: ContentInput): FieldError[] => {
  const { embed_url: embed, meeting_url: meeting } = said
  return [
    ...faultsOfKind(kind, said),
    ...faultsOfCaptions(said.captions ?? []),
    ...faultsOfTime(said),
    ...(embed && embedOf(embed) === undefined
      ? [fault('/embed_url', 'embed', `is not an https address of something at ${embedProviders.join(', ')}`)]
      : []),
    ...(meeting && secureUrl(meeting) === undefined
      ? [fault('/meeting_url', 'url', 'is not an https address without user name and password')]
      : []),
  ]
}

/** What is wrong with the parts of a content together; empty when it can be stored. */
export const faultsOfParts = ({ starts_at_local: local, time_zone: zone }: Parts): FieldError[] => {
  if ((local === null) === (zone === null)) return []
  return local === null
    ? [fault('/starts_at_local', 'missing', 'goes with time_zone')]
    : [fault('/time_zone', 'missing', 'goes with starts_at_local')]
}

/** Which media types a lesson of a kind takes as its file. */
export const fitsKind = (kind: LessonType, contentType: string): boolean =>
  kind === 'download' || contentType.startsWith(`${kind}/`)

/** The type of captions. */
export const CAPTIONS_TYPE = 'text/vtt'

/** Which parts of a content differ from another. */
export const changedParts = (before: Content, after: Content): string[] =>
  (['body', 'body_format', ...(Object.keys(KINDS) as (keyof Parts)[])] as const).filter(
    name => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
