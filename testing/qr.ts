import assert from 'node:assert/strict'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'

const SCALE = 4

/** Returns the text of a picture of a QR code. */
export const readQrPicture = async (picture: Buffer): Promise<string> => {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data })
}

/** Returns the text of the first QR code of a page, as a camera sees it. */
export const readQr = async (page: string): Promise<string> => {
  const [drawing] = /<svg class="qr"[\s\S]*?<\/svg>/.exec(page) ?? []
  assert.ok(drawing !== undefined, page)
  const svg = drawing.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  return readQrPicture(
    await sharp(Buffer.from(svg), { density: 72 * SCALE })
      .png()
      .toBuffer(),
  )
}
