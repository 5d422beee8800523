import { type Draft, type DraftStorage, openDrafts } from './draft-storage.ts'
import {
  type Content,
  fillTyped,
  hasParts,
  isSame,
  readContent,
  readSent,
  saysSame,
  type Typed,
} from './form-values.ts'
import { OPENED } from './guard.ts'
import { addState, createButton, say, showNotice } from './save-state.ts'
import { leaves } from './send-once.ts'
import { nameSent } from './sent-draft.ts'
import { findChange, readParts } from './served-form.ts'
import { fillIn, readTexts } from './texts.ts'

const EVERY_MS = 5000
const LOOK_MS = 60_000

type Said =
  | ('before' | 'changed' | 'compare' | 'discard' | 'failed' | 'here' | 'kept')
  | ('none' | 'offline' | 'other' | 'others' | 'saved' | 'saving')

const texts = readTexts<Said>('drafts')

/** A form whose text is kept in this browser. */
type Watched = {
  readonly name: string
  /** Keeps what was typed since it was kept last. */
  keep(): void
  /** Keeps what is on the page although another tab, which saved something else, has dropped it. */
  keepAgain(): void
  /** Forgets what was typed. */
  drop(): Promise<void>
  /** When something of it was kept last, in milliseconds; 0 where nothing was. */
  readKeptAt(): number
  /** Says whether somebody else has stored something meanwhile. */
  look(): Promise<void>
  /** Says again what is said of it, such as that there is no connection. */
  say(): void
}

const formatTime = (at: number): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    ...(Date.now() - at > 12 * 3600 * 1000 ? { dateStyle: 'medium' } : {}),
    timeStyle: 'short',
  }).format(at)

const findConflict = ({ id }: HTMLFormElement): Element | null =>
  id === '' ? null : document.querySelector(`#conflict[data-of="${id}"]`)

// The form has what somebody else has stored, and what was typed stands beside it, to be copied.
const showsTheirs = (form: HTMLFormElement): boolean => findConflict(form)?.hasAttribute('data-taken') === true

/** What is known of a form: `last` is what is kept or needs not be, and undefined where all that was typed is on the page alone. */
type Known = {
  readonly sent: Content
  last: Content | undefined
  before: Draft | undefined
  /** The revisions that it was typed on, while nobody has chosen between two texts. */
  readonly typedOn: Typed | undefined
  /** Whether a draft could not be shown, which nothing may replace. */
  isHeld: boolean
  saidAt: number | undefined
}

const describe = ({ saidAt }: Known): string | undefined => {
  if (saidAt === undefined) return undefined
  return navigator.onLine ? fillIn(texts.saved, { time: formatTime(saidAt) }) : texts.offline
}

const sayChange = (form: HTMLFormElement, by: string | undefined, at: string | undefined): void => {
  const time = at === undefined ? '' : formatTime(Date.parse(at))
  const sentence = by === undefined ? texts.other : fillIn(texts.others, { name: by, time })
  // What is stored on an old revision is refused, and shown beside what is stored.
  const compare = createButton(texts.compare, () => {
    form.noValidate = true
    form.requestSubmit([...form.elements].find(one => one.matches('[type=submit]')) as HTMLElement | undefined)
  })
  say(form, [`${sentence} – `, compare])
}

const createWatched = (form: HTMLFormElement, storage: DraftStorage, name: string, known: Known): Watched => {
  let turn = Promise.resolve()
  let isChanged = false
  const inTurn = (work: () => Promise<void> | void): Promise<void> => {
    turn = turn.then(work, work)
    return turn
  }
  const tell = (): void => {
    if (isChanged) return
    if (form.hasAttribute('data-busy')) say(form, texts.saving)
    else say(form, describe(known))
  }
  const drop = (): Promise<void> => {
    known.last = readContent(form)
    known.saidAt = undefined
    known.before = undefined
    tell()
    return inTurn(() => storage.drop(name))
  }
  const keep = (): void => {
    const { last, sent, before, isHeld, typedOn } = known
    const now = readContent(form)
    if (isHeld || (last !== undefined && saysSame(now, last) && isSame(now.on, last.on))) return
    if (last !== undefined && before === undefined && saysSame(now, sent)) {
      void drop()
      return
    }
    known.last = now
    const at = Date.now()
    inTurn(() => storage.keep(name, { ...now, on: typedOn ?? now.on, at, before })).then(
      () => {
        known.saidAt = at
        tell()
      },
      () => say(form, texts.failed),
    )
  }
  const keepAgain = (): void => {
    if (saysSame(readContent(form), known.sent)) return
    known.last = undefined
    keep()
  }
  new MutationObserver(tell).observe(form, { attributes: true, attributeFilter: ['data-busy'] })
  const look = async (): Promise<void> => {
    const change = await findChange(form).catch(() => undefined)
    if (change === undefined || form.hasAttribute('data-busy')) return
    isChanged = true
    sayChange(form, change.by, change.at)
  }
  return { name, keep, keepAgain, drop, look, readKeptAt: () => known.saidAt ?? 0, say: tell }
}

