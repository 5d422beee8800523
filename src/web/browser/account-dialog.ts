const PREFIX = 'in-place-'
const REFERENCES = ['for', 'aria-describedby', 'aria-labelledby', 'aria-controls']

const addPrefix = (ids: string): string => ids.replaceAll(/\S+/g, id => PREFIX + id)

// Ids of the page behind it may be the same.
const prefixIds = (root: Element): void => {
  for (const element of root.querySelectorAll('[id]')) element.id = addPrefix(element.id)
  for (const name of REFERENCES)
    for (const element of root.querySelectorAll(`[${name}]`))
      element.setAttribute(name, addPrefix(element.getAttribute(name) ?? ''))
}

const createButton = (label: string, act: () => void): HTMLButtonElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  button.addEventListener('click', act)
  return button
}

const createDialog = (said: string, close: string): { dialog: HTMLDialogElement; place: HTMLElement } => {
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  const sentence = document.createElement('p')
  sentence.id = `${PREFIX}about`
  sentence.textContent = said
  dialog.setAttribute('aria-labelledby', sentence.id)
  const place = document.createElement('div')
  dialog.append(
    sentence,
    place,
    createButton(close, () => dialog.close()),
  )
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  return { dialog, place }
}

/** Says something in a dialog that is closed with a button. */
export const showInDialog = (said: string, close: string): void => createDialog(said, close).dialog.showModal()

// Only pages of the account are shown, which the server made for whoever has this browser.
const isAccountPage = (response: Response): boolean => {
  const { origin, pathname } = new URL(response.url)
  const isHtml = response.headers.get('content-type')?.startsWith('text/html') === true
  return isHtml && origin === location.origin && pathname.startsWith('/account/')
}

const fillPlace = (place: HTMLElement, text: string): void => {
  const main = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
  if (main === null) throw new Error('The page has no content.')
  prefixIds(main)
  // A link would lead away from what was typed.
  for (const link of main.querySelectorAll('a')) link.target = '_blank'
  place.replaceChildren(...main.childNodes)
  place.querySelector<HTMLElement>('input:not([type=hidden]), button')?.focus()
}

/**
 * Shows a page of the account in a dialog, with `said` above it, until its forms lead to the address `end`; false where the person
 * closes it. Rejects where a page cannot be shown.
 */
export const askInDialog = (address: string, end: string, said: string, close: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const { dialog, place } = createDialog(said, close)
    let isDone = false
    const load = async (target: string, init?: RequestInit): Promise<void> => {
      const response = await fetch(target, { ...init, headers: { accept: 'text/html' } })
      isDone = new URL(response.url).pathname === end
      if (isDone) return dialog.close()
      if (!isAccountPage(response)) throw new Error('The page is not one of the account.')
      fillPlace(place, await response.text())
    }
    const fail = (error: unknown): void => {
      reject(error)
      dialog.close()
    }
    dialog.addEventListener('close', () => resolve(isDone))
    dialog.addEventListener('submit', event => {
      event.preventDefault()
      event.stopPropagation()
      const form = event.target as HTMLFormElement
      const fields = [...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)])
      load(form.action, { method: 'POST', body: new URLSearchParams(fields) }).catch(fail)
    })
    dialog.showModal()
    load(address).catch(fail)
  })
