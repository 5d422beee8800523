import { fillIn, readTexts } from './texts.ts'

const WAIT_MS = 300
const SECTION = 'section.card.flush'
const texts = readTexts<'one' | 'many' | 'every'>('list')

// The boxes of a list, the bar for what is chosen, and the box that chooses all on the page.
const showChosen = (section: Element): void => {
  const bar = section.querySelector<HTMLElement>('form.bulk')
  const head = section.querySelector<HTMLElement>('thead .c-tick')
  const boxes = [...section.querySelectorAll<HTMLInputElement>('tbody .c-tick input')]
  if (bar === null || head === null || boxes.length === 0) return
  const every = document.createElement('input')
  every.type = 'checkbox'
  every.setAttribute('aria-label', texts.every)
  head.replaceChildren(every)
  const said = bar.querySelector<HTMLElement>('[data-chosen]')
  const all = bar.querySelector<HTMLInputElement>('[name=all]')
  const update = (): void => {
    const count = boxes.filter(box => box.checked).length
    bar.hidden = count === 0 && all?.checked !== true
    every.checked = count === boxes.length
    every.indeterminate = count > 0 && count < boxes.length
    if (said !== null) said.textContent = count === 1 ? texts.one : fillIn(texts.many, { n: String(count) })
  }
  every.addEventListener('change', () => {
    for (const box of boxes) box.checked = every.checked
    update()
  })
  section.addEventListener('change', update)
  update()
}

// The list as it is for other words, with the field in which they are typed left as it is.
const showFound = async (form: HTMLFormElement, address: string, signal: AbortSignal): Promise<void> => {
  const reply = await fetch(address, { signal })
  const found = new DOMParser().parseFromString(await reply.text(), 'text/html').querySelector(SECTION)
  const section = form.closest(SECTION)
  const place = found?.querySelector('form.search')
  const field = form.querySelector<HTMLInputElement>('[type=search]')
  if (!reply.ok || found === null || section === null || place == null || field === null) return
  const at = field.selectionStart
  const isFocused = document.activeElement === field
  place.replaceWith(form)
  section.replaceWith(document.adoptNode(found))
  if (isFocused) field.focus()
  field.setSelectionRange(at, at)
  history.replaceState(null, '', address)
  showChosen(found)
}

const searchWhileTyping = (form: HTMLFormElement): void => {
  let timer = 0
  let running = new AbortController()
  form.addEventListener('input', () => {
    clearTimeout(timer)
    running.abort()
    timer = window.setTimeout(() => {
      running = new AbortController()
      const query = new URLSearchParams(
        [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]),
      )
      showFound(form, `${form.action.replace(/\?.*/, '')}?${query}`, running.signal).catch(() => {})
    }, WAIT_MS)
  })
}

for (const section of document.querySelectorAll(SECTION)) showChosen(section)
for (const form of document.querySelectorAll<HTMLFormElement>(`${SECTION} .filters form.search`))
  searchWhileTyping(form)
