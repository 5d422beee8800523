import { type Content, carryOver, readContent } from './form-values.ts'
import { describe, hasChanges, OPENED } from './guard.ts'
import { loadMissing, showNotice } from './outline-answer.ts'
import { moveRows } from './outline-move.ts'
import { keepForms, readRevisions, renameRows, syncForm } from './outline-rows.ts'
import { markBusy, release } from './send-once.ts'
import { readTexts } from './texts.ts'

type Said = 'grabbed' | 'place' | 'dropped' | 'back' | 'unsaved' | 'failed' | 'undo'
/** What is open beside the outline, with the bar below it. */
type Open = { readonly work: HTMLElement; readonly bar: HTMLElement }

const texts = readTexts<Said>('outline')
const outline = document.querySelector<HTMLElement>('#outline')
// What a form had when it was sent: whoever goes on typing meanwhile finds that in the form of the answer.
const sentAs = new WeakMap<HTMLElement, Content>()
const initial = new WeakMap<HTMLElement, string>()
// The path of what is open: that of the page is another one already when somebody goes back.
let shown = location.pathname
// What was typed into lessons that are not shown, by their paths.
const kept = new Map<string, Open>()

// How many forms were sent: what was asked for before one of them has an outline that is out of date.
let sends = 0

const findOpen = (root: ParentNode): Open | undefined => {
  const [work, bar] = [root.querySelector<HTMLElement>('[data-work]'), root.querySelector<HTMLElement>('[data-bar]')]
  return work !== null && bar !== null ? { work, bar } : undefined
}

const remember = ({ work }: Open): void => {
  if (work instanceof HTMLFormElement) initial.set(work, describe(work))
}

const isChanged = ({ work }: Open): boolean => work instanceof HTMLFormElement && hasChanges(work, initial.get(work))

const markKept = (): void => {
  for (const path of kept.keys()) {
    const name = outline?.querySelector(`a[href="${path}"] > span:last-child`)
    const note = document.createElement('small')
    note.textContent = texts.unsaved
    name?.append(note)
  }
}

const say = (text: string): void => {
  const live = outline?.querySelector('[data-live]')
  if (live) live.textContent = text
}

const fail = (): void => {
  const notice = document.createElement('p')
  notice.id = 'complaint'
  notice.className = 'note'
  notice.setAttribute('role', 'alert')
  notice.textContent = texts.failed
  showNotice(notice)
}

const replaceOutline = (page: Document, sent?: HTMLFormElement): void => {
  const next = page.querySelector('#outline')
  const live = outline?.querySelector('[data-live]')
  if (!outline || !next || !live || outline.querySelector('[data-rename]')) return
  keepForms(outline, next, sent)
  for (const child of [...outline.childNodes]) if (child !== live) child.remove()
  next.querySelector('[data-live]')?.remove()
  live.before(...next.childNodes)
}

const swap = (from: Open, to: Open, saved: HTMLElement | null = null): void => {
  from.work.replaceWith(to.work)
  from.bar.replaceWith(to.bar)
  document.dispatchEvent(new CustomEvent(OPENED, { detail: saved }))
}

// Types into the form of an answer what was typed after the form was sent; returns whether that was anything.
const carry = (sent: HTMLElement, { work }: Open): boolean => {
  const had = sentAs.get(sent)
  if (had === undefined || !(sent instanceof HTMLFormElement) || !(work instanceof HTMLFormElement)) return false
  sentAs.delete(sent)
  return carryOver(sent, had, work)
}

// A form that shows what was typed, or what somebody else stored, was not saved.
const findSaved = (sent: HTMLElement, answer: Open): HTMLElement | null =>
  answer.work.matches('[data-unsaved], :has(#conflict)') ? null : sent

// A form with changes stays: here while its lesson is shown, and otherwise until it is opened again. One that was sent
// is in the answer.
const replaceWork = (page: Document, path: string, isSent: boolean): void => {
  const [now, next] = [findOpen(document), findOpen(page)]
  if (now === undefined || next === undefined) return
  remember(next)
  if (path === shown) {
    if (isChanged(now) && !isSent) swap(now, { work: now.work, bar: next.bar })
    else swap(now, next, isSent ? findSaved(now.work, next) : null)
    if (isSent) carry(now.work, next)
    return
  }
  if (isChanged(now) && !isSent) kept.set(shown, now)
  swap(now, kept.get(path) ?? next)
  kept.delete(path)
  shown = path
}

// Another lesson was opened before this one was answered: its text waits where it was refused, and is stored otherwise.
const settle = (page: Document, sent: HTMLFormElement): void => {
  const next = findOpen(page)
  if (next === undefined) return
  const { pathname } = new URL(sent.action)
  const saved = findSaved(sent, next)
  remember(next)
  if (carry(sent, next) || saved === null) kept.set(pathname, next)
  else kept.delete(pathname)
  document.dispatchEvent(new CustomEvent(OPENED, { detail: saved }))
}

const syncAll = (before: ReadonlyMap<string, string>): void => {
  for (const one of [findOpen(document), ...kept.values()]) {
    if (one === undefined || outline === null || !(one.work instanceof HTMLFormElement)) continue
    const wasChanged = isChanged(one)
    syncForm(one.work, outline, before)
    if (!wasChanged) remember(one)
  }
}

// What is only opened in the outline has no address of its own, and a form that was refused that of its page.
const keepAddress = ({ url, ok }: Response, isOpened: boolean): void => {
  const { pathname, search } = new URL(url)
  const address = pathname + (isOpened ? '' : search)
  if (pathname !== location.pathname) {
    if (ok) history.pushState(null, '', address)
  } else if (ok && !isOpened) history.replaceState(null, '', address)
}

