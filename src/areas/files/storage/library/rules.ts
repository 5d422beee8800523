import { type CallingMember, isAtLeast } from '#src/contract/caller.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import type { FileUse } from '../hooks.ts'
import { cleanName } from '../uploads/rules.ts'
import type { fileKinds } from './schema.ts'

/** The kind of a file. */
export type FileKind = (typeof fileKinds)[number]

/** The media types of each kind, as regular expressions that PostgreSQL reads too; `other` is what is of none. */
export const kindPatterns: Readonly<Record<Exclude<FileKind, 'other'>, string>> = {
  picture: '^image/',
  video: '^video/',
  audio: '^audio/',
  document: '^(text/|application/(pdf|rtf|msword|epub|vnd[.](ms-|openxmlformats-|oasis[.])))',
}

/** The kind of files of a media type. */
export const readKind = (contentType: string): FileKind => {
  const kinds = Object.keys(kindPatterns) as (keyof typeof kindPatterns)[]
  return kinds.find(kind => new RegExp(kindPatterns[kind]).test(contentType)) ?? 'other'
}

/** Whose files a caller manages: their own for lecturers, everybody's for staff. Refuses members. */
export const readOwner = ({ id, role }: CallingMember): string | undefined => {
  if (!isAtLeast(role, 'lecturer')) throw new Refusal(roleRequired, 'Lecturers, admins and owners manage files.')
  return isAtLeast(role, 'admin') ? undefined : id
}

// What was issued, handed in or unpacked stays as it was.
const FROZEN = ['certificate', 'deployment', 'submission']

/**
 * Whether the bytes of a file can be replaced where it is used; those of an appearance have addresses that never change
 * their bytes.
 */
export const isReplaceable = (purpose: string, uses: readonly Pick<FileUse, 'kind'>[]): boolean =>
  purpose !== 'appearance' && !uses.some(({ kind }) => FROZEN.includes(kind))

const findEnding = (name: string): string => /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''

/** The name that somebody gives a file, with the ending that it has: it says which program opens it. */
export const renameTo = (typed: string, before: string): string => {
  const ending = findEnding(before)
  return cleanName(typed.toLowerCase().endsWith(ending.toLowerCase()) ? typed : `${typed}${ending}`)
}
