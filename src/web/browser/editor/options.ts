import type { Renderer } from './preview.ts'

/** What a text area says of its text. */
export type Options = {
  /** Whether a line `<!--more-->` divides it. */
  readonly fold: boolean
  /** Where pictures are stored, and what for; undefined where the text has none. */
  readonly pictures: { readonly action: string; readonly purpose: string } | undefined
  readonly renderer: Renderer | undefined
}

/** Reads them: `data-editor` is the kind of text, `data-pictures` has a purpose and an address, `data-preview` a field, its value and an address. */
export const readOptions = ({ dataset }: HTMLTextAreaElement, form: HTMLFormElement): Options => {
  const { editor = '', pictures, preview } = dataset
  const [purpose, action] = pictures?.split(' ') ?? []
  const [field, value, elsewhere] = preview?.split(' ') ?? []
  return {
    fold: editor === 'post',
    pictures: purpose === undefined || action === undefined ? undefined : { purpose, action },
    renderer:
      field === undefined || value === undefined ? undefined : { field, value, action: elsewhere ?? form.action },
  }
}
