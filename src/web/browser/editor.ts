import { createEditor } from './editor/field.ts'
import type { EditorTexts } from './editor/words.ts'
import { readTexts } from './texts.ts'

const texts: EditorTexts = readTexts('editor')
for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-editor]'))
  if (area.form !== null) createEditor(area, area.form, texts)
