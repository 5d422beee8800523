import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type FileUse, folded, hidden, renderForm } from '#src/web/page/index.ts'
import { renderFileForm, renderFilePart } from './file-form.ts'

/** The page with the form, and the token of its forms. */
type Place = { readonly language: Language; readonly request: { readonly path: string }; readonly token: string }

type Words<Name extends string> = Readonly<Record<Name, Phrase>>

type Pictured = {
  /** What the picture is uploaded for. */
  readonly purpose: FileUse['purpose']
  readonly revision: number
  /** The picture that it has. */
  readonly picture: { readonly url: string; readonly name: string } | null
  /** Whether it is seen, and not only its name. */
  readonly isSeen?: boolean
  /** The id of the form with the texts of the page, to which the file belongs. */
  readonly within?: string
}

/** The one picture of something, with forms that replace and remove it: they send `act` `picture` and `remove_picture`. */
export const picturePart = (
  { language, request, token }: Place,
  { purpose, picture, revision, isSeen = false, within }: Pictured,
  text: Words<'picture' | 'noPicture' | 'removePicture' | 'choosePicture' | 'upload'> & {
    readonly pictureHint?: Phrase
  },
): Html => {
  const remove = html`${hidden({ act: 'remove_picture', revision })}<button class="plain" type="submit">${fill(text.removePicture, language)}</button>`
  const shown = (one: { readonly url: string; readonly name: string }): Html =>
    isSeen
      ? html`<img class="thumbnail" src="${one.url}${one.url.includes('?') ? '&' : '?'}width=320" alt="">${renderForm(request.path, token, remove)}`
      : html`<div class="act"><a href="${one.url}"><bdi>${one.name}</bdi></a>${renderForm(request.path, token, remove)}</div>`
  const file = {
    language,
    purpose,
    id: 'picture-file',
    label: fill(text.choosePicture, language),
    button: fill(text.upload, language),
    accept: 'image/png,image/jpeg,image/webp',
    ...(text.pictureHint === undefined ? {} : { hint: fill(text.pictureHint, language) }),
  }
  return html`<section class="card" id="picture"><h2>${fill(text.picture, language)}</h2>
${picture === null ? html`<p>${fill(text.noPicture, language)}</p>` : shown(picture)}
${
  within === undefined
    ? renderFileForm({ ...file, action: request.path, token, fields: { act: 'picture', revision } })
    : renderFilePart({ ...file, within, act: 'picture' })
}</section>`
}

/** The folded form that deletes something: it sends `act` `delete`. */
export const deletePart = (
  { language, request, token }: Place,
  revision: number,
  text: Words<'remove' | 'removeAbout' | 'delete'>,
): Html => {
  const inside = html`${hidden({ act: 'delete', revision })}<p class="quiet">${fill(text.removeAbout, language)}</p>
<div class="buttons"><button type="submit">${fill(text.delete, language)}</button></div>`
  return folded(fill(text.remove, language), renderForm(request.path, token, inside))
}
