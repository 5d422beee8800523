// A part of what is being changed, before it is saved: the frame has the draft as it is stored.
const frame = document.querySelector<HTMLIFrameElement>('iframe[data-live]')
const form = document.querySelector<HTMLFormElement>(`#${frame?.dataset.live}`)

const dark = matchMedia('(prefers-color-scheme: dark)')

// The scheme of the page in the frame, which its address may name.
const isDark = (page: HTMLElement): boolean =>
  page.dataset.scheme === undefined ? dark.matches : page.dataset.scheme === 'dark'

const readSets = (control: HTMLElement): [name: string, value: string][] =>
  Object.entries<string>(JSON.parse(control.dataset.sets ?? '{}'))

// The custom properties that a control sets, of colors for one scheme.
const listSets = (control: Element, scheme: string): [name: string, value: string][] => {
  if (control instanceof HTMLSelectElement) {
    // Two fonts count while no pair is chosen.
    const isHidden = control.closest('.own-pair')?.checkVisibility() === false
    return isHidden ? [] : [...control.selectedOptions].flatMap(readSets)
  }
  if (!(control instanceof HTMLInputElement)) return []
  if (control.type === 'radio') return control.checked ? readSets(control) : []
  const { color } = control.dataset
  return color !== undefined && control.name.startsWith(scheme) ? [[color, control.value]] : []
}

const show = (): void => {
  const page = frame?.contentDocument?.documentElement
  // While a page is loaded there is none.
  if (!page || form === null) return
  const scheme = isDark(page) ? 'dark_' : 'light_'
  for (const control of form.elements)
    for (const [name, value] of listSets(control, scheme)) page.style.setProperty(name, value)
}

// Only pages of the preview can be in the frame.
const keepInside = (event: Event): void => {
  const link = (event.target as Element).closest('a')
  const below = frame?.getAttribute('src') ?? ''
  if (link !== null && !link.pathname.startsWith(below)) event.preventDefault()
}

if (frame !== null && form !== null) {
  form.addEventListener('input', show)
  dark.addEventListener('change', show)
  frame.addEventListener('load', () => {
    show()
    frame.contentDocument?.addEventListener('click', keepInside)
  })
  show()
  frame.contentDocument?.addEventListener('click', keepInside)
}
