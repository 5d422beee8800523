import assert from 'node:assert/strict'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'

const SCALE = 4
const RUN = /M(\d+) (\d+)h(\d+)/g

/** Returns the text of a picture of a QR code. */
export const readQrPicture = async (picture: Buffer): Promise<string> => {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data })
}

/** Returns the text of the first QR code of a page, as a camera sees it. No library of the product may read an SVG. */
export const readQr = (page: string): Promise<string> => {
  const [, size, runs = ''] =
    /<svg class="qr" viewBox="0 0 (\d+) .*<path fill="#000" d="([^"]*)"\/><\/svg>/.exec(page) ?? []
  assert.ok(size !== undefined, page)
  const width = Number(size)
  const light = Buffer.alloc(width * width, 255)
  for (const [, x, y, length] of runs.matchAll(RUN)) {
    const start = Number(y) * width + Number(x)
    light.fill(0, start, start + Number(length))
  }
  const picture = sharp(light, { raw: { width, height: width, channels: 1 } })
  return picture
    .resize(width * SCALE, width * SCALE, { kernel: 'nearest' })
    .png()
    .toBuffer()
    .then(readQrPicture)
}
