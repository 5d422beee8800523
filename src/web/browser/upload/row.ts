import { fillIn } from '../texts.ts'

/** What the module says. */
export type Texts = Readonly<
  Record<
    | 'drop'
    | 'cancel'
    | 'remove'
    | 'progress'
    | 'waiting'
    | 'sent'
    | 'left'
    | 'checking'
    | 'ready'
    | 'paused'
    | 'signedOut'
    | 'signIn'
    | 'tooLarge'
    | 'empty'
    | 'wrongType'
    | 'again'
    | 'chooseAgain'
    | 'alt'
    | 'failed'
    | 'retry'
    | 'holds'
    | 'library'
    | 'close',
    string
  >
>

const { lang } = document.documentElement
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A number of bytes as people read it. */
export const formatBytes = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const unit = UNITS[power] ?? 'byte'
  return new Intl.NumberFormat(lang, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / 1000 ** power)
}

/** A part of a whole in percent. */
export const formatPart = (part: number, whole: number): string =>
  new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 0 }).format(whole === 0 ? 0 : part / whole)

const formatLeft = (seconds: number): string => {
  const [value, unit] =
    seconds < 90 ? [Math.max(1, Math.round(seconds)), 'second'] : [Math.round(seconds / 60), 'minute']
  return new Intl.NumberFormat(lang, { style: 'unit', unit }).format(value)
}

/** Makes an element with a text and attributes. */
export const make = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name)
  element.textContent = text
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

const EDGE = 80

const MAX_DRAWN = 30_000_000

// Drawn here, since the picture itself has no address before it is stored.
const drawThumbnail = async (place: HTMLElement, file: File): Promise<void> => {
  if (!file.type.startsWith('image/') || file.size > MAX_DRAWN) return
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return
  const edge = Math.min(picture.width, picture.height)
  const canvas = make('canvas', '', { class: 'thumb', width: String(EDGE), height: String(EDGE) })
  const [x, y] = [(picture.width - edge) / 2, (picture.height - edge) / 2]
  canvas.getContext('2d')?.drawImage(picture, x, y, edge, edge, 0, 0, EDGE, EDGE)
  picture.close()
  place.replaceWith(canvas)
}

/** The line of a file beside its input. */
export type Row = {
  readonly element: HTMLLIElement
  /** Shows how much is sent, and how long the rest takes. */
  showProgress(sent: number, secondsLeft: number | undefined): void
  /** Says how it stands; without a bar. */
  say(sentence: string, kind?: 'good' | 'bad'): void
  /** Offers to do something about it. */
  offer(label: string, act: () => void): void
  /** Leads to another page in a tab of its own. */
  link(label: string, href: string): void
  /** Adds something below. */
  add(...more: readonly HTMLElement[]): void
}

/** Makes the line of a file, with a button that removes it. */
export const makeRow = (
  name: string,
  { bytes, file, texts }: { readonly bytes: number; readonly file?: File | undefined; readonly texts: Texts },
  remove: () => void,
): Row => {
  const element = make('li', '', { class: 'file' })
  const ending = /\.(\w{1,4})$/.exec(name)?.[1]?.toUpperCase()
  const thumbnail = make('span', ending, { class: 'thumb', 'aria-hidden': 'true' })
  const close = make('button', '×', { type: 'button', class: 'bare square small' })
  const bar = make('progress', '', { max: '100', 'aria-label': fillIn(texts.progress, { name }) })
  const state = make('span', texts.waiting, { class: 'quiet state' })
  const tools = make('span', '', { class: 'tools' })
  close.setAttribute('aria-label', fillIn(texts.cancel, { name }))
  close.addEventListener('click', remove)
  element.append(thumbnail, make('b', name, { class: 'clip' }), close, bar, state, tools)
  if (file !== undefined) void drawThumbnail(thumbnail, file)
  return {
    element,
    showProgress(sent, seconds) {
      bar.hidden = false
      bar.value = bytes === 0 ? 0 : (100 * sent) / bytes
      const values = { percent: formatPart(sent, bytes), size: formatBytes(bytes) }
      tools.replaceChildren()
      state.className = 'quiet state'
      state.removeAttribute('role')
      state.textContent =
        seconds === undefined
          ? fillIn(texts.sent, values)
          : fillIn(texts.left, { ...values, time: formatLeft(seconds) })
    },
    say(sentence, kind) {
      bar.hidden = true
      tools.replaceChildren()
      state.setAttribute('role', kind === 'bad' ? 'alert' : 'status')
      state.className = kind === undefined ? 'quiet state' : `${kind === 'bad' ? 'field-error' : 'pill good'} state`
      state.textContent = sentence
      if (kind === 'good') close.setAttribute('aria-label', fillIn(texts.remove, { name }))
    },
    offer(label, act) {
      const button = make('button', label, { type: 'button', class: 'small' })
      button.addEventListener('click', act)
      tools.replaceChildren(button)
    },
    link(label, href) {
      tools.replaceChildren(make('a', label, { href, target: '_blank' }))
    },
    add: (...more) => element.append(...more),
  }
}
