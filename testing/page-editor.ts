import { Parser } from 'htmlparser2'
import { formatCookie } from './account-pages.ts'
import type { TestApp } from './app.ts'
import type { Browser } from './browser.ts'
import type { TestReply } from './http.ts'

/** The fields of a form, with every text and choice. */
export type Fields = readonly (readonly [string, string])[]

/** A file that is chosen in a field. */
type Chosen = { readonly name: string; readonly type: string; readonly bytes: Buffer }

/** Returns what the first form of a page that sends files contains, as a browser would send it without a button. */
export const editorFields = ({ text }: TestReply): { readonly action: string; readonly fields: Fields } => {
  const fields: [string, string][] = []
  let action: string | undefined
  let isInside = false
  let choice: { name: string; value: string | undefined } | undefined
  let area: [string, string] | undefined
  const parser = new Parser({
    onopentag: (element, attributes) => {
      const { name = '', value = '', type = 'text' } = attributes
      if (element === 'form' && attributes.enctype === 'multipart/form-data' && action === undefined) {
        action = attributes.action ?? ''
        isInside = true
      }
      if (!isInside) return
      const isChecked = type !== 'checkbox' || 'checked' in attributes
      if (element === 'input' && type !== 'file' && isChecked) fields.push([name, value])
      if (element === 'select') choice = { name, value: undefined }
      if (element === 'option' && choice !== undefined && (choice.value === undefined || 'selected' in attributes))
        choice.value = value
      if (element === 'textarea') area = [name, '']
    },
    ontext: part => {
      if (area !== undefined) area[1] += part
    },
    onclosetag: element => {
      if (element === 'form') isInside = false
      if (element === 'select' && choice !== undefined && isInside) fields.push([choice.name, choice.value ?? ''])
      if (element === 'select') choice = undefined
      // HTML drops the first line break of a text.
      if (element === 'textarea' && area !== undefined) fields.push([area[0], area[1].replace(/^\n/, '')])
      if (element === 'textarea') area = undefined
    },
  })
  parser.end(text)
  if (action === undefined) throw new Error(`no form with files on: ${text}`)
  return { action, fields }
}

/** Returns fields with these values in place of those that have their names; several values for a name that is an array. */
export const withFields = (
  fields: Fields,
  values: Readonly<Record<string, string | readonly string[]>>,
): [string, string][] => [
  ...fields.filter(([name]) => !(name in values)).map(([name, value]): [string, string] => [name, value]),
  ...Object.entries(values).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  ),
]

/** Sends fields and files as a browser does, and follows a redirect within the school. */
export const sendEditor = async (
  app: Pick<TestApp, 'send'>,
  browser: Browser,
  { action, fields }: { readonly action: string; readonly fields: Fields },
  files: Readonly<Record<string, Chosen>> = {},
): Promise<TestReply> => {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  for (const [name, { name: filename, type, bytes }] of Object.entries(files))
    body.append(name, new Blob([new Uint8Array(bytes)], { type }), filename)
  const request = new Response(body)
  const reply = await app.send({
    method: 'POST',
    path: action,
    headers: {
      accept: 'text/html',
      cookie: formatCookie(browser),
      'content-type': request.headers.get('content-type') ?? '',
    },
    body: Buffer.from(await request.arrayBuffer()),
  })
  const { location = '' } = reply.headers
  return reply.status === 303 && location.startsWith('/') ? browser.open(location.replace(/#.*$/, '')) : reply
}
