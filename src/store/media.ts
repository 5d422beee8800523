import { basename, dirname } from 'node:path'
import type { IconContent, IconShape, ImageFacts, ImageSize, Media } from '#src/contract/store.ts'
import { escapeXml } from '#src/kit/html.ts'
import { inspectPng, stripPng } from './png.ts'

const PIXELS = 40_000_000
const SECONDS = 20
// Decoding runs in separate threads, but each image may take 160 MB there.
const AT_ONCE = 2

type Sharp = typeof import('sharp').default
type Image = import('sharp').Sharp

// Loaded at the first image. Of the formats of libvips only these are allowed: no SVG, no PDF, no remote files.
const load = async (): Promise<Sharp> => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  const kinds = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif']
  sharp.unblock({ operation: kinds.flatMap(kind => [`VipsForeignLoad${kind}File`, `VipsForeignLoad${kind}Buffer`]) })
  return sharp
}

let loading: Promise<Sharp> | undefined

const waiting: (() => void)[] = []
let running = 0

const inTurn = async <T>(work: (sharp: Sharp) => Promise<T>): Promise<T> => {
  while (running >= AT_ONCE) await new Promise<void>(resolve => waiting.push(resolve))
  running += 1
  try {
    loading ??= load()
    return await work(await loading)
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

const OPTIONS = { limitInputPixels: PIXELS, sequentialRead: true, failOn: 'error' } as const

type Metadata = Awaited<ReturnType<Image['metadata']>>

const upright = ({ width, height, orientation = 1 }: Metadata): ImageSize =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

// Only the header is read here, so that a decompression bomb is detected before anything is decoded.
const readMetadata = (sharp: Sharp, image: Uint8Array): Promise<Metadata> =>
  sharp(image, { ...OPTIONS, limitInputPixels: false }).metadata()

const framesFit = ({ width, height, pages = 1 }: Metadata): boolean => width * height * pages <= PIXELS

const readFacts = (found: Metadata, image: Buffer): ImageFacts => {
  const { pages = 1, exif, xmp, iptc, format } = found
  const png = format === 'png' ? inspectPng(image) : undefined
  return {
    ...upright(found),
    isAnimated: png?.isAnimated ?? pages > 1,
    // The library does not read XMP of GIF, which is an application extension of this name.
    hasMetadata:
      png?.hasMetadata === true ||
      [exif, xmp, iptc].some(one => one !== undefined) ||
      (format === 'gif' && image.includes('XMP DataXMP')),
  }
}

const QUALITY = 92

// A profile describes the pixels that it came with, so they stay in their color space; CMYK becomes sRGB, as browsers show it.
const inItsColors = (image: Image, { space = 'srgb' }: Metadata): Image => {
  if (space === 'cmyk') return image
  const kept = image.keepIccProfile()
  return ['b-w', 'grey16', 'rgb16'].includes(space) ? kept.toColourspace(space) : kept
}

const encoded = (image: Image, { format }: Metadata): Promise<Buffer> => {
  switch (format) {
    case 'png':
      return image.png().toBuffer()
    case 'webp':
      return image.webp({ quality: QUALITY }).toBuffer()
    case 'gif':
      return image.gif().toBuffer()
    case 'heif':
      return image.avif({ quality: QUALITY, effort: 2 }).toBuffer()
    default:
      return image.jpeg({ quality: QUALITY }).toBuffer()
  }
}

const rewritten = async (sharp: Sharp, image: Buffer): Promise<Uint8Array | undefined> => {
  const found = await readMetadata(sharp, image)
  const { pages = 1, orientation = 1, format } = found
  if (format === 'png' && (orientation === 1 || inspectPng(image).isAnimated)) return stripPng(image)
  if (!framesFit(found)) return undefined
  const isAnimated = pages > 1
  const read = sharp(image, { ...OPTIONS, animated: isAnimated }).timeout({ seconds: SECONDS })
  return encoded(inItsColors(isAnimated ? read : read.autoOrient(), found), found)
}

const shrunk = (sharp: Sharp, image: Uint8Array, width: number, isAnimated: boolean): Promise<Buffer> => {
  const read = sharp(image, { ...OPTIONS, animated: isAnimated })
  return (isAnimated ? read : read.autoOrient())
    .resize({ width, withoutEnlargement: true })
    .timeout({ seconds: SECONDS })
    .webp({ quality: 80 })
    .toBuffer()
}

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

// A file such as noto-sans-hebrew-hebrew-700-normal.woff is in the folder noto-sans-hebrew/files.
const nameFamily = (fontFile: string): string => basename(dirname(dirname(fontFile))).replaceAll('-', ' ')

// Large enough that nothing is enlarged; `trim` leaves the letters without the space of their line.
const drawLetters = (sharp: Sharp, { letters, color, fontFile }: Exclude<IconContent, { image: unknown }>) => {
  const text = `<span foreground="${color}">${escapeXml(letters)}</span>`
  const font = `${nameFamily(fontFile)} bold`
  return sharp({ text: { text, font, fontfile: fontFile, rgba: true, dpi: 2000 } }).trim()
}

const drawIcon = async (sharp: Sharp, content: IconContent | undefined, shape: IconShape): Promise<Buffer> => {
  const { edge, share, background = TRANSPARENT } = shape
  const square = sharp({ create: { width: edge, height: edge, channels: 4, background } })
  if (content === undefined) return square.png().toBuffer()
  const most = Math.round(edge * share)
  const drawn = 'image' in content ? sharp(content.image, OPTIONS).autoOrient() : drawLetters(sharp, content)
  const input = await drawn
    .resize({ width: most, height: most, fit: 'inside' })
    .timeout({ seconds: SECONDS })
    .png()
    .toBuffer()
  return square.composite([{ input }]).png().toBuffer()
}

/** The detection of file types by file-type, and of images by sharp. */
export const media: Media = {
  sniff: async head => {
    // Loaded at the first file.
    const { fileTypeFromBuffer } = await import('file-type')
    // Some types have parameters, such as `audio/ogg; codecs=opus`; an animated PNG is a PNG.
    const type = (await fileTypeFromBuffer(head))?.mime.split(';')[0]
    return type === 'image/apng' ? 'image/png' : type
  },
  measure: image =>
    inTurn(async sharp => {
      try {
        const found = await readMetadata(sharp, image)
        const { width, height, pages = 1 } = found
        if (width * height * pages > PIXELS * (pages > 1 ? 10 : 1) || width * height > PIXELS) return 'too_many_pixels'
        await sharp(image, OPTIONS).resize(8, 8).timeout({ seconds: SECONDS }).raw().toBuffer()
        return readFacts(found, image)
      } catch {
        return 'unreadable_image'
      }
    }),
  withoutMetadata: image => inTurn(sharp => rewritten(sharp, image).catch(() => undefined)),
  shrink: (image, width) =>
    inTurn(async sharp => {
      const found = await readMetadata(sharp, image)
      const still = () => shrunk(sharp, image, width, false)
      if ((found.pages ?? 1) === 1 || !framesFit(found)) return still()
      return shrunk(sharp, image, width, true).catch(still)
    }),
  toPng: (image, width) =>
    inTurn(sharp =>
      sharp(image, OPTIONS)
        .autoOrient()
        .resize({ width, withoutEnlargement: true })
        .timeout({ seconds: SECONDS })
        .png()
        .toBuffer(),
    ),
  drawIcon: (content, shape) => inTurn(sharp => drawIcon(sharp, content, shape)),
}
