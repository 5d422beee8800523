import { askInDialog, showInDialog } from './account-dialog.ts'
import { SIGN_IN, SIGNED_IN } from './guard.ts'
import { markBusy, release } from './send-once.ts'
import { fillIn, readTexts } from './texts.ts'

type Known = { readonly person: string; readonly name: string; readonly is_recent: boolean; readonly token: string }
type Standing = { readonly person: null } | Known

const STANDING = '/account/standing'

const texts = readTexts<'signIn' | 'confirm' | 'other' | 'offline' | 'close'>('in-place')
const { person } = document.querySelector<HTMLElement>('script[data-module="in-place"]')?.dataset ?? {}
const checked = new WeakSet<HTMLFormElement>()

const readStanding = async (): Promise<Standing> => {
  const response = await fetch(STANDING, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${STANDING} answered ${response.status}`)
  return response.json()
}

// After a sign-in the forms of the page are those of another session. What names a form that was kept stays.
const renewTokens = (token: string): void => {
  for (const field of document.querySelectorAll<HTMLInputElement>('form input[type=hidden][name=token]')) {
    const [, , kept] = field.value.split('.')
    field.value = kept === undefined ? token : `${token}.${kept}`
  }
}

// The fields of a form without its files, with the button that was pressed.
const readFields = (form: HTMLFormElement, button: HTMLElement | null): URLSearchParams =>
  new URLSearchParams(
    [...new FormData(form, button)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

const getAction = (form: HTMLFormElement, button: HTMLElement | null): string =>
  button?.getAttribute('formaction') ?? form.getAttribute('action') ?? location.pathname

const needsProof = async (form: HTMLFormElement, button: HTMLElement | null): Promise<boolean> => {
  const init = { method: 'POST', body: readFields(form, button), headers: { 'stoa-form': 'check' } }
  const response = await fetch(getAction(form, button), init)
  return response.headers.get('stoa-needs') === 'proof'
}

// Asks whoever is signed out to sign in; undefined where the person of the page does not.
const findPerson = async (): Promise<Known | undefined> => {
  let standing = await readStanding()
  if (standing.person === null) {
    const query = new URLSearchParams({ return_to: STANDING })
    if (!(await askInDialog(`/account/sign-in?${query}`, STANDING, texts.signIn, texts.close))) return undefined
    standing = await readStanding()
  }
  if (standing.person === null) return undefined
  if (standing.person !== person) {
    showInDialog(fillIn(texts.other, { name: standing.name }), texts.close)
    return undefined
  }
  renewTokens(standing.token)
  return standing
}

// Whether the form can be sent: asks whoever is signed out, or has to prove who they are, and nobody else.
const prepare = async (form: HTMLFormElement, button: HTMLElement | null): Promise<boolean> => {
  const standing = await findPerson()
  if (standing === undefined) return false
  if (standing.is_recent || !(await needsProof(form, button))) return true
  const query = new URLSearchParams({ level: 'recent', return_to: STANDING, cancel: '/account' })
  return askInDialog(`/account/confirm?${query}`, STANDING, texts.confirm, texts.close)
}

const send = (form: HTMLFormElement, button: HTMLElement | null): void => {
  checked.add(form)
  form.requestSubmit(button)
  checked.delete(form)
}

const isOurs = (form: HTMLFormElement, button: HTMLElement | null): boolean => {
  const method = button?.getAttribute('formmethod') ?? form.getAttribute('method')
  return (
    method?.toLowerCase() === 'post' &&
    new URL(getAction(form, button), location.href).origin === location.origin &&
    (button?.getAttribute('formtarget') ?? form.target) === ''
  )
}

const handleSubmit = async (form: HTMLFormElement, button: HTMLElement | null): Promise<void> => {
  markBusy(form, button)
  try {
    const isReady = await prepare(form, button)
    release(form)
    if (isReady) send(form, button)
  } catch (error) {
    release(form)
    // Without a connection; any other answer is for the page of the form.
    if (error instanceof TypeError) showInDialog(texts.offline, texts.close)
    else send(form, button)
  }
}

if (person !== undefined) {
  document.addEventListener(SIGN_IN, async () => {
    const standing = await findPerson().catch(() => undefined)
    if (standing !== undefined) document.dispatchEvent(new Event(SIGNED_IN))
  })
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    const { submitter } = event
    if (event.defaultPrevented || checked.has(form) || !isOurs(form, submitter)) return
    event.preventDefault()
    void handleSubmit(form, submitter)
  })
}
