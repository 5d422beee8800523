import { OPENED, SIGN_IN } from './guard.ts'
import { fillIn, readTexts } from './texts.ts'
import { createItem, type Item, type Rules, type Source } from './upload/item.ts'
import { type Kept, readKept, writeKept } from './upload/kept.ts'
import { openLibrary } from './upload/library.ts'
import { formatPart, make, makeRow, type Texts } from './upload/row.ts'
import { discard, readUpload } from './upload/transfer.ts'

const texts = readTexts<keyof Texts>('upload')

// One file is sent at a time, so that each is there as early as it can be.
let last: Promise<void> = Promise.resolve()

const inTurn = (work: () => Promise<void>): void => {
  last = last.then(work, work)
}

/** An input with the files that were chosen in it. */
type Place = {
  readonly input: HTMLInputElement
  readonly form: HTMLFormElement
  readonly list: HTMLUListElement
  readonly rules: Rules
  readonly isRequired: boolean
  items: Item[]
  /** The button of the form, where the form waits for files. */
  held: HTMLElement | null | undefined
}

const readRules = (input: HTMLInputElement): Rules => ({
  purpose: input.dataset.upload ?? '',
  keep: input.dataset.keep !== undefined,
  most: Number(input.dataset.most),
  accept: input.accept,
  field: input.name,
  form: input.getAttribute('form'),
  texts,
})

// With what waits to be chosen again.
const remember = ({ input, items, list }: Place): void => {
  const own = items.flatMap(({ id, file }): Kept[] => (id?.startsWith('upl_') ? [{ id, ...file }] : []))
  const offered = readKept(input).filter(({ id }) => list.querySelector(`[data-id="${id}"]`) !== null)
  writeKept(input, [...own, ...offered])
}

const release = (place: Place): void => {
  const { form, held } = place
  if (held === undefined) return
  place.held = undefined
  form.querySelector('.upload-holds')?.remove()
  if (place.items.every(({ state }) => state === 'ready')) form.requestSubmit(held)
}

// Whoever sends a form that waits for a file is asked to sign in, without which the file is not sent.
const askFor = ({ held, items }: Place): void => {
  if (held !== undefined && items.some(({ isSignedOut }) => isSignedOut)) document.dispatchEvent(new Event(SIGN_IN))
}

const update = (place: Place): void => {
  const { input, isRequired } = place
  place.items = place.items.filter(({ state }) => state !== 'gone')
  input.required = isRequired && place.items.length === 0
  remember(place)
  if (place.items.every(({ state }) => state !== 'waits')) release(place)
  else askFor(place)
}

const removeOthers = ({ input, items, list }: Place): void => {
  if (input.multiple) return
  for (const { element } of items) element.querySelector('button')?.click()
  for (const box of list.parentElement?.querySelectorAll<HTMLInputElement>('.uploaded input') ?? []) box.checked = false
}

const add = (place: Place, source: Source): void => {
  removeOthers(place)
  const item = createItem(source, place.rules, () => update(place))
  place.items = [...place.items, item]
  place.list.append(item.element)
  update(place)
  if (item.state === 'waits') inTurn(() => item.run())
}

// A file that was chosen again goes on where it was.
const addFiles = (place: Place, files: Iterable<File>): void => {
  const kept = readKept(place.input)
  const chosen = [...files]
  for (const file of place.input.multiple ? chosen : chosen.slice(0, 1)) {
    const before = kept.find(
      one => one.name === file.name && one.size === file.size && one.lastModified === file.lastModified,
    )
    place.list.querySelector(`[data-id="${before?.id}"]`)?.remove()
    add(place, { file, id: before?.id })
  }
}

const offerAgain = (place: Place, { id, name, size }: Kept, received: number): void => {
  const row = makeRow(name, { bytes: size, texts }, () => {
    row.element.remove()
    writeKept(
      place.input,
      readKept(place.input).filter(one => one.id !== id),
    )
    discard(id).catch(() => undefined)
  })
  row.element.dataset.id = id
  row.say(fillIn(texts.again, { name, percent: formatPart(received, size) }))
  row.offer(texts.chooseAgain, () => place.input.click())
  place.list.append(row.element)
}

