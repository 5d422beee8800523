import { showToasts } from './toasts.ts'

/** Shows a notice of the server above the editor, with a button that undoes what it says, where that can be undone. */
export const showNotice = (notice: Element, undo?: { readonly label: string; run(): void }): void => {
  document.querySelector('#done, #complaint')?.remove()
  const place = document.querySelector('.said') ?? document.createElement('div')
  place.className = 'said'
  if (!place.isConnected) document.querySelector('.studio')?.before(place)
  if (undo) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = undo.label
    button.addEventListener('click', () => undo.run())
    notice.append(' ', button)
  }
  place.replaceChildren(notice)
  showToasts()
}

/** Loads the modules of a part of another page, and their sheets, that this page did not need before. */
export const loadMissing = ({ head }: Document): void => {
  for (const one of head.querySelectorAll('script[data-module], link[rel=stylesheet]')) {
    const source = one.getAttribute('src') ?? one.getAttribute('href')
    if (document.head.querySelector(`[src="${source}"], [href="${source}"]`)) continue
    const copy = document.createElement(one.localName)
    for (const { name, value } of one.attributes) copy.setAttribute(name, value)
    document.head.append(copy)
  }
}
