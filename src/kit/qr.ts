import encodeQR from 'qr'
import { type Html, html } from './html.ts'

// ISO/IEC 18004 §6.3.8: a symbol has a light margin of four modules.
const MARGIN = 4
const POINTS = 8

/** The modules of a text as a QR code with its margin, row by row; dark ones are true. */
export const readModules = (text: string): boolean[][] => encodeQR(text, 'raw', { ecc: 'medium', border: MARGIN })

// Runs of dark modules of a row, so that the path is short.
const pathOfRow = (row: readonly boolean[], y: number): string =>
  [
    ...row
      .map(isDark => (isDark ? '1' : '0'))
      .join('')
      .matchAll(/1+/g),
  ]
    .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join('')

/** A text as a QR code, dark on white in every color scheme; `label` says what it is to those who do not see it. */
export const renderQr = (text: string, label: string): Html => {
  const rows = readModules(text)
  const size = rows.length
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="${size * 4}" height="${size * 4}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${rows.map(pathOfRow).join('')}"/></svg>`
}

/** The same as a PNG, for mails, whose readers show no SVG. */
export const drawQr = async (text: string): Promise<Buffer> => {
  const rows = readModules(text)
  const size = rows.length
  // Loaded with the first picture, since it would slow the start.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(rows.flat().map(isDark => (isDark ? 0 : 255))), {
    raw: { width: size, height: size, channels: 1 },
  })
    .resize(size * POINTS, size * POINTS, { kernel: 'nearest' })
    .png({ palette: true, colors: 2 })
    .toBuffer()
}