// Puts a content into a form; returns the form that has it, and undefined where it could not be shown.
const show = async (form: HTMLFormElement, content: Content): Promise<HTMLFormElement | undefined> => {
  const act = form.dataset.again
  if (act === undefined || hasParts(form, content)) {
    fillTyped(form, content)
    return form
  }
  const was = readContent(form)
  const next = await readParts(form, content, act).catch(() => undefined)
  // What somebody typed meanwhile stays.
  if (next === undefined || !saysSame(readContent(form), was)) return undefined
  form.replaceWith(next)
  document.dispatchEvent(new CustomEvent(OPENED))
  return next
}

const openStored = (form: HTMLFormElement): void => {
  // The browser would ask whether it is to be left.
  form.setAttribute('data-busy', '')
  location.replace(location.href.replace(/#.*/, ''))
}

// What was typed on another revision is refused when it is sent, and shown beside what is stored.
const restore = async (form: HTMLFormElement, draft: Draft, known: Known, watched: Watched): Promise<void> => {
  const { sent } = known
  const { before } = draft
  const shown = await show(form, draft)
  const time = formatTime(draft.at)
  const discard = async (): Promise<void> => {
    known.isHeld = false
    await watched.drop()
    if (shown !== form) return openStored(shown ?? form)
    fillTyped(form, sent)
    known.last = readContent(form)
  }
  known.isHeld = shown === undefined
  const acts = {
    ...(before === undefined
      ? {}
      : { [fillIn(texts.before, { time: formatTime(before.at) })]: () => show(shown ?? form, before) }),
    [texts.discard]: discard,
  }
  const said = fillIn(shown === undefined ? texts.kept : texts.here, { time })
  showNotice(shown ?? form, isSame(draft.on, sent.on) ? said : `${said} ${texts.changed}`, acts)
  known.saidAt = draft.at
  watched.say()
}

const forms = new WeakMap<HTMLFormElement, Watched>()
const seen = new WeakSet<HTMLFormElement>()

const watch = async (form: HTMLFormElement, storage: DraftStorage): Promise<void> => {
  const { pathname } = new URL(form.getAttribute('action') ?? '', location.href)
  const name = storage.nameFor(pathname, form.dataset.draft ?? '')
  const draft = await storage.find(name)
  const sent = readSent(form)
  const isAnswer = form.hasAttribute('data-unsaved')
  const isTaken = showsTheirs(form)
  const known: Known = {
    sent,
    last: isAnswer ? undefined : isTaken || draft === undefined ? sent : draft,
    before: isTaken ? draft && { ...draft, before: undefined } : draft?.before,
    typedOn: isAnswer && findConflict(form) !== null ? draft?.on : undefined,
    isHeld: false,
    saidAt: undefined,
  }
  addState(form, texts.none)
  const watched = createWatched(form, storage, name, known)
  if (draft !== undefined && !isAnswer && !isTaken) {
    if (draft.before === undefined && saysSame(draft, sent)) await watched.drop()
    else await restore(form, draft, known, watched)
  }
  forms.set(form, watched)
  watched.keep()
}

const listWatched = (): Watched[] =>
  [...document.querySelectorAll<HTMLFormElement>('form[data-draft]')].flatMap(form => forms.get(form) ?? [])

const keepAll = (): void => {
  for (const watched of listWatched()) watched.keep()
}

let looked = Date.now()

// Whoever comes back to a page, or has written on it, is told what others do. A page that nobody is at asks for nothing.
const lookAll = (isBack: boolean): void => {
  const since = looked
  if (document.hidden || Date.now() - since < LOOK_MS) return
  looked = Date.now()
  for (const watched of listWatched()) if (isBack || watched.readKeptAt() > since) void watched.look()
}

const start = async (key: string): Promise<void> => {
  const storage = await openDrafts(key)
  const watchAll = (): void => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) {
      if (!seen.has(form)) void watch(form, storage)
      seen.add(form)
    }
  }
  watchAll()
  document.addEventListener(OPENED, async event => {
    const saved = event instanceof CustomEvent ? event.detail : null
    if (saved instanceof HTMLFormElement) await forms.get(saved)?.drop()
    watchAll()
  })
  setInterval(() => {
    keepAll()
    lookAll(false)
  }, EVERY_MS)
  document.addEventListener('focusout', keepAll)
  document.addEventListener('visibilitychange', () => {
    keepAll()
    lookAll(true)
  })
  addEventListener('focus', () => lookAll(true))
  addEventListener('pagehide', keepAll)
  addEventListener('storage', ({ key: name, newValue }) => {
    if (newValue === null) for (const watched of listWatched()) if (watched.name === name) watched.keepAgain()
  })
  const sayAll = (): void => {
    for (const watched of listWatched()) watched.say()
  }
  addEventListener('online', sayAll)
  addEventListener('offline', sayAll)
  // After the modules that send the form themselves.
  addEventListener('submit', event => {
    const watched = forms.get(event.target as HTMLFormElement)
    watched?.keep()
    if (watched && !event.defaultPrevented && leaves(event.target as HTMLFormElement, event.submitter))
      nameSent(watched.name)
  })
}

const { key } = document.querySelector<HTMLElement>('script[data-module="drafts"]')?.dataset ?? {}
// Without a secure context there is no cryptography, and nothing is kept.
if (key !== undefined && 'subtle' in crypto) await start(key)
