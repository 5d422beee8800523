import type { FieldError } from '#src/contract/problem.ts'
import { profiles } from '#src/kit/body/profiles.ts'
import type { Body } from '#src/kit/body/render.ts'
import { isLocalTime } from '#src/kit/local-time.ts'
import { isLocale, isTimeZone } from '#src/kit/locale.ts'
import { cleanLine } from '#src/kit/text.ts'
import { embedProviders, parseEmbed, secureUrl } from './embeds.rules.ts'
import type { ContentInput } from './schema.ts'

/** The captions of a video or audio in one language, with the id of their file's row. */
export type Captions = { readonly language: string; readonly label: string; readonly file_id: string }

/** The parts of a content beside its text, with ids of rows. */
export type Parts = {
  readonly file_id: string | null
  readonly captions: readonly Captions[]
  readonly embed_url: string | null
  readonly starts_at_local: string | null
  readonly time_zone: string | null
  readonly meeting_url: string | null
}

/** The stored content of a lesson. */
export type Content = Body & Parts & { readonly body_file_ids: readonly string[] }

/** The content of a new lesson. */
export const BLANK: Content = {
  body: '',
  body_format: 'markdown',
  body_html: '',
  body_allowed: profiles.lesson.version,
  body_file_ids: [],
  file_id: null,
  captions: [],
  embed_url: null,
  starts_at_local: null,
  time_zone: null,
  meeting_url: null,
}

/** The types of lessons. */
export const lessonTypes = ['video', 'audio', 'text', 'download', 'embed', 'quiz', 'assignment', 'live'] as const

/** One of these values. */
export type LessonType = (typeof lessonTypes)[number]

const TYPES: Readonly<Record<keyof Parts, readonly LessonType[]>> = {
  file_id: ['video', 'audio', 'download'],
  captions: ['video', 'audio'],
  embed_url: ['embed'],
  starts_at_local: ['live'],
  time_zone: ['live'],
  meeting_url: ['live'],
}

const errorAt = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const errorsOfType = (type: LessonType, input: ContentInput): FieldError[] =>
  (Object.keys(TYPES) as (keyof Parts)[]).flatMap(name => {
    const value = input[name]
    const isNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    return isNothing || TYPES[name].includes(type)
      ? []
      : [errorAt(`/${name}`, 'type', `is not allowed in a lesson of the type ${type}`)]
  })

const errorsOfCaptions = (captions: NonNullable<ContentInput['captions']>): FieldError[] => {
  const seen = new Set<string>()
  return captions.flatMap(({ language, label }, index) => {
    const at = `/captions/${index}`
    const isTwice = seen.has(language)
    seen.add(language)
    if (!isLocale(language)) return [errorAt(`${at}/language`, 'locale', 'is not a canonical language tag')]
    if (isTwice) return [errorAt(`${at}/language`, 'twice', 'already has captions')]
    return cleanLine(label, 100) === '' ? [errorAt(`${at}/label`, 'empty', 'must contain a visible character')] : []
  })
}

const errorsOfTime = ({ starts_at_local: local, time_zone: zone }: ContentInput): FieldError[] => [
  ...(local && !isLocalTime(local) ? [errorAt('/starts_at_local', 'local_time', 'is not a time of the calendar')] : []),
  ...(zone && !isTimeZone(zone) ? [errorAt('/time_zone', 'time_zone', 'is not an IANA time zone')] : []),
]

/** The errors of a change of content, before any file is looked at; empty when it can be stored. */
export const errorsOfContent = (type: LessonType, input: ContentInput): FieldError[] => {
  const { embed_url: embed, meeting_url: meeting } = input
  return [
    ...errorsOfType(type, input),
    ...errorsOfCaptions(input.captions ?? []),
    ...errorsOfTime(input),
    ...(embed && parseEmbed(embed) === undefined
      ? [errorAt('/embed_url', 'embed', `is not an https address of something at ${embedProviders.join(', ')}`)]
      : []),
    ...(meeting && secureUrl(meeting) === undefined
      ? [errorAt('/meeting_url', 'url', 'is not an https address without user name and password')]
      : []),
  ]
}

/** The errors of the parts of a content together; empty when it can be stored. */
export const errorsOfParts = ({ starts_at_local: local, time_zone: zone }: Parts): FieldError[] => {
  if ((local === null) === (zone === null)) return []
  return local === null
    ? [errorAt('/starts_at_local', 'missing', 'is required with time_zone')]
    : [errorAt('/time_zone', 'missing', 'is required with starts_at_local')]
}

/** Whether a lesson of a type accepts a media type as its file. */
export const fitsType = (type: LessonType, contentType: string): boolean =>
  type === 'download' || contentType.startsWith(`${type}/`)

/** The names of the parts in which two contents differ. */
export const changedParts = (before: Content, after: Content): string[] =>
  (['body', 'body_format', ...(Object.keys(TYPES) as (keyof Parts)[])] as const).filter(
    name => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
