import { SIGNED_IN } from '../guard.ts'
import { fillIn } from '../texts.ts'
import { formatBytes, make, makeRow, type Row, type Texts } from './row.ts'
import {
  announce,
  complete,
  describe,
  discard,
  Lost,
  Refused,
  readUpload,
  renewToken,
  SignedOut,
  sendPiece,
  type Upload,
} from './transfer.ts'

/** What an input says of its files. */
export type Rules = {
  readonly purpose: string
  readonly keep: boolean
  readonly most: number
  readonly accept: string
  /** The name of the field with what is uploaded. */
  readonly field: string
  /** The id of the form, where the input stands outside of it. */
  readonly form: string | null
  readonly texts: Texts
}

/** A file of an input, from when it is chosen until it is part of its form. */
export type Item = {
  readonly file: { readonly name: string; readonly size: number; readonly lastModified: number }
  readonly element: HTMLLIElement
  /** Its id, once it is announced. */
  readonly id: string | undefined
  readonly state: 'waits' | 'ready' | 'refused' | 'gone'
  /** Whether it waits for a sign-in. */
  readonly isSignedOut: boolean
  run(): Promise<void>
}

const MAX_WAIT_MS = 30_000

const untilOnline = (waited: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, Math.min(MAX_WAIT_MS, 1000 * 2 ** waited))
    const go = () => {
      clearTimeout(timer)
      resolve()
    }
    window.addEventListener('online', go, { once: true })
    signal.addEventListener('abort', go, { once: true })
  })

// Somebody who comes back from another tab may have signed in there.
const untilBack = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    window.addEventListener('focus', () => resolve(), { once: true })
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
    document.addEventListener(SIGNED_IN, () => resolve(), { once: true })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const isAccepted = ({ name, type }: File, accept: string): boolean =>
  accept === '' ||
  accept.split(',').some(text => {
    const one = text.trim().toLowerCase()
    if (one.startsWith('.')) return name.toLowerCase().endsWith(one)
    return one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one
  })

// Undefined for a file that can be sent.
const findFault = (file: File, { most, accept, texts }: Rules): string | undefined => {
  if (file.size === 0) return texts.empty
  if (file.size > most) return fillIn(texts.tooLarge, { size: formatBytes(most) })
  return isAccepted(file, accept) ? undefined : texts.wrongType
}

const makeField = ({ id, bytes, name }: Upload, { field, form }: Rules): HTMLInputElement =>
  make('input', '', {
    type: 'hidden',
    name: `upload.${field}`,
    value: `${id} ${bytes} ${name}`,
    ...(form === null ? {} : { form }),
  })

const makeAlt = (upload: Upload, { texts }: Rules): HTMLLabelElement => {
  const label = make('label', texts.alt)
  const input = make('input', '', { type: 'text', maxlength: '500' })
  input.addEventListener('change', () => {
    describe(upload.id, input.value).then(
      () => input.removeAttribute('aria-invalid'),
      () => input.setAttribute('aria-invalid', 'true'),
    )
  })
  label.append(input)
  return label
}

// Logos and portraits stand beside the name of what they show.
const isDescribed = ({ purpose }: Rules): boolean => !['avatar', 'appearance', 'submission'].includes(purpose)

/** A file on its way. */
type Work = {
  readonly file: File
  readonly rules: Rules
  readonly row: Row
  readonly signal: AbortSignal
  /** Called when it has an id. */
  readonly noteId: (id: string) => void
  /** Called when it begins to wait for a sign-in, and when it goes on. */
  readonly noteSignedOut: (isSignedOut: boolean) => void
  id: string | undefined
}

const sendAll = async ({ file, row, signal }: Work, start: Upload): Promise<void> => {
  const began = performance.now()
  let { received } = start
  const onProgress = (sent: number) => {
    const seconds = (performance.now() - began) / 1000
    const speed = (sent - start.received) / Math.max(seconds, 0.1)
    row.showProgress(sent, seconds > 2 && speed > 0 ? (file.size - sent) / speed : undefined)
  }
  while (received < file.size && !signal.aborted) {
    received = await sendPiece(file, { ...start, received }, { signal, onProgress }).catch(error => {
      if (error instanceof Refused && error.received !== undefined) return error.received
      throw error
    })
  }
}

