import { PaletteDialog } from './palette-dialog.ts'

const form = document.querySelector<HTMLFormElement>('form[data-palette]')
const field = form?.querySelector<HTMLInputElement>('input[name=q]')

if (form && field && 'showModal' in HTMLDialogElement.prototype) {
  const isApple = /mac|iphone|ipad/i.test(navigator.platform)
  const key = document.createElement('kbd')
  key.textContent = isApple ? '⌘ K' : 'Ctrl K'
  form.append(key)
  const palette = new PaletteDialog(form)
  document.addEventListener('keydown', event => {
    const isAsked = event.key.toLowerCase() === 'k' && (isApple ? event.metaKey : event.ctrlKey)
    if (!isAsked || event.shiftKey || event.altKey || event.defaultPrevented) return
    // In an editor the same keys make a link.
    if (event.target instanceof HTMLElement && (event.target.isContentEditable || event.target.matches('textarea')))
      return
    event.preventDefault()
    palette.open('')
  })
  // What is typed in the bar goes on in the palette.
  field.addEventListener('input', () => {
    const typed = field.value
    field.value = ''
    palette.open(typed)
  })
}
