import { readTexts } from './texts.ts'

const texts = readTexts<'drag'>('order')

type Row = { readonly form: HTMLFormElement; readonly row: HTMLTableRowElement }

let dragged: Row | undefined

const addHidden = (form: HTMLFormElement, name: string, value: string): void => {
  const field = document.createElement('input')
  Object.assign(field, { type: 'hidden', name, value })
  form.append(field)
}

const countPlace = ({ row }: Row): number => [...(row.parentElement?.children ?? [])].indexOf(row)

const startDragging = (one: Row, grip: HTMLElement): void => {
  const { form, row } = one
  const next = row.nextSibling
  const at = countPlace(one)
  grip.addEventListener('dragstart', event => {
    dragged = one
    event.dataTransfer?.setDragImage(row, 0, 0)
    row.classList.add('moving')
  })
  grip.addEventListener('dragend', ({ dataTransfer }) => {
    dragged = undefined
    row.classList.remove('moving')
    const to = countPlace(one)
    if (dataTransfer?.dropEffect === 'none') row.parentElement?.insertBefore(row, next)
    else if (to !== at) {
      addHidden(form, 'act', 'place')
      addHidden(form, 'to', String(to))
      form.requestSubmit()
    }
  })
}

const addGrip = (place: HTMLElement): void => {
  const [form, row] = [place.closest('form'), place.closest('tr')]
  if (form === null || row === null) return
  const grip = document.createElement('span')
  // Its buttons do the same with the keyboard and for screen readers.
  Object.assign(grip, { className: 'grip', draggable: true, title: texts.drag, textContent: '⠿', ariaHidden: 'true' })
  place.prepend(grip)
  startDragging({ form, row }, grip)
}

document.addEventListener('dragover', event => {
  const over = event.target instanceof Element ? event.target.closest('tr') : null
  if (dragged === undefined || over === null || over.parentElement !== dragged.row.parentElement) return
  event.preventDefault()
  if (over === dragged.row) return
  const { top, height } = over.getBoundingClientRect()
  if (event.clientY < top + height / 2) over.before(dragged.row)
  else over.after(dragged.row)
})
document.addEventListener('drop', event => {
  if (dragged !== undefined) event.preventDefault()
})

for (const place of document.querySelectorAll<HTMLElement>('[data-place]')) addGrip(place)
