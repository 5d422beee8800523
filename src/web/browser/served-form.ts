import { buildBody, type Content, isSame, readContent, readSent } from './form-values.ts'

const readPage = async (answer: Promise<Response>): Promise<Document> =>
  new DOMParser().parseFromString(await (await answer).text(), 'text/html')

const getAction = (form: HTMLFormElement): string => form.getAttribute('action') ?? location.pathname

const findServed = (page: Document, form: HTMLFormElement): HTMLFormElement | undefined =>
  [...page.querySelectorAll<HTMLFormElement>('form[data-draft]')].find(
    one => one.dataset.draft === form.dataset.draft && getAction(one) === getAction(form),
  )

/**
 * A form with the parts of another content, such as a block that was added: the server shows it after the act `act`, which stores
 * nothing. Undefined where it does not.
 */
export const readParts = async (
  form: HTMLFormElement,
  content: Content,
  act: string,
): Promise<HTMLFormElement | undefined> => {
  const fields = buildBody(form, content)
  fields.set('act', act)
  const body =
    form.enctype === 'multipart/form-data'
      ? fields
      : new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))
  const next = findServed(await readPage(fetch(getAction(form), { method: 'POST', body })), form)
  return next?.hasAttribute('data-unsaved') === true ? next : undefined
}

/** Who has stored something since the page of a form was sent, and when (both may be unknown); undefined where nobody has. */
export const findChange = async (
  form: HTMLFormElement,
): Promise<{ readonly by: string | undefined; readonly at: string | undefined } | undefined> => {
  const { on } = readContent(form)
  if (on.length === 0) return undefined
  const next = findServed(await readPage(fetch(getAction(form))), form)
  if (next === undefined || isSame(readSent(next).on, on)) return undefined
  return { by: next.dataset.by, at: next.dataset.at }
}