// What is stored is part of the form again; the rest of what is not has to be chosen again.
const restore = async (place: Place): Promise<void> => {
  const kept = readKept(place.input)
  const named = new Set(
    [...place.form.elements].map(element => 'value' in element && String(element.value).slice(0, 30)),
  )
  const uploads = await Promise.all(
    kept.filter(({ id }) => !named.has(id)).map(one => readUpload(one.id).catch(() => undefined)),
  )
  const found = uploads.filter(upload => upload !== undefined)
  // What waits to be chosen again, or goes with the form, is seen.
  if (found.length > 0) place.list.closest('details')?.setAttribute('open', '')
  for (const upload of found) {
    const one = kept.find(({ id }) => id === upload.id)
    if (one !== undefined && upload.status !== 'ready' && upload.status !== 'rejected')
      offerAgain(place, one, upload.received)
  }
  for (const upload of found) if (upload.status === 'ready') add(place, { stored: upload })
}

const hold = (place: Place, event: SubmitEvent): void => {
  if (event.submitter?.getAttribute('name') === 'choose') return
  if (place.items.some(({ state }) => state === 'waits')) {
    event.preventDefault()
    place.held = event.submitter
    if (place.form.querySelector('.upload-holds') === null)
      place.form.append(make('p', texts.holds, { class: 'quiet upload-holds', role: 'status' }))
    askFor(place)
    return
  }
  writeKept(place.input, [])
}

const listenToDrops = (place: Place): void => {
  const { input } = place
  const target = input.closest('.drop') ?? input
  target.addEventListener('dragover', event => {
    event.preventDefault()
    target.classList.add('over')
  })
  target.addEventListener('dragleave', () => target.classList.remove('over'))
  target.addEventListener('drop', event => {
    event.preventDefault()
    target.classList.remove('over')
    addFiles(place, (event as DragEvent).dataTransfer?.files ?? [])
  })
  place.form.addEventListener('paste', event => {
    const files = [...(event.clipboardData?.files ?? [])]
    const first = [...place.form.elements].find(one => one.matches('input[type=file][data-upload]'))
    if (event.defaultPrevented || files.length === 0 || first !== input) return
    event.preventDefault()
    addFiles(place, files)
  })
}

const chooseFromLibrary = (place: Place, address: string): Promise<void> =>
  openLibrary(address, texts, value => {
    const [, id = '', bytes = '0', name = ''] = /^(fil_\w+) (\d+) (.+)$/.exec(value) ?? []
    add(place, {
      stored: { id, name, bytes: Number(bytes), received: 0, status: 'ready', is_resumable: false, picture: null },
    })
  })

const offerLibrary = (place: Place): void => {
  const { input, form } = place
  const address = input.dataset.library
  if (address === undefined) return
  const own = [...form.elements].find(
    one => one instanceof HTMLButtonElement && one.name === 'choose' && one.value === address,
  )
  const button = own ?? make('button', texts.library, { type: 'button', class: 'bare' })
  if (own === undefined) input.after(button)
  button.addEventListener('click', event => {
    event.preventDefault()
    void chooseFromLibrary(place, address)
  })
}

const enhance = (input: HTMLInputElement): void => {
  const { form } = input
  if (form === null) return
  const list = make('ul', '', { class: 'files' })
  const place: Place = {
    input,
    form,
    list,
    rules: readRules(input),
    isRequired: input.required,
    items: [],
    held: undefined,
  }
  const limit = document.querySelector(`#${CSS.escape(input.id)}-hint span`)
  if (limit !== null) limit.textContent = `${texts.drop}. ${input.dataset.limit ?? ''}`
  ;(input.closest('.drop') ?? input).after(list)
  input.addEventListener('change', () => {
    addFiles(place, [...(input.files ?? [])])
    input.value = ''
  })
  form.addEventListener('submit', event => hold(place, event))
  listenToDrops(place)
  offerLibrary(place)
  void restore(place)
}

const seen = new WeakSet<HTMLInputElement>()

const enhanceAll = (): void => {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=file][data-upload]')) {
    if (!seen.has(input)) enhance(input)
    seen.add(input)
  }
}

enhanceAll()
document.addEventListener(OPENED, enhanceAll)
