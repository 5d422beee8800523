import { create } from './dom.ts'

/** Where the server renders a text: an address and what the form sends with it. */
export type Renderer = { readonly action: string; readonly field: string; readonly value: string }

const encode = (form: HTMLFormElement, { field, value }: Renderer): URLSearchParams => {
  const sent = new URLSearchParams()
  for (const [name, typed] of new FormData(form))
    if (typeof typed === 'string' && name !== field) sent.append(name, typed)
  sent.append(field, value)
  return sent
}

/**
 * The text of a form as the school shows it: the part `#text-preview` of the page that the server answers with; undefined where it
 * cannot be had, such as without a connection.
 */
export const renderText = async (form: HTMLFormElement, renderer: Renderer): Promise<Element | undefined> => {
  try {
    const reply = await fetch(renderer.action, { method: 'POST', body: encode(form, renderer), redirect: 'error' })
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
    return page.querySelector('#text-preview .prose') ?? undefined
  } catch {
    return undefined
  }
}

/** The addresses of the school's pictures in a rendered text, by the ids of their files. */
export const findAddresses = (rendered: Element): [id: string, url: string][] =>
  [...rendered.querySelectorAll('img[src]')].flatMap(image => {
    const url = image.getAttribute('src') ?? ''
    const [, id] = /\/files\/(fil_\w+)\//.exec(url) ?? []
    return id === undefined ? [] : [[id, url] as [string, string]]
  })

const WAIT_MS = 600

/** A part of the page that shows the text beside the editor while it is open, and follows it. */
export const createPreview = (label: string, none: string, read: () => Promise<Element | undefined>) => {
  const element = create('section', { class: 'editor-preview', 'aria-label': label, hidden: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0
  const show = async (): Promise<void> => {
    latest += 1
    const mine = latest
    const rendered = await read()
    if (mine !== latest) return
    element.replaceChildren(
      rendered === undefined ? create('p', { class: 'quiet' }, none) : document.importNode(rendered, true),
    )
  }
  return {
    element,
    toggle(): boolean {
      element.hidden = !element.hidden
      if (!element.hidden) void show()
      return !element.hidden
    },
    /** To be called when the text has changed. */
    follow(): void {
      clearTimeout(timer)
      if (!element.hidden) timer = setTimeout(() => void show(), WAIT_MS)
    },
  }
}
