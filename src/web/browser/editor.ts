import { createEditor } from './editor/field.ts'
import type { EditorTexts } from './editor/words.ts'
import { OPENED } from './guard.ts'
import { readTexts } from './texts.ts'

const texts: EditorTexts = readTexts('editor')
const seen = new WeakSet<HTMLTextAreaElement>()

const createAll = (): void => {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-editor]')) {
    if (area.form !== null && !seen.has(area)) createEditor(area, area.form, texts)
    seen.add(area)
  }
}

createAll()
document.addEventListener(OPENED, createAll)
