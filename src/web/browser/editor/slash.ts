import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { create } from './dom.ts'

/** Something that the menu behind a slash offers. */
export type Offer = { readonly label: string; readonly run: (view: EditorView) => void }

const findQuery = ({ state }: EditorView): string | undefined => {
  const { $from, empty } = state.selection
  if (!empty || $from.parent.type.name !== 'paragraph' || $from.parentOffset !== $from.parent.content.size)
    return undefined
  return /^\/([\p{L}\p{N} ]{0,20})$/u.exec($from.parent.textContent)?.[1]
}

let count = 0

/** A menu of what can be put into the text, at a slash in an empty line; it stays in the text, as a list of suggestions. */
export const slashMenu = (offers: readonly Offer[], label: string): Plugin => {
  count += 1
  const id = `editor-offers-${count}`
  const list = create('div', { role: 'listbox', class: 'editor-menu', id, 'aria-label': label })
  let shown: readonly Offer[] = []
  let at = 0
  let dismissed: string | undefined
  const hide = (view: EditorView): void => {
    shown = []
    list.remove()
    view.dom.removeAttribute('aria-controls')
    view.dom.removeAttribute('aria-activedescendant')
  }
  const choose = (view: EditorView, offer: Offer | undefined): void => {
    const { $from } = view.state.selection
    hide(view)
    view.dispatch(view.state.tr.delete($from.start(), $from.end()))
    offer?.run(view)
    view.focus()
  }
  const show = (view: EditorView): void => {
    const options = shown.map((offer, index) => {
      const option = create(
        'div',
        { role: 'option', id: `${id}-${index}`, 'aria-selected': String(index === at) },
        offer.label,
      )
      option.addEventListener('mousedown', event => {
        event.preventDefault()
        choose(view, offer)
      })
      return option
    })
    list.replaceChildren(...options)
    view.dom.after(list)
    view.dom.setAttribute('aria-controls', id)
    view.dom.setAttribute('aria-activedescendant', `${id}-${at}`)
    options[at]?.scrollIntoView({ block: 'nearest' })
    const around = list.offsetParent?.getBoundingClientRect()
    const caret = view.coordsAtPos(view.state.selection.from)
    if (around === undefined) return
    const isBelow = caret.bottom + list.offsetHeight < innerHeight || caret.top < list.offsetHeight
    list.style.top = `${(isBelow ? caret.bottom : caret.top - list.offsetHeight) - around.top}px`
    list.style.left = `${Math.max(0, Math.min(caret.left - around.left, around.width - list.offsetWidth))}px`
  }
  return new Plugin({
    view: () => ({
      update(view, before) {
        const query = findQuery(view)
        if (query === undefined || !view.hasFocus()) dismissed = undefined
        if (before.doc.eq(view.state.doc) && before.selection.eq(view.state.selection)) return
        const words = query?.trim().toLowerCase() ?? ''
        const found =
          query === undefined || query === dismissed
            ? []
            : offers.filter(offer => offer.label.toLowerCase().includes(words))
        if (found.length !== shown.length) at = 0
        shown = found
        if (shown.length > 0) show(view)
        else hide(view)
      },
      destroy: () => list.remove(),
    }),
    props: {
      handleKeyDown(view, event) {
        if (shown.length === 0) return false
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        if (step !== undefined) {
          at = (at + step + shown.length) % shown.length
          show(view)
          return true
        }
        if (event.key === 'Escape') {
          dismissed = findQuery(view)
          hide(view)
          return true
        }
        if (event.key !== 'Enter' && event.key !== 'Tab') return false
        choose(view, shown[at])
        return true
      },
      handleDOMEvents: {
        blur: view => {
          hide(view)
          return false
        },
      },
    },
  })
}
