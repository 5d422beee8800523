import { create, moveFocus } from './dom.ts'

/** An entry of a menu. */
export type Entry = { readonly label: string; readonly isOn?: boolean; readonly run: () => void }

/** Opens a menu below its button, and closes it when something is chosen, with Escape, or when the focus leaves it. */
export const openMenu = (button: HTMLElement, entries: readonly Entry[]): void => {
  const isChoice = entries.some(({ isOn }) => isOn !== undefined)
  let isOpen = true
  // What is removed loses the focus, which closes it once more.
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    menu.remove()
    button.setAttribute('aria-expanded', 'false')
  }
  const items = entries.map(({ label, isOn, run }) => {
    const item = create(
      'button',
      {
        type: 'button',
        role: isChoice ? 'menuitemradio' : 'menuitem',
        tabindex: '-1',
        'aria-checked': isChoice ? String(isOn === true) : undefined,
      },
      label,
    )
    item.addEventListener('click', () => {
      close()
      run()
    })
    return item
  })
  const menu = create(
    'div',
    { role: 'menu', class: 'editor-menu', 'aria-label': button.getAttribute('aria-label') ?? '' },
    ...items,
  )
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape') {
      moveFocus(event, items, 'column')
      return
    }
    event.stopPropagation()
    close()
    button.focus()
  })
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) close()
  })
  button.setAttribute('aria-expanded', 'true')
  button.after(menu)
  ;(items.find(item => item.getAttribute('aria-checked') === 'true') ?? items[0])?.focus()
}