/** Shows what the server answered: the outline, and the lesson that is open now. Another page is opened as such. */
const show = async (answer: Response, { sent, turn }: { sent?: HTMLFormElement; turn: number }): Promise<boolean> => {
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (findOpen(page) === undefined) {
    location.assign(answer.url)
    return false
  }
  const { pathname } = new URL(answer.url)
  const isOpened = sent === undefined
  const isWork = sent !== undefined && sent === findOpen(document)?.work
  const isElsewhere = !isWork && sent?.matches('[data-work]') === true
  if (isElsewhere) settle(page, sent)
  const before = outline && readRevisions(outline)
  if (turn === sends) replaceOutline(page, sent)
  if (before && !isOpened) syncAll(before)
  if (!isElsewhere) {
    keepAddress(answer, isOpened)
    if (isWork || (answer.ok && (!isOpened || pathname !== shown))) replaceWork(page, pathname, isWork)
    document.title = page.title
    loadMissing(page)
  }
  markKept()
  const notice = page.querySelector('#done, #complaint')
  if (notice && !isOpened) showNotice(document.importNode(notice, true))
  return answer.ok
}

const focus = (selector: string): void => outline?.querySelector<HTMLElement>(selector)?.focus()

// The lesson that was chosen last is the one that is shown.
let opens = 0

const open = async (href: string): Promise<void> => {
  opens += 1
  const [own, turn] = [opens, sends]
  try {
    const answer = await fetch(href)
    if (own === opens) await show(answer, { turn })
  } catch {
    location.assign(href)
  }
}

const readBody = (form: HTMLFormElement, button: HTMLElement | null): FormData | URLSearchParams => {
  const data = new FormData(form, button)
  if (form.enctype === 'multipart/form-data') return data
  return new URLSearchParams([...data].filter((one): one is [string, string] => typeof one[1] === 'string'))
}

const send = async (
  form: HTMLFormElement,
  button: HTMLElement | null,
  more: Readonly<Record<string, string>> = {},
): Promise<boolean> => {
  const body = readBody(form, button)
  for (const [name, value] of Object.entries(more)) body.set(name, value)
  if (form.matches('[data-work]')) sentAs.set(form, readContent(form))
  markBusy(form, button)
  try {
    sends += 1
    const turn = sends
    return await show(await fetch(form.action, { method: 'POST', body }), { sent: form, turn })
  } catch {
    fail()
    return false
  } finally {
    release(form)
    button?.removeAttribute('aria-busy')
  }
}

/** Sends the form of the rows for one of them, and returns whether it was done. */
const sendRow = (more: Readonly<Record<string, string>>): Promise<boolean> => {
  const form = outline?.querySelector<HTMLFormElement>('#rows')
  return form ? send(form, null, more) : Promise.resolve(false)
}

const offerUndo = (id: string): void => {
  const notice = document.querySelector('#done')
  const run = () => outline?.querySelector<HTMLElement>(`[id="${id}"] .switch`)?.click()
  if (notice) showNotice(notice, { label: texts.undo, run })
}

const submitRow = async (form: HTMLFormElement, button: HTMLElement | null): Promise<void> => {
  const [act = '', id = ''] = (
    button?.getAttribute('value') ||
    form.querySelector<HTMLInputElement>('[name=do]')?.value ||
    ''
  ).split(' ')
  if (!(await send(form, button))) return
  if (/^(?:show|hide)_lesson$/.test(act)) {
    offerUndo(id)
    focus(`[id="${id}"] .switch`)
  } else if (act === 'add_lesson' && outline?.matches(':popover-open')) outline.hidePopover()
  else if (act.startsWith('add_')) focus('.inline-add input[name=name]')
  else focus(`[id="${id}"] .grip`)
}

// Whoever saves goes on where they were, and reads first what was refused.
const submitWork = async (form: HTMLFormElement, button: HTMLButtonElement | null): Promise<void> => {
  const { id } = document.activeElement ?? { id: '' }
  const isDone = await send(form, button)
  const complaint = document.querySelector<HTMLElement>('#complaint')
  if (!isDone && complaint) {
    complaint.tabIndex = -1
    complaint.focus()
    return
  }
  if (button?.value === 'preview') document.querySelector('#text-preview')?.scrollIntoView()
  const again = id === '' ? button && `[data-bar] [value="${button.value}"]` : `[id="${id}"]`
  if (again) document.querySelector<HTMLElement>(again)?.focus()
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.defaultPrevented && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)

const start = (root: HTMLElement): void => {
  const now = findOpen(document)
  if (now) remember(now)
  root.addEventListener('click', async event => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-open]') : null
    if (link === null || !isPlain(event)) return
    event.preventDefault()
    // The second click of two renames.
    if (event.detail > 1) return
    const { pathname, hash, href } = link
    await open(href)
    if (pathname.includes('/lessons/') && hash === '' && root.matches(':popover-open')) root.hidePopover()
    focus(
      hash === '' ? `a[href="${pathname}"]` : `[id="${hash.slice(1)}"] :is(.inline-add, .inline-edit) input[name=name]`,
    )
  })
  // After the module that asks who is signed out, and before the one that marks forms that leave the page.
  window.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    const isWork = form.matches('[data-work]')
    if (event.defaultPrevented || !(isWork || root.contains(form))) return
    event.preventDefault()
    if (isWork) submitWork(form, event.submitter as HTMLButtonElement | null)
    else submitRow(form, event.submitter)
  })
  window.addEventListener('popstate', () => open(location.href))
  moveRows(root, { texts, say, drop: sendRow, focus })
  renameRows(root, sendRow)
}

if (outline) start(outline)
