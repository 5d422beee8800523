// PNG (Third Edition) §5: a signature, and chunks that each have a length, a type, data and a checksum.
const SIGNATURE = 8
const FRAME = 12

type Chunk = { readonly type: string; readonly data: Buffer; readonly whole: Buffer }

function* readChunks(png: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE; at + FRAME <= png.length; ) {
    const end = at + FRAME + png.readUInt32BE(at)
    if (end > png.length) return
    yield {
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, end - 4),
      whole: png.subarray(at, end),
    }
    at = end
  }
}

const TEXTS = ['tEXt', 'zTXt', 'iTXt']

// XMP has a keyword of its own, and programs that know no chunk for EXIF and IPTC write them as profiles.
const isMetadata = ({ type, data }: Chunk): boolean =>
  type === 'eXIf' ||
  (TEXTS.includes(type) && /^(?:XML:com\.adobe\.xmp|Raw profile type )/.test(data.toString('latin1', 0, 80)))

/** Whether a PNG moves, and whether it has EXIF, XMP or IPTC. */
export const inspectPng = (png: Buffer): { readonly isAnimated: boolean; readonly hasMetadata: boolean } => {
  const chunks = [...readChunks(png)]
  return { isAnimated: chunks.some(({ type }) => type === 'acTL'), hasMetadata: chunks.some(isMetadata) }
}

/** The same pixels and frames without EXIF and all texts. */
export const stripPng = (png: Buffer): Buffer => {
  const kept = [...readChunks(png)].filter(({ type }) => type !== 'eXIf' && !TEXTS.includes(type))
  return Buffer.concat([png.subarray(0, SIGNATURE), ...kept.map(({ whole }) => whole)])
}
