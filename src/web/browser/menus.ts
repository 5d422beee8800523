const MENU = 'details.menu'

const findMenu = (target: EventTarget | null): HTMLDetailsElement | null =>
  target instanceof Element ? target.closest<HTMLDetailsElement>(MENU) : null

const listItems = (menu: HTMLDetailsElement): HTMLElement[] =>
  [...menu.querySelectorAll<HTMLElement>(':is(a[href], button, input, select):not(:disabled)')].filter(
    item => item.offsetParent !== null,
  )

const closeOthers = (kept: HTMLDetailsElement | null): void => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(`${MENU}[open]`))
    if (menu !== kept && !menu.contains(kept)) menu.open = false
}

const close = (menu: HTMLDetailsElement): void => {
  menu.open = false
  menu.querySelector('summary')?.focus()
}

const chooseItem = (key: string, items: readonly HTMLElement[]): HTMLElement | undefined => {
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(at < 0 ? -1 : at - 1)
  if (key === 'Home') return items[0]
  return key === 'End' ? items.at(-1) : undefined
}

// Arrows change what is typed or chosen in a field.
const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, select, textarea')

const handleKey = (event: KeyboardEvent): void => {
  const menu = findMenu(event.target)
  if (menu === null || event.defaultPrevented) return
  if (event.key === 'Escape' && menu.open) {
    event.preventDefault()
    close(menu)
    return
  }
  if (isField(event.target) || !/^(?:Arrow(?:Up|Down)|Home|End)$/.test(event.key)) return
  const isOnSummary = event.target instanceof Element && event.target.matches('summary')
  if (!menu.open && !(isOnSummary && event.key.startsWith('Arrow'))) return
  menu.open = true
  event.preventDefault()
  chooseItem(event.key, listItems(menu))?.focus()
}

/** Menus close outside of them and by Escape, one is open at a time, and arrows move within it. */
export const openMenus = (): void => {
  document.addEventListener('keydown', handleKey)
  document.addEventListener('click', event => closeOthers(findMenu(event.target)))
  document.addEventListener('keyup', event => {
    if (event.key === 'Tab') closeOthers(findMenu(document.activeElement))
  })
}
