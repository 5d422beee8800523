import type { Texts } from './row.ts'
import { make } from './row.ts'

const read = async (address: string): Promise<Element | null> => {
  const response = await fetch(address, { redirect: 'manual' })
  const page = new DOMParser().parseFromString(response.ok ? await response.text() : '', 'text/html')
  return page.getElementById('library')
}

/** Shows the library in a dialog; `choose` gets the value of a file. Where it cannot be read, its page is opened. */
export const openLibrary = async (address: string, texts: Texts, choose: (value: string) => void): Promise<void> => {
  const dialog = make('dialog', '', { class: 'library', 'aria-label': texts.library })
  const inside = make('div')
  const close = make('button', texts.close, { type: 'button', class: 'small' })
  const show = async (at: string): Promise<void> => {
    const found = await read(at)
    if (found === null) dialog.close()
    else inside.replaceChildren(document.adoptNode(found))
  }
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null) return
    event.preventDefault()
    const value = link.dataset.file
    if (value === undefined) void show(link.href)
    else {
      choose(value)
      dialog.close()
    }
  })
  dialog.addEventListener('submit', event => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const query = new URLSearchParams([...new FormData(form)].map(([name, text]) => [name, String(text)]))
    void show(`${form.action}?${query}`)
  })
  dialog.append(inside, close)
  document.body.append(dialog)
  dialog.showModal()
  await show(address)
}
