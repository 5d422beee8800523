import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { create } from './dom.ts'
import { schema } from './schema.ts'
import type { EditorTexts } from './words.ts'

const { link } = schema.marks

// The whole link at the selection, of which perhaps only a part is selected.
const findLink = ({ state }: EditorView): { from: number; to: number; href: string } => {
  const { from, to, empty, $from } = state.selection
  const mark =
    link.isInSet(($from.parent.maybeChild($from.index()) ?? $from.nodeBefore)?.marks ?? []) ??
    link.isInSet($from.marks())
  if (mark === undefined) return { from, to, href: '' }
  if (!empty) return { from, to, href: mark.attrs.href }
  let [start, end] = [from, to]
  const has = (at: number): boolean =>
    state.doc.rangeHasMark(at, at + 1, link) && mark.isInSet(state.doc.nodeAt(at)?.marks ?? [])
  while (start > $from.start() && has(start - 1)) start -= 1
  while (end < $from.end() && has(end)) end += 1
  return { from: start, to: end, href: mark.attrs.href }
}

const normalizeAddress = (typed: string): string => {
  if (/^[^\s/@:]+@[^\s/@:]+\.[^\s/@:]+$/.test(typed)) return `mailto:${typed}`
  return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#]|$)/u.test(typed) ? `https://${typed}` : typed
}

const setLink = (view: EditorView, { from, to }: { from: number; to: number }, href: string): void => {
  const { tr } = view.state
  if (href === '') tr.removeMark(from, to, link)
  else if (from === to) tr.replaceWith(from, to, schema.text(href, [link.create({ href })]))
  else tr.removeMark(from, to, link).addMark(from, to, link.create({ href }))
  if (from === to) tr.setSelection(TextSelection.near(tr.doc.resolve(tr.mapping.map(to))))
  view.dispatch(tr.removeStoredMark(link))
}

/** Asks for the address of a link in a dialog, and sets, changes or removes the link at the selection. */
export const askForLink = (view: EditorView, texts: EditorTexts): void => {
  if (view.state.selection.$from.parent.type.spec.code === true) return
  const found = findLink(view)
  const input = create('input', { type: 'text', inputmode: 'url', autocomplete: 'off', maxlength: '2000', dir: 'ltr' })
  input.value = found.href
  const set = create('button', { type: 'submit', class: 'main', value: 'set' }, texts.setLink)
  const remove = create('button', { type: 'submit', value: 'remove' }, texts.removeLink)
  const cancel = create('button', { type: 'submit', value: '', formnovalidate: true }, texts.cancel)
  const buttons = create('div', { class: 'buttons row' }, set, ...(found.href === '' ? [] : [remove]), cancel)
  const form = create('form', { method: 'dialog' }, create('label', {}, texts.address, input), buttons)
  const dialog = create('dialog', { class: 'editor-dialog', 'aria-label': texts.link }, form)
  dialog.addEventListener('close', () => {
    const address = normalizeAddress(input.value.trim())
    if (dialog.returnValue === 'set') setLink(view, found, address)
    if (dialog.returnValue === 'remove') setLink(view, found, '')
    dialog.remove()
    view.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
  input.select()
}
