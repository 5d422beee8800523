import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { findForm, readAttribute } from './refill.ts'

/**
 * A file of a form, on this computer's disk until the form is answered, since its size is known only at its end; or one that was
 * uploaded before the form was sent.
 */
export type FormFile = {
  /** The name of the field. */
  readonly field: string
  readonly name: string
  readonly type: string
  readonly path: string
  readonly bytes: number
  /** Its id as an upload or a file, once it has one; a file that was uploaded before has no path. */
  stored?: string
}

/** A form with the files that were chosen, also those that are empty. */
export type FormWithFiles = { readonly form: Pairs; readonly files: readonly FormFile[] }

const PREFIX = 'upload.'
const VALUE = /^((?:upl|fil)_[0-9a-z]{26}) (\d{1,13}) ([^\0\r\n]{1,1000})$/

/** What the field `upload.` and the name of an input says of a file that is uploaded: its id, size and name. */
export const writeUploaded = ({
  id,
  bytes,
  name,
}: {
  readonly id: string
  readonly bytes: number
  readonly name: string
}) => `${id} ${bytes} ${name}`

const readUploaded = (name: string, value: string): FormFile[] => {
  const [, stored, bytes, filename = ''] = VALUE.exec(value) ?? []
  if (!name.startsWith(PREFIX) || stored === undefined) return []
  return [{ field: name.slice(PREFIX.length), name: filename, type: '', path: '', bytes: Number(bytes), stored }]
}

/** The files that were uploaded before a form was sent. What they are is only what the form says. */
export const uploadedIn = (form: Pairs): readonly FormFile[] =>
  form.flatMap(([name, value]) => readUploaded(name, value)).slice(0, 20)

/** A file of the library that was chosen for a form, from the query of its page: the name of the input before it. */
export const chosenIn = (query: string): Pairs =>
  new URLSearchParams(query).getAll('library_file').flatMap(text => {
    const at = text.indexOf(' ')
    return at < 1 ? [] : [[`${PREFIX}${text.slice(0, at)}`, text.slice(at + 1)] as const]
  })

const renderUploaded = ({ field, bytes, name, stored = '' }: FormFile, form: string | undefined): Html =>
  html`<li class="file"><label><input type="checkbox" name="${PREFIX}${field}" value="${writeUploaded({ id: stored, bytes, name })}"${form !== undefined && html` form="${form}"`} checked> <bdi>${name}</bdi></label></li>
`

const insertBeside = (part: string, files: readonly FormFile[], isOwn: (input: string) => boolean): string =>
  part.replace(/<input\b[^>]*\btype="file"[^>]*>/g, input => {
    const own = files.filter(({ field }) => field === readAttribute(input, 'name'))
    if (own.length === 0 || !isOwn(input)) return input
    const kept = /\smultiple\b/.test(input) ? own : own.slice(0, 1)
    const form = readAttribute(input, 'form')
    return `${input.replace(/\srequired\b/, '')}${html`<ul class="uploaded">\n${kept.map(one => renderUploaded(one, form))}</ul>`.html}`
  })

/** Puts files that are uploaded beside the inputs of a form that they were chosen in, each with a box that keeps it. */
export const insertUploaded = (body: string, path: string, typed: Pairs, files: readonly FormFile[]): string => {
  const found = findForm(body, path, typed)
  if (found === undefined || files.length === 0) return body
  const { at, text } = found
  const id = readAttribute(text.slice(0, text.indexOf('>')), 'id')
  const isOutside = (input: string): boolean => id !== undefined && readAttribute(input, 'form') === id
  const [before, after] = [body.slice(0, at), body.slice(at + text.length)]
  return `${insertBeside(before, files, isOutside)}${insertBeside(text, files, () => true)}${insertBeside(after, files, isOutside)}`
}

/** The page of a form that was refused, with the files that are stored, which need not be chosen again. */
export const keepUploaded = (reply: Reply, path: string, { form: typed, files }: FormWithFiles): Reply => {
  const { body, status } = reply
  // What a notice says was attached is not chosen any more.
  if (typeof body !== 'string' || status === 303 || body.includes(' id="kept"')) return reply
  // Some pages name them already.
  const missing = files.filter(({ stored }) => stored !== undefined && !body.includes(stored.slice(4)))
  return { ...reply, body: insertUploaded(body, path, typed, missing) }
}