const attempt = async (work: Work, isAgain: boolean): Promise<Upload | undefined> => {
  const { file, rules, row, signal } = work
  // The refusal of an old token is lost where the server closes the connection while the piece is on its way.
  if (isAgain) await renewToken()
  const upload = work.id === undefined ? await announce(file, rules) : await readUpload(work.id)
  work.id = upload.id
  work.noteId(upload.id)
  if (upload.status === 'ready') return upload
  await sendAll(work, upload)
  if (signal.aborted) return undefined
  row.say(rules.texts.checking)
  return complete(upload.id)
}

/** Uploads a file, however often the connection is lost; returns the upload, why it is refused, or nothing where it was aborted. */
const uploadFile = async (work: Work): Promise<Upload | string | undefined> => {
  const { row, signal, rules } = work
  for (let waited = 0; !signal.aborted; waited += 1) {
    try {
      return await attempt(work, waited > 0)
    } catch (error) {
      if (signal.aborted) return undefined
      if (error instanceof SignedOut) {
        row.say(rules.texts.signedOut, 'bad')
        row.link(rules.texts.signIn, '/account/sign-in?return_to=/staff')
        work.noteSignedOut(true)
        await untilBack(signal)
        work.noteSignedOut(false)
      } else if (error instanceof Lost) {
        row.say(rules.texts.paused)
        await untilOnline(waited, signal)
      } else return error instanceof Refused ? error.message : rules.texts.failed
    }
  }
  return undefined
}

/** What an item is made of: a file, which may have been announced before, or one that is stored. */
export type Source = { readonly file: File; readonly id?: string | undefined } | { readonly stored: Upload }

type Life = { id: string | undefined; state: Item['state']; isSignedOut: boolean; stop: AbortController }

const makeItemRow = (source: Source, { texts }: Rules, life: Life, changed: () => void): Row => {
  const file = 'file' in source ? source.file : undefined
  const [name, bytes] =
    'file' in source ? [source.file.name, source.file.size] : [source.stored.name, source.stored.bytes]
  const row = makeRow(name, { bytes, file, texts }, () => {
    life.stop.abort()
    row.element.remove()
    if (life.id?.startsWith('upl_')) discard(life.id).catch(() => undefined)
    life.state = 'gone'
    changed()
  })
  return row
}

/** Makes an item; `changed` is called whenever its state does. */
export const createItem = (source: Source, rules: Rules, changed: () => void): Item => {
  const isStored = 'stored' in source
  const id = isStored ? source.stored.id : source.id
  const life: Life = { id, state: 'waits', isSignedOut: false, stop: new AbortController() }
  const row = makeItemRow(source, rules, life, changed)
  const become = (state: Item['state']): void => {
    life.state = state
    changed()
  }
  const settle = (upload: Upload): void => {
    row.say(rules.texts.ready, 'good')
    row.add(makeField(upload, rules))
    if (upload.picture !== null && isDescribed(rules)) row.add(makeAlt(upload, rules))
    become('ready')
  }
  const refuse = (why: string, canRetry: boolean): void => {
    row.say(why === '' ? rules.texts.failed : why, 'bad')
    if (canRetry) row.offer(rules.texts.retry, () => void run())
    become('refused')
  }
  const run = async (): Promise<void> => {
    if (isStored || life.state === 'gone') return
    life.state = 'waits'
    const noteId = (id: string): void => {
      life.id = id
      changed()
    }
    const noteSignedOut = (isSignedOut: boolean): void => {
      life.isSignedOut = isSignedOut
      changed()
    }
    const { signal } = life.stop
    const work = { file: source.file, rules, row, signal, noteId, noteSignedOut, id: life.id }
    const outcome = await uploadFile(work)
    if (typeof outcome === 'object') return settle(outcome)
    // What was refused is announced again.
    life.id = undefined
    if (outcome !== undefined) refuse(outcome, true)
  }
  const fault = isStored || life.id !== undefined ? undefined : findFault(source.file, rules)
  const [name, size, lastModified] = isStored
    ? [source.stored.name, source.stored.bytes, 0]
    : [source.file.name, source.file.size, source.file.lastModified]
  const item: Item = {
    file: { name, size, lastModified },
    element: row.element,
    get id() {
      return life.id
    },
    get state() {
      return life.state
    },
    get isSignedOut() {
      return life.isSignedOut
    },
    run,
  }
  if (isStored) settle(source.stored)
  else if (fault !== undefined) refuse(fault, false)
  return item
}
