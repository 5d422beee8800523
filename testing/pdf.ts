import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'

const BUILD = new URL('../node_modules/pdfjs-dist/build/', import.meta.url)

const page = (scale: number, number: number) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<body style="margin:0"><canvas></canvas><script type="module">
import * as pdfjs from '/pdf.mjs'
pdfjs.GlobalWorkerOptions.workerSrc = '/pdf.worker.mjs'
const sheet = await (await pdfjs.getDocument({ url: '/sheet.pdf' }).promise).getPage(${number})
const viewport = sheet.getViewport({ scale: ${scale} })
const canvas = document.querySelector('canvas')
canvas.width = viewport.width
canvas.height = viewport.height
await sheet.render({ canvas, viewport }).promise
document.title = 'drawn'
</script>`

/** Returns a page of a PDF as a PNG, drawn by pdf.js in Chromium. */
export const drawPdf = async (chromium: Browser, pdf: Buffer, scale = 2, number = 1): Promise<Buffer> => {
  const files: Readonly<Record<string, () => Promise<{ type: string; body: Buffer | string }>>> = {
    '/': async () => ({ type: 'text/html', body: page(scale, number) }),
    '/sheet.pdf': async () => ({ type: 'application/pdf', body: pdf }),
    '/pdf.mjs': async () => ({ type: 'text/javascript', body: await readFile(new URL('pdf.mjs', BUILD)) }),
    '/pdf.worker.mjs': async () => ({
      type: 'text/javascript',
      body: await readFile(new URL('pdf.worker.mjs', BUILD)),
    }),
  }
  const server = createServer(async (request, reply) => {
    const { type, body } = (await files[request.url ?? '']?.()) ?? { type: 'text/plain', body: '' }
    reply.setHeader('content-type', type).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const tab = await chromium.newPage({ viewport: { width: 1700, height: 1200 } })
  try {
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await tab.waitForFunction('document.title === "drawn"')
    return await tab.locator('canvas').screenshot()
  } finally {
    await tab.close()
    server.close()
  }
}

/** A text on a page: its left edge and baseline from the upper left corner, and its width, in points. */
export type ReadText = { readonly text: string; readonly x: number; readonly y: number; readonly width: number }

/** Returns the texts on each page of a PDF, in the order in which they were drawn. */
export const readPdf = async (pdf: Buffer): Promise<ReadText[][]> => {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await pdfjs.getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const pages = Array.from({ length: document.numPages }, async (_, index) => {
    const sheet = await document.getPage(index + 1)
    const { items } = await sheet.getTextContent()
    const [, , , top = 0] = sheet.view
    return items.flatMap(item => {
      if (!('str' in item) || item.str === '') return []
      const [, , , , x = 0, y = 0] = item.transform as number[]
      return [{ text: item.str, x, y: top - y, width: item.width }]
    })
  })
  return Promise.all(pages)
}

/** Returns the words of a PDF, as a reader or a screen reader extracts them. */
export const textOfPdf = async (pdf: Buffer): Promise<string> => {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await pdfjs.getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  const text = items.map(item => ('str' in item ? item.str : '')).join('')
  // A letter that a font draws as two glyphs has its character at the first; the second one has none.
  return text.replace(/\p{Cc}/gu, '').replace(/\s+/g, ' ')
}

/** Returns the title of a PDF, as a reader shows it. */
export const titleOfPdf = async (pdf: Buffer): Promise<string> => {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await pdfjs.getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const { info } = await document.getMetadata()
  return 'Title' in info ? String(info.Title) : ''
}
