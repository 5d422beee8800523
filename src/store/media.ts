import type { ImageSize, Media } from '#src/contract/store.ts'

const PIXELS = 40_000_000
const SECONDS = 20
// Decoding runs in separate threads, but each image may take 160 MB there.
const AT_ONCE = 2

type Sharp = typeof import('sharp').default

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

const upright = ({ width, height, orientation = 1 }: ImageSize & { readonly orientation?: number | undefined }) =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** The detection of file types by file-type, and of images by sharp. */
export const media: Media = {
  sniff: async head => {
    // Loaded at the first file.
    const { fileTypeFromBuffer } = await import('file-type')
    return (await fileTypeFromBuffer(head))?.mime
  },
  measure: image =>
    inTurn(async sharp => {
      try {
        // Only the header is read here, so that a decompression bomb is detected before anything is decoded.
        const {
          width,
          height,
          pages = 1,
          orientation,
        } = await sharp(image, {
          ...OPTIONS,
          limitInputPixels: false,
        }).metadata()
        if (width * height * pages > PIXELS * (pages > 1 ? 10 : 1) || width * height > PIXELS) return 'too_many_pixels'
        await sharp(image, OPTIONS).resize(8, 8).timeout({ seconds: SECONDS }).raw().toBuffer()
        return upright({ width, height, orientation })
      } catch {
        return 'unreadable_image'
      }
    }),
  shrink: (image, width) =>
    inTurn(sharp =>
      sharp(image, OPTIONS)
        .autoOrient()
        .resize({ width, withoutEnlargement: true })
        .timeout({ seconds: SECONDS })
        .webp({ quality: 80 })
        .toBuffer(),
    ),
  toPng: (image, width) =>
    inTurn(sharp =>
      sharp(image, OPTIONS)
        .autoOrient()
        .resize({ width, withoutEnlargement: true })
        .timeout({ seconds: SECONDS })
        .png()
        .toBuffer(),
    ),
}
