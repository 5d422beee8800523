import { type Html, html } from '#src/kit/html.ts'

/** Where a text of a form is shown as its readers would see it. */
export const PREVIEW = '/staff/texts/preview'

/** Where pictures of texts are stored. */
export const PICTURES = '/staff/texts/pictures'

const forAct = html` data-preview="act preview"`

/** The attributes by which the module `editor` opens the text of a lesson; its form has a button with the act `preview`. */
export const lessonEditor = html` data-editor="lesson" data-pictures="course ${PICTURES}"${forAct}`

/** The same of a post, which can have a fold. */
export const postEditor = html` data-editor="post" data-pictures="post ${PICTURES}"${forAct}`

/** The same of a text in a block of a page. */
export const blockEditor = (name: string): Html =>
  html` data-editor="page" data-preview="preview page:${name} ${PREVIEW}"`

/** The same of a text without pictures of its own, in a form that has no preview. */
export const plainEditor = (name: string): Html =>
  html` data-editor="plain" data-preview="preview plain:${name} ${PREVIEW}"`
