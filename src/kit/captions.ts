const TIME = String.raw`(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d)(?:[.,](\d{1,3}))?`

const TIMING = new RegExp(String.raw`^[ \t]*${TIME}[ \t]*-->[ \t]*${TIME}(?:[ \t]+(.*))?$`)

// WebVTT §4.1: two digits, and three behind a full stop; hours can be left out.
const formatTime = ([hours, minutes = '', seconds = '', fraction = '']: readonly (string | undefined)[]): string => {
  const parts = [...(hours === undefined ? [] : [hours]), minutes, seconds]
  return `${parts.map(part => part.padStart(2, '0')).join(':')}.${fraction.padEnd(3, '0')}`
}

type Timing = { readonly times: string; readonly settings: string }

const parseTiming = (line: string): Timing | undefined => {
  const found = TIMING.exec(line)
  if (found === null) return undefined
  const times = `${formatTime(found.slice(1, 5))} --> ${formatTime(found.slice(5, 9))}`
  return { times, settings: found[9] === undefined ? '' : ` ${found[9]}` }
}

// Programs that write no UTF-8 write the code page of their country; this is the one of Western Europe.
const decoded = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

// Blocks of styles and comments, settings and line ends stay.
const withValidTimes = (text: string): string | undefined => {
  let count = 0
  const written = text.replace(/^.*-->.*$/gm, line => {
    const timing = parseTiming(line)
    if (timing === undefined) return line
    count += 1
    return `${timing.times}${timing.settings}`
  })
  return count === 0 ? undefined : written
}

// What WebVTT reads as a tag, a character reference or a new cue, and SRT as text; positions of SRT are shown as text there.
const cueText = (line: string): string =>
  line
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/&(?!(?:amp|lt|gt|nbsp|quot|#\d{1,7});)/g, '&amp;')
    .replace(/<(?!\/?(?:[biu]|font)[ >])/gi, '&lt;')
    .replaceAll('-->', '--&gt;')

type Cue = { readonly times: string; readonly lines: string[] }

const parseCues = (text: string): Cue[] => {
  const cues: Cue[] = []
  for (const line of text.split(/\r\n|\n|\r/)) {
    const timing = parseTiming(line)
    const lines = cues.at(-1)?.lines
    if (timing === undefined) {
      lines?.push(line)
      continue
    }
    // The number of the cue.
    if (/^\s*\d+\s*$/.test(lines?.at(-1) ?? '')) lines?.pop()
    cues.push({ times: timing.times, lines: [] })
  }
  return cues
}

// An empty line ends a cue of WebVTT.
const fromSrt = (text: string): string | undefined => {
  const cues = parseCues(text).map(({ times, lines }) =>
    [times, ...lines.filter(line => line.trim() !== '').map(cueText)].join('\n'),
  )
  return cues.length === 0 ? undefined : `${['WEBVTT', ...cues].join('\n\n')}\n`
}

/** The media type of captions. */
export const CAPTIONS_TYPE = 'text/vtt'

/** The most bytes that are read as captions. */
export const MAX_CAPTIONS_BYTES = 5_000_000

/**
 * Captions as WebVTT in UTF-8, which is all that browsers read (WebVTT §4.1), from WebVTT or SRT; undefined where they
 * are neither or have no cue. WebVTT that is valid keeps its bytes.
 */
export const toWebVtt = (bytes: Buffer): Buffer | undefined => {
  const text = decoded(bytes)
  if (text.includes('\0')) return undefined
  const written = /^WEBVTT(?:[ \t\r\n]|$)/.test(text) ? withValidTimes(text) : fromSrt(text)
  return written === undefined ? undefined : Buffer.from(written)
}
