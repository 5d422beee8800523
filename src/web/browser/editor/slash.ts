import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { create, createId } from './dom.ts'

/** Something that the menu behind a slash offers. */
export type Offer = { readonly label: string; readonly run: (view: EditorView) => void }

type Menu = {
  readonly offers: readonly Offer[]
  readonly list: HTMLElement
  /** What fits what was typed behind the slash; empty while the menu is closed. */
  shown: readonly Offer[]
  /** The one of them that Enter takes. */
  at: number
  /** What was typed when the menu was closed with Escape. */
  dismissed: string | undefined
}

const findQuery = ({ state }: EditorView): string | undefined => {
  const { $from, empty } = state.selection
  if (!empty || $from.parent.type.name !== 'paragraph' || $from.parentOffset !== $from.parent.content.size)
    return undefined
  return /^\/([\p{L}\p{N} ]{0,20})$/u.exec($from.parent.textContent)?.[1]
}

const hide = (menu: Menu, view: EditorView): void => {
  menu.shown = []
  menu.list.remove()
  view.dom.removeAttribute('aria-controls')
  view.dom.removeAttribute('aria-activedescendant')
}

const choose = (menu: Menu, view: EditorView, offer: Offer | undefined): void => {
  const { $from } = view.state.selection
  hide(menu, view)
  view.dispatch(view.state.tr.delete($from.start(), $from.end()))
  offer?.run(view)
  view.focus()
}

// Below the line, or above it where the window ends.
const place = ({ list }: Menu, view: EditorView): void => {
  const around = list.offsetParent?.getBoundingClientRect()
  if (around === undefined) return
  const caret = view.coordsAtPos(view.state.selection.from)
  const isBelow = caret.bottom + list.offsetHeight < innerHeight || caret.top < list.offsetHeight
  list.style.top = `${(isBelow ? caret.bottom : caret.top - list.offsetHeight) - around.top}px`
  list.style.left = `${Math.max(0, Math.min(caret.left - around.left, around.width - list.offsetWidth))}px`
}

const show = (menu: Menu, view: EditorView): void => {
  const { list, shown, at } = menu
  const options = shown.map((offer, index) => {
    const attributes = { role: 'option', id: `${list.id}-${index}`, 'aria-selected': String(index === at) }
    const option = create('div', attributes, offer.label)
    option.addEventListener('mousedown', event => {
      event.preventDefault()
      choose(menu, view, offer)
    })
    return option
  })
  list.replaceChildren(...options)
  view.dom.after(list)
  view.dom.setAttribute('aria-controls', list.id)
  view.dom.setAttribute('aria-activedescendant', `${list.id}-${at}`)
  place(menu, view)
}

const follow = (menu: Menu, view: EditorView): void => {
  const query = findQuery(view)
  if (query === undefined) menu.dismissed = undefined
  const words = query?.trim().toLowerCase() ?? ''
  const isOpen = query !== undefined && query !== menu.dismissed
  const found = isOpen ? menu.offers.filter(({ label }) => label.toLowerCase().includes(words)) : []
  if (found.length !== menu.shown.length) menu.at = 0
  menu.shown = found
  if (found.length > 0) show(menu, view)
  else hide(menu, view)
}

const press = (menu: Menu, view: EditorView, { key }: KeyboardEvent): boolean => {
  const { length } = menu.shown
  if (length === 0) return false
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step !== undefined) {
    menu.at = (menu.at + step + length) % length
    show(menu, view)
  } else if (key === 'Escape') {
    menu.dismissed = findQuery(view)
    hide(menu, view)
  } else if (key === 'Enter' || key === 'Tab') choose(menu, view, menu.shown[menu.at])
  else return false
  return true
}

/** A menu of what can be put into the text, at a slash in an empty line; the focus stays in the text. */
export const slashMenu = (offers: readonly Offer[], label: string): Plugin => {
  const id = createId()
  const list = create('div', { role: 'listbox', class: 'editor-menu', id, 'aria-label': label })
  const menu: Menu = { offers, list, shown: [], at: 0, dismissed: undefined }
  return new Plugin({
    view: () => ({
      update(view, before) {
        if (!before.doc.eq(view.state.doc) || !before.selection.eq(view.state.selection)) follow(menu, view)
      },
      destroy: () => list.remove(),
    }),
    props: {
      handleKeyDown: (view, event) => press(menu, view, event),
      handleDOMEvents: {
        blur: view => {
          hide(menu, view)
          return false
        },
      },
    },
  })
}
