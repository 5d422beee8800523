/** The types of pictures that every browser shows, that are measured, and that can be had in widths. */
export const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

// What a browser may show; everything else is an attachment, in a sandbox.
const INLINE_TYPES = new Set([
  ...PICTURES,
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/webm',
  'audio/ogg',
  'audio/wav',
  'audio/vnd.wave',
  'audio/flac',
  'audio/aac',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/x-m4v',
  'application/pdf',
])

/** Whether a browser may show files of this type in place. */
export const isInlineType = (contentType: string): boolean => INLINE_TYPES.has(contentType)

/** Whether files of this type are pictures that can be measured and shown. */
export const isPicture = (contentType: string): boolean => PICTURES.includes(contentType)

/** The media type of a declaration, without its parameters: `audio/webm` of `audio/webm;codecs=opus`. */
export const withoutParameters = (declared: string): string => (declared.split(';')[0] ?? '').trim().toLowerCase()

const detectEncoding = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Whether the beginning of a file is text: UTF-8, or UTF-16 with a byte order mark, without NUL. */
export const isText = (head: Uint8Array): boolean => {
  try {
    // The beginning may end within a character.
    return !new TextDecoder(detectEncoding(head), { fatal: true }).decode(head, { stream: true }).includes('\0')
  } catch {
    return false
  }
}
