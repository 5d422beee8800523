import { texts } from '#src/texts/index.ts'

/** The texts of the pages on which staff edit the pages of the site, in every language; `{…}` is filled in. */
export const editorText = texts.staff.pagesEditor.editor

/** The sentences for refusals on these pages. */
export const editorRefusals = texts.staff.pagesEditor.editorRefusals

/** The sentences for the fields of a page that are wrong. */
export const editorErrors = texts.staff.pagesEditor.editorErrors
