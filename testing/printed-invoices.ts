import type { Actor } from './actor.ts'
import { readPdf } from './pdf.ts'
import { until } from './until.ts'
import { fetched } from './uploads.ts'

/** Waits until a document is printed or could not be; returns it as staff see it. */
export const settledInvoice = async (staff: Actor, id: string) => {
  let last = await staff.get(`/invoices/${id}`)
  await until(async () => {
    last = await staff.get(`/invoices/${id}`)
    return last.json.print_state !== 'pending'
  }, `the document ${id} on paper`)
  return last.json
}

/** Waits for the file of a document; returns the document, its file, and the words of each page and of all. */
export const printedInvoice = async (staff: Actor, id: string) => {
  const document = await settledInvoice(staff, id)
  if (document.file === null) throw new Error(`not printed: ${JSON.stringify(document.missing_characters)}`)
  const file = await fetched(document.file.url)
  if (file.status !== 200) throw new Error(`the link to the file answers with ${file.status}`)
  const pages = await readPdf(file.bytes)
  const texts = pages.map(page =>
    page
      .map(({ text }) => text)
      .join(' ')
      .replace(/\p{Cc}/gu, '')
      // No-break spaces of amounts, and the spaces between parts of a line.
      .replace(/[\s\u202f]+/g, ' '),
  )
  return { document, file, texts, text: texts.join('\n') }
}
