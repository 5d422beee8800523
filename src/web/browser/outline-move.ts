import { fillIn } from './texts.ts'

type Texts = Readonly<Record<'grabbed' | 'place' | 'dropped' | 'back', string>>

type Tools = {
  readonly texts: Texts
  say(text: string): void
  /** Stores a place; the outline is the one of the answer then. */
  drop(fields: Readonly<Record<string, string>>): Promise<boolean>
  focus(selector: string): void
}

/** A row that is on its way, and where it was. */
type Move = { readonly row: HTMLElement; readonly parent: Node; readonly next: Node | null }

type Dragged = { readonly grip: HTMLElement; readonly row: HTMLElement; readonly start: PointerEvent }

const FAR_PX = 5

const isSection = (row: HTMLElement): boolean => row.dataset.section !== undefined

const findRow = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-lesson], [data-section]') : null

const findGrip = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.grip') : null

const listRows = (row: HTMLElement): HTMLElement[] =>
  [...(row.parentElement?.children ?? [])].filter((one): one is HTMLElement => one instanceof HTMLElement)

const countPlace = (row: HTMLElement): number => listRows(row).indexOf(row)

const findSection = (row: HTMLElement): HTMLElement | null => row.closest<HTMLElement>('[data-section]')

const readName = (row: Element | null): string => row?.querySelector('bdi')?.textContent ?? ''

// Beyond the end of its section a lesson goes to the one next to it.
const shift = (row: HTMLElement, step: 1 | -1): void => {
  const beside = step < 0 ? row.previousElementSibling : row.nextElementSibling
  if (beside) {
    if (step < 0) beside.before(row)
    else beside.after(row)
    return
  }
  if (isSection(row)) return
  const section = findSection(row)
  const other = step < 0 ? section?.previousElementSibling : section?.nextElementSibling
  const list = other?.querySelector('.lessons')
  if (step < 0) list?.append(row)
  else list?.prepend(row)
}

const put = (row: HTMLElement, over: HTMLElement, y: number): void => {
  if (over === row || row.contains(over)) return
  const target = isSection(row) ? findSection(over) : over
  if (target === null || target === row) return
  if (!isSection(row) && isSection(target)) {
    target.querySelector('.lessons')?.prepend(row)
    return
  }
  const { top, height } = target.getBoundingClientRect()
  if (y < top + height / 2) target.before(row)
  else target.after(row)
}

const createMover = (outline: HTMLElement, { texts, say, drop, focus }: Tools) => {
  let move: Move | undefined
  const tell = (sentence: string, row: HTMLElement): void => {
    const section = isSection(row) ? '' : readName(findSection(row))
    say(fillIn(sentence, { name: readName(row), place: String(countPlace(row) + 1), section }))
  }
  const end = (): Move | undefined => {
    const ended = move
    move = undefined
    ended?.row.classList.remove('moving')
    return ended
  }
  return {
    isMoving: (): boolean => move !== undefined,
    tell,
    begin(row: HTMLElement): void {
      move = { row, parent: row.parentNode ?? outline, next: row.nextSibling }
      row.classList.add('moving')
    },
    putBack(): void {
      const ended = end()
      if (ended === undefined) return
      ended.parent.insertBefore(ended.row, ended.next)
      tell(texts.back, ended.row)
    },
    async finish(): Promise<void> {
      const ended = end()
      if (ended === undefined) return
      const { row, parent, next } = ended
      if (row.parentNode === parent && row.nextSibling === next) return tell(texts.back, row)
      const [kind, about] = isSection(row) ? ['section', row.dataset.section] : ['lesson', row.dataset.lesson]
      const [section = ''] = findSection(row)?.dataset.section?.split(' ') ?? []
      tell(texts.dropped, row)
      const isDone = await drop({ do: `place_${kind} ${about}`, section, position: String(countPlace(row)) })
      if (!isDone && row.isConnected) parent.insertBefore(row, next)
      focus(`[id="${row.id}"] .grip`)
    },
  }
}

type Mover = ReturnType<typeof createMover>

const moveByKeys = (outline: HTMLElement, mover: Mover, texts: Texts): void => {
  outline.addEventListener('keydown', event => {
    const grip = findGrip(event.target)
    const row = findRow(grip)
    const { key } = event
    if (grip === null || row === null || (!mover.isMoving() && key !== ' ')) return
    if (key === 'Tab') return mover.putBack()
    event.preventDefault()
    if (!mover.isMoving()) {
      mover.begin(row)
      mover.tell(texts.grabbed, row)
    } else if (key === ' ' || key === 'Enter') mover.finish()
    else if (key === 'Escape') mover.putBack()
    else if (key === 'ArrowUp' || key === 'ArrowDown') {
      shift(row, key === 'ArrowUp' ? -1 : 1)
      mover.tell(texts.place, row)
    }
    // A row that is put elsewhere loses the focus.
    grip.focus()
  })
  // Space opens a menu when it is released.
  outline.addEventListener('keyup', event => {
    if (event.key === ' ' && findGrip(event.target)) event.preventDefault()
  })
}

const ENDS = ['pointerup', 'pointercancel', 'keydown'] as const

const drag = (outline: HTMLElement, mover: Mover, { grip, row, start }: Dragged): void => {
  let isFar = false
  const track = ({ clientX, clientY }: PointerEvent): void => {
    isFar ||= Math.hypot(clientX - start.clientX, clientY - start.clientY) > FAR_PX
    if (!isFar) return
    if (!mover.isMoving()) mover.begin(row)
    const over = findRow(document.elementFromPoint(clientX, clientY))
    if (over !== null && outline.contains(over)) put(row, over, clientY)
  }
  const stop = (ended: Event): void => {
    if (ended instanceof KeyboardEvent && ended.key !== 'Escape') return
    window.removeEventListener('pointermove', track)
    for (const name of ENDS) window.removeEventListener(name, stop)
    if (!isFar) return
    // The release of a row that was dragged opens no menu.
    const keepClosed = (clicked: Event): void => clicked.preventDefault()
    grip.addEventListener('click', keepClosed, { once: true })
    setTimeout(() => grip.removeEventListener('click', keepClosed))
    if (ended.type === 'pointerup') mover.finish()
    else mover.putBack()
  }
  window.addEventListener('pointermove', track)
  for (const name of ENDS) window.addEventListener(name, stop)
}

/** Rows of an outline are moved by their grips: dragged, or by Space, arrows and Space again; Escape puts a row back. */
export const moveRows = (outline: HTMLElement, tools: Tools): void => {
  const mover = createMover(outline, tools)
  moveByKeys(outline, mover, tools.texts)
  outline.addEventListener('pointerdown', event => {
    const grip = findGrip(event.target)
    const row = findRow(grip)
    if (grip !== null && row !== null && event.button === 0 && !mover.isMoving())
      drag(outline, mover, { grip, row, start: event })
  })
}
