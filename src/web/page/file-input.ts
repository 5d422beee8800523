import { libraryPurposes, maxBytesFor } from '#src/areas/files/index.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { PICTURES } from '#src/kit/media-types.ts'
import { texts } from '#src/texts/index.ts'
import { CHOOSE_PATH } from './declare.ts'
import type { FileUse } from './form-files.ts'

/** An input for files. */
export type FileInput = FileUse & {
  /** Unique on the page. */
  readonly id: string
  readonly name?: string
  readonly label: string | Html
  readonly hint?: string | undefined
  /** The types of files that the browser offers, such as `image/png,image/webp`; all of them without. */
  readonly accept?: string | undefined
  readonly isRequired?: boolean
  readonly isMany?: boolean
  /** The id of the form that it belongs to, where it stands elsewhere. */
  readonly within?: string
  /** Why the file that was chosen before is refused. */
  readonly error?: string | undefined
  /** The id of the element that says so, where that is not the id of the input with `-error`. */
  readonly errorId?: string
  /** The most bytes, where that is less than uploads for the purpose have. */
  readonly most?: number
  /** Whether files go with the form alone, since something is done with them before they are stored. */
  readonly isPlain?: boolean
  /** Whether it has to be a new file. */
  readonly isNew?: boolean
}

const text = texts.staff.uploads.control

// The most bytes of a form.
const FORM = 1_000_000_000

const isForPictures = (accept = ''): boolean =>
  accept !== '' && accept.split(',').every(type => PICTURES.includes(type))

// Undefined for what is in no library.
const buildLibraryAddress = ({ purpose, name = 'file', accept, isPlain, isNew }: FileInput): string | undefined => {
  if (isPlain === true || isNew === true || !libraryPurposes.some(one => one === purpose)) return undefined
  const kind = isForPictures(accept) ? 'picture' : /^(video|audio)\/\*$/.exec(accept ?? '')?.[1]
  return `${CHOOSE_PATH}?${new URLSearchParams({ purpose, field: name, ...(kind === undefined ? {} : { kind }) })}`
}

const renderUpload = (input: FileInput, language: Language, most: number): Html => {
  const { purpose, keepOriginal = false } = input
  const library = buildLibraryAddress(input)
  const limit = fill(text.limitOfUploads, language, { size: formatBytes(most, language) })
  return html` data-upload="${purpose}" data-most="${most}" data-limit="${limit}"${keepOriginal && html` data-keep`}${library !== undefined && html` data-library="${library}"`}`
}

/**
 * A labelled input for files, with what it takes. The module `upload` sends its files before the form, so that the form has only
 * what they are named by; without it they go with the form.
 */
export const renderFileInput = (input: FileInput, language: Language): Html => {
  const { id, name = 'file', label, hint, accept, error, isRequired = false, isMany = false, isPlain = false } = input
  const { within } = input
  const most = Math.min(input.most ?? Number.POSITIVE_INFINITY, maxBytesFor(input.purpose, isForPictures(accept)))
  const limit = fill(text.limit, language, { size: formatBytes(Math.min(FORM, most), language) })
  const { errorId = `${id}-error` } = input
  const isInvalid = error !== undefined
  return html`<div class="drop"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="file"${accept !== undefined && html` accept="${accept}"`}${isInvalid && html` aria-invalid="true"`} aria-describedby="${isInvalid && `${errorId} `}${id}-hint"${isMany && html` multiple`}${isRequired && html` required`}${within !== undefined && html` form="${within}"`}${!isPlain && renderUpload(input, language, most)}>
<p class="quiet hint" id="${id}-hint">${hint !== undefined && html`${hint} `}<span>${limit}</span></p></div>
${isInvalid && html`<p class="field-error" id="${errorId}">${error}</p>\n`}`
}

/** The button of a form that leads to the library and back, with what was typed; after the button of the form. */
export const renderLibraryButton = (input: FileInput, language: Language): Html | false => {
  const address = buildLibraryAddress(input)
  return (
    address !== undefined &&
    html`<button class="bare" type="submit" name="choose" value="${address}"${input.within !== undefined && html` form="${input.within}"`} formnovalidate>${fill(text.library, language)}</button>`
  )
}
