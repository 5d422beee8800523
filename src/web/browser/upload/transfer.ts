/** An upload as the server knows it. */
export type Upload = {
  readonly id: string
  readonly status: string
  readonly name: string
  readonly bytes: number
  readonly received: number
  readonly is_resumable: boolean
  readonly picture: string | null
}

/** The connection, or the server for a while, is not there. */
export class Lost extends Error {}

/** Nobody is signed in. */
export class SignedOut extends Error {}

/** The server has a reason not to take it, in the language of the page; `received`: where the upload goes on. */
export class Refused extends Error {
  readonly received: number | undefined
  constructor(message: string, received?: number) {
    super(message)
    this.received = received
  }
}

const PATH = '/staff/uploads'
const PIECE = 8_000_000

let token = document.querySelector<HTMLInputElement>('input[name=token]')?.value ?? ''

/** Reads the token of the session that there is now: that of the page may have ended, and another one begun in another tab. */
export const renewToken = async (): Promise<void> => {
  const response = await reach(fetch(location.href, { redirect: 'manual' }))
  if (response.status >= 500 || response.status === 429) throw new Lost()
  const page = new DOMParser().parseFromString(response.ok ? await response.text() : '', 'text/html')
  const found = page.querySelector<HTMLInputElement>('input[name=token]')
  if (found === null) throw new SignedOut()
  token = found.value
}

const reach = async (request: Promise<Response>): Promise<Response> => {
  try {
    return await request
  } catch {
    throw new Lost()
  }
}

const isForSomebodyElse = (status: number, isRedirect: boolean): boolean =>
  isRedirect || status === 401 || status === 403

const readAnswer = <Answer>(status: number, text: string): Answer => {
  if (status >= 500 || status === 429) throw new Lost()
  const answer = text.startsWith('{') ? JSON.parse(text) : {}
  if (status >= 400 || !text.startsWith('{')) throw new Refused(answer.error ?? '', answer.received)
  return answer
}

const post = async <Answer>(
  path: string,
  fields: Readonly<Record<string, string>>,
  isLast = false,
): Promise<Answer> => {
  const body = new URLSearchParams({ token, ...fields })
  const init: RequestInit = { method: 'POST', redirect: 'manual', headers: { accept: 'application/json' }, body }
  const response = await reach(fetch(path, init))
  const isOther = isForSomebodyElse(response.status, response.type === 'opaqueredirect')
  if (!isOther) return readAnswer(response.status, await response.text())
  if (isLast) throw new SignedOut()
  await renewToken()
  return post(path, fields, true)
}

/** Announces a file. */
export const announce = (file: File, { purpose, keep }: { readonly purpose: string; readonly keep: boolean }) =>
  post<Upload>(PATH, {
    name: file.name,
    type: file.type,
    bytes: String(file.size),
    purpose,
    keep: String(keep),
  })

/** Says how far an upload is. */
export const readUpload = async (id: string): Promise<Upload> => {
  const response = await reach(fetch(`${PATH}/${id}`, { redirect: 'manual', headers: { accept: 'application/json' } }))
  if (response.type === 'opaqueredirect') throw new SignedOut()
  return readAnswer(response.status, await response.text())
}

/** Has the bytes of an upload checked, so that it is a file. */
export const complete = (id: string) => post<Upload>(`${PATH}/${id}`, { act: 'complete' })

/** Says what a picture shows. */
export const describe = (id: string, alt: string) => post(`${PATH}/${id}`, { act: 'describe', alt })

/** Deletes an upload. */
export const discard = (id: string) => post(`${PATH}/${id}`, { act: 'delete' })

// Until it is aborted; with the number of bytes that are sent.
type Watch = { readonly signal: AbortSignal; onProgress(bytes: number): void }

const buildPiece = (file: File, start: number, end: number, isPart: boolean): FormData => {
  const form = new FormData()
  form.append('token', token)
  form.append('bytes', String(end - start))
  if (isPart) form.append('range', `bytes ${start}-${end - 1}/${file.size}`)
  form.append('file', file.slice(start, end), 'piece')
  return form
}

// With fetch a page does not know how many bytes are sent.
const sendForm = (
  path: string,
  form: FormData,
  { signal, onProgress }: Watch,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new Lost())
    request.onabort = () => reject(new Lost())
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })

/** Sends the next piece of a file, from this byte on; returns how many the server has. */
export const sendPiece = async (
  file: File,
  { id, received, is_resumable: isPart }: Upload,
  { signal, onProgress }: Watch,
): Promise<number> => {
  const end = isPart ? Math.min(file.size, received + Math.max(PIECE, Math.ceil(file.size / 500))) : file.size
  const watch = { signal, onProgress: (loaded: number) => onProgress(Math.min(received + loaded, end)) }
  const send = () => sendForm(`${PATH}/${id}/content`, buildPiece(file, received, end, isPart), watch)
  let { status, text } = await send()
  if (isForSomebodyElse(status, false)) {
    await renewToken()
    ;({ status, text } = await send())
    if (isForSomebodyElse(status, false)) throw new SignedOut()
  }
  return readAnswer<Upload>(status, text).received
}
