import { appendQuotation } from '#src/kit/quotation.ts'
import { readTexts } from './texts.ts'

const texts = readTexts<'selection'>('grading')
const form = document.querySelector<HTMLFormElement>('#grade')
const keys = document.querySelector<HTMLDetailsElement>('[data-keys]')
const quotes = [...document.querySelectorAll<HTMLButtonElement>('[data-quote]')]

const findSource = ({ dataset }: HTMLButtonElement): HTMLElement | null => document.getElementById(dataset.quote ?? '')

// What is selected of one text alone; empty otherwise.
const readSelection = (source: HTMLElement): string => {
  const selection = getSelection()
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return ''
  const range = selection.getRangeAt(0)
  return source.contains(range.commonAncestorContainer) ? selection.toString().trim() : ''
}

const findButton = (): HTMLButtonElement | undefined => {
  const isSelected = (button: HTMLButtonElement): boolean => {
    const source = findSource(button)
    return source !== null && readSelection(source) !== ''
  }
  return quotes.find(isSelected) ?? quotes[0]
}

// The field, or the editor that is open in its place, with the cursor at the end of the text.
const goOn = (area: HTMLTextAreaElement): void => {
  const editor = area.hidden ? area.closest('.editor')?.querySelector<HTMLElement>('[contenteditable]') : null
  if (editor === null || editor === undefined) {
    area.focus()
    area.setSelectionRange(area.value.length, area.value.length)
    return
  }
  editor.focus()
  const selection = getSelection()
  selection?.selectAllChildren(editor.lastElementChild ?? editor)
  selection?.collapseToEnd()
}

const quote = (button: HTMLButtonElement): void => {
  const source = findSource(button)
  const area = form?.elements.namedItem(button.value)
  if (source === null || !(area instanceof HTMLTextAreaElement)) return
  area.value = appendQuotation(area.value, readSelection(source) || (source.textContent ?? ''))
  area.dispatchEvent(new Event('input', { bubbles: true }))
  goOn(area)
}

const nameButtons = (): void => {
  for (const button of quotes) {
    const source = findSource(button)
    button.dataset.label ??= button.textContent ?? ''
    const label = source !== null && readSelection(source) !== '' ? texts.selection : button.dataset.label
    if (button.textContent !== label) button.textContent = label
  }
}

for (const button of quotes) {
  // A button that is pressed with a mouse takes the selection away.
  button.addEventListener('pointerdown', event => event.preventDefault())
  button.addEventListener('mousedown', event => event.preventDefault())
  button.addEventListener('click', event => {
    event.preventDefault()
    quote(button)
  })
}
document.addEventListener('selectionchange', nameButtons)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const findPoints = (): HTMLInputElement | null => form?.querySelector<HTMLInputElement>('input[name^="points"]') ?? null

const focusFeedback = (): void => {
  const area = form?.querySelector<HTMLTextAreaElement>('textarea[name^="feedback"]')
  if (area) goOn(area)
}

const follow = (rel: 'next' | 'prev'): void =>
  document.querySelector<HTMLElement>(`.page-head a[rel="${rel}"]`)?.click()

const acts: Readonly<Record<string, () => void>> = {
  j: () => follow('next'),
  k: () => follow('prev'),
  g: () => findPoints()?.select(),
  f: focusFeedback,
  q: () => {
    const button = findButton()
    if (button) quote(button)
  },
  r: () => form?.querySelector<HTMLElement>('button[value=return]')?.focus(),
  '?': () => {
    if (keys === null) return
    keys.open = !keys.open
    keys.querySelector<HTMLElement>('summary')?.focus()
  },
}

const send = (): void => {
  const button = form?.querySelector<HTMLButtonElement>('button.main[value=save_next]')
  if (button) form?.requestSubmit(button)
}

// A digit is the first one of the points.
const typePoints = (digit: string): void => {
  const field = findPoints()
  if (field === null) return
  field.value = digit
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
}

const handleKey = (event: KeyboardEvent): void => {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if (event.isComposing || document.querySelector('dialog[open]') !== null) return
  if (key === 'Enter' && (ctrlKey || metaKey) && !altKey) {
    event.preventDefault()
    send()
    return
  }
  if (ctrlKey || metaKey || altKey || isTyping(target)) return
  const act = /^[1-9]$/.test(key) ? () => typePoints(key) : acts[key.toLowerCase()]
  if (act === undefined) return
  event.preventDefault()
  act()
}

// Before the editor, in which Ctrl-Enter has another meaning.
document.addEventListener('keydown', handleKey, { capture: true })

if (keys !== null) keys.hidden = false
