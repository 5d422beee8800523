import { isInlineType, isPicture } from '#src/kit/media-types.ts'
import type { StoredPurpose } from './schema.ts'

const parseFamily = (type: string): string => type.slice(0, type.indexOf('/'))

const isTextType = (type: string): boolean => /^text\/|[/+](?:x-)?(?:json|xml|yaml)$/.test(type)

// Containers of sound and film alike, in which the bytes do not tell which of them it is.
const CONTAINERS = ['webm', 'matroska', 'mp4', '3gpp', '3gpp2', 'ogg']

const inFamily = (recognised: string, family: string): string => {
  if ((family !== 'audio' && family !== 'video') || parseFamily(recognised) === family) return recognised
  const container = recognised.slice(recognised.indexOf('/') + 1).replace(/^x-m4[av]$/, 'mp4')
  return CONTAINERS.includes(container) ? `${family}/${container}` : recognised
}

const isSameKind = (one: string, other: string): boolean => {
  const toKind = (type: string): string => parseFamily(type).replace('video', 'audio')
  return ['image', 'audio'].includes(toKind(one)) && toKind(one) === toKind(other)
}

/** What is known of the type of a file: as what it was declared, what its first bytes are recognised as, and whether they are text. */
type Evidence = { readonly declared: string; readonly recognised: string | undefined; readonly isText: boolean }

type Verdict = { readonly type: string } | { readonly reason: 'type_mismatch' | 'unsupported_type' }

const typeOfAvatar = (recognised: string | undefined): Verdict => {
  if (recognised !== undefined && isPicture(recognised)) return { type: recognised }
  return { reason: recognised?.startsWith('image/') === true ? 'unsupported_type' : 'type_mismatch' }
}

/**
 * The type a file is served as. What a browser shows in place is what its bytes are; other files are what they were declared
 * to be, unless they were declared to be something that is shown.
 */
export const chooseType = ({ declared, recognised, isText }: Evidence, purpose: StoredPurpose): Verdict => {
  // UTF-16 is text for whoever reads a table. No address leads to such a file.
  if (purpose === 'import') return { type: declared }
  // A PDF may be text as a whole; a picture, sound or film cannot, however its first letters are read.
  const isNoText = !isText || recognised === 'application/pdf'
  const seen = isNoText && recognised !== undefined ? inFamily(recognised, parseFamily(declared)) : undefined
  if (purpose === 'avatar') return typeOfAvatar(seen)
  if (isText && isTextType(declared)) return { type: declared }
  if (seen !== undefined && isInlineType(seen)) return { type: seen }
  // A picture, sound or film of a kind that no browser shows is no false declaration.
  if (seen !== undefined && isSameKind(seen, declared))
    return { type: isInlineType(declared) || !declared.startsWith('image/') ? seen : declared }
  return isInlineType(declared) ? { reason: 'type_mismatch' } : { type: declared }
}
