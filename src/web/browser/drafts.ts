import { type Draft, type DraftStorage, openDrafts, type Typed } from './draft-storage.ts'
import { fillTyped, isSame, readSent, readTyped } from './form-values.ts'
import { nameSent } from './sent-draft.ts'
import { fillIn, readTexts } from './texts.ts'

const EVERY_MS = 5000

const texts = readTexts<'changed' | 'discard' | 'failed' | 'here' | 'saved'>('drafts')

const formatTime = (at: number): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    ...(Date.now() - at > 12 * 3600 * 1000 ? { dateStyle: 'medium' } : {}),
    timeStyle: 'short',
  }).format(at)

const findState = (form: HTMLFormElement): HTMLElement => {
  const found = form.querySelector<HTMLElement>('.save .state, .draft-state')
  if (found !== null) return found
  const state = document.createElement('p')
  state.className = 'quiet draft-state'
  form.append(state)
  return state
}

const revisionField = (form: HTMLFormElement): HTMLInputElement | null =>
  form.querySelector('input[type=hidden][name=revision]')

const showNotice = (form: HTMLFormElement, sentence: string, discard: () => void): void => {
  const notice = document.createElement('div')
  notice.className = 'note notice'
  notice.setAttribute('role', 'status')
  const said = document.createElement('p')
  said.textContent = sentence
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'small'
  button.textContent = texts.discard
  button.addEventListener('click', () => {
    notice.remove()
    discard()
  })
  notice.append(said, button)
  form.prepend(notice)
}

// A page that answers a form shows what was typed, which is stored nowhere else.
const showsTyped = (): boolean => document.querySelector('#complaint, #kept, section#preview') !== null

const restore = (form: HTMLFormElement, draft: Draft, drop: () => void): void => {
  const revision = revisionField(form)
  const current = revision?.defaultValue ?? ''
  // What was typed on another revision is refused when it is sent, and shown beside what is stored.
  if (revision !== null) revision.value = draft.revision
  fillTyped(form, draft.typed)
  const said = fillIn(texts.here, { time: formatTime(draft.at) })
  showNotice(form, draft.revision === current ? said : `${said} ${texts.changed}`, () => {
    drop()
    if (revision !== null) revision.value = current
    fillTyped(form, readSent(form))
  })
}

const watch = async (form: HTMLFormElement, storage: DraftStorage): Promise<void> => {
  const name = storage.nameFor(location.pathname, form.dataset.draft ?? '')
  const draft = await storage.find(name)
  const sent = readSent(form)
  const isAnswer = showsTyped()
  // What is kept, or needs not be; undefined where all that was typed is on the page.
  let last: Typed | undefined = isAnswer ? undefined : (draft?.typed ?? sent)
  const drop = (): void => {
    storage.drop(name)
    last = sent
  }
  if (draft !== undefined && !isAnswer) {
    if (isSame(draft.typed, sent)) drop()
    else restore(form, draft, drop)
  }
  const keep = async (): Promise<void> => {
    const typed = readTyped(form)
    if (last !== undefined && isSame(typed, last)) return
    last = typed
    const at = Date.now()
    const state = findState(form)
    try {
      await storage.keep(name, { at, revision: revisionField(form)?.value ?? '', typed })
      state.textContent = fillIn(texts.saved, { time: formatTime(at) })
    } catch {
      state.textContent = texts.failed
    }
  }
  await keep()
  setInterval(keep, EVERY_MS)
  form.addEventListener('focusout', keep)
  addEventListener('pagehide', keep)
  document.addEventListener('visibilitychange', keep)
  // After the modules that send the form themselves.
  addEventListener('submit', event => {
    if (event.target !== form) return
    void keep()
    if (!event.defaultPrevented) nameSent(name)
  })
}

const { key } = document.querySelector<HTMLElement>('script[data-module="drafts"]')?.dataset ?? {}
// Without a secure context there is no cryptography, and nothing is kept.
if (key !== undefined && 'subtle' in crypto) {
  const storage = await openDrafts(key)
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) void watch(form, storage)
}
