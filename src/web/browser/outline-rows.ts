/** Keeps the forms for new rows that are open and were not sent, in the outline that takes its place. */
export const keepForms = (outline: Element, next: Element, sent?: HTMLFormElement): void => {
  for (const form of outline.querySelectorAll<HTMLFormElement>('form.inline-add')) {
    if (form === sent) continue
    const id = form.closest('li[id], div[id]')?.id
    next.querySelector(`[id="${id}"] > :is(.add, .inline-add)`)?.replaceWith(form)
  }
}

const findField = (form: HTMLFormElement, name: string): HTMLInputElement | null =>
  form.querySelector<HTMLInputElement>(`input[name="${name}"]`)

/** The revisions of the lessons of an outline, by their ids. */
export const readRevisions = (outline: Element): ReadonlyMap<string, string> =>
  new Map(
    [...outline.querySelectorAll<HTMLElement>('[data-lesson]')].map(({ id, dataset }) => [
      id,
      dataset.lesson?.split(' ')[1] ?? '',
    ]),
  )

/** What a form of the outline changed of a lesson whose own form has unsaved changes is no change of somebody else. */
export const syncForm = (form: HTMLFormElement, outline: Element, before: ReadonlyMap<string, string>): void => {
  const id = form.dataset.about ?? ''
  const next = readRevisions(outline).get(id)
  const [revision, name] = [findField(form, 'revision'), findField(form, 'name')]
  if (next === undefined || revision === null || name === null || revision.value !== before.get(id)) return
  revision.value = next
  const shown = outline.querySelector(`[id="${id}"] a bdi`)?.textContent ?? name.value
  if (name.value === name.defaultValue) name.value = shown
  name.defaultValue = shown
}

/** A name is changed where it stands, after a double click: Enter stores it, and Escape or leaving keeps the old one. */
export const renameRows = (
  outline: HTMLElement,
  send: (fields: Readonly<Record<string, string>>) => Promise<boolean>,
): void => {
  outline.addEventListener('dblclick', event => {
    const name = event.target instanceof Element ? event.target.closest<HTMLElement>('.sec bdi, .les a bdi') : null
    const row = name?.closest<HTMLElement>('[data-lesson], [data-section]')
    if (!name || !row) return
    event.preventDefault()
    const kind = row.dataset.lesson === undefined ? 'section' : 'lesson'
    const before = name.textContent ?? ''
    const input = document.createElement('input')
    Object.assign(input, { value: before, maxLength: 200, ariaLabel: before })
    input.dataset.rename = ''
    const line = name.closest<HTMLElement>('a, h2') ?? name
    const close = (): void => {
      // What is removed loses the focus, which closes it once more.
      if (line.hidden === false) return
      line.hidden = false
      input.remove()
    }
    input.addEventListener('keydown', async pressed => {
      pressed.stopPropagation()
      if (pressed.key === 'Escape') close()
      if (pressed.key !== 'Enter') return
      const { value } = input
      close()
      const about = row.dataset.lesson ?? row.dataset.section ?? ''
      if (value.trim() !== '' && value !== before) await send({ do: `rename_${kind} ${about}`, name: value })
    })
    input.addEventListener('blur', close)
    line.hidden = true
    line.after(input)
    input.select()
  })
}
