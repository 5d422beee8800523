import type { ActionName } from './commands.ts'

/** What the editor says, in the language of the page. */
export type EditorTexts = Readonly<
  Record<
    | ActionName
    | 'toolbar'
    | 'heading'
    | 'link'
    | 'picture'
    | 'more'
    | 'preview'
    | 'markdown'
    | 'offers'
    | 'address'
    | 'setLink'
    | 'removeLink'
    | 'cancel'
    | 'alt'
    | 'altHint'
    | 'removePicture'
    | 'uploading'
    | 'uploaded'
    | 'notUploaded'
    | 'onlyMarkdown'
    | 'noPreview'
    | 'foldHere',
    string
  >
>
