import { create } from './dom.ts'

const NOTHING = 'script, style, template, link, meta, title, svg, iframe, object, video, audio, form, img'
const ADDRESS = /^(?:https?:|mailto:|tel:|\/(?!\/)|#)/i
const KEPT = new Set(['href', 'start', 'colspan', 'rowspan'])

const readStyle = (element: Element): string =>
  (element.getAttribute('data-style') ?? '').toLowerCase().replace(/\s/g, '')

const wrap = (element: Element, tag: 'strong' | 'em' | 's'): void => {
  const around = create(tag)
  around.append(...element.childNodes)
  element.append(around)
}

// Word and Google Docs say by styles what is bold; and what they wrap in `b` is not.
const nameStyles = (element: Element): void => {
  const style = readStyle(element)
  if (element.matches('b, strong') && /(?:^|;)font-weight:(?:normal|400)/.test(style))
    element.replaceWith(...element.childNodes)
  if (!element.matches('span, font')) return
  if (/(?:^|;)font-weight:(?:bold|[6-9]00)/.test(style)) wrap(element, 'strong')
  if (/font-style:italic/.test(style)) wrap(element, 'em')
  if (/text-decoration[a-z-]*:[^;]*line-through/.test(style)) wrap(element, 's')
}

const isListLine = (element: Element | null): boolean =>
  element !== null && element.tagName === 'P' && /mso-list:l\d/.test(readStyle(element))

const readLevel = (line: Element): number => Number(/mso-list:l\d+level(\d+)/.exec(readStyle(line))?.[1] ?? 1)

// Word writes a list as paragraphs, with the sign of each item in front of its text.
const readListLine = (line: Element): { item: HTMLElement; tag: 'ol' | 'ul' } => {
  const sign = [...line.querySelectorAll('span')].find(span => /mso-list:ignore/.test(readStyle(span)))
  const tag = /^[\s\u00a0]*\(?(?:\d+|[a-z]{1,3})[.)]/i.test(sign?.textContent ?? '') ? 'ol' : 'ul'
  sign?.remove()
  return { item: create('li', {}, ...line.childNodes), tag }
}

const joinListLines = (root: Element): void => {
  for (const first of [...root.querySelectorAll('p')].filter(
    line => isListLine(line) && !isListLine(line.previousElementSibling),
  )) {
    const open: HTMLElement[] = []
    const base = readLevel(first)
    let line: Element | null = first
    const place = document.createComment('')
    first.before(place)
    while (line !== null && isListLine(line)) {
      const next: Element | null = line.nextElementSibling
      const depth = Math.max(0, Math.min(readLevel(line) - base, open.length))
      const { item, tag } = readListLine(line)
      line.remove()
      open.length = Math.min(open.length, depth + 1)
      if (open[depth] === undefined) {
        const list = create(tag)
        if (depth === 0) place.before(list)
        else open[depth - 1]?.lastElementChild?.append(list)
        open[depth] = list
      }
      open[depth]?.append(item)
      line = next
    }
    place.remove()
  }
}

// What is in a cell stands on one line.
const flattenCell = (cell: Element): void => {
  for (const block of cell.querySelectorAll('p, div, li, br, h1, h2, h3, h4, h5, h6')) {
    block.after(' ')
    block.replaceWith(...block.childNodes)
  }
}

// The policy of the page forbids styles and handlers in every document that is parsed; what styles say is read from another attribute.
const disarm = (html: string): string =>
  html
    .replace(/<style\b[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^<>]*>/gi, tag => tag.replace(/\s(style|on\w+)\s*=/gi, ' data-$1='))

/**
 * The structure of HTML that was copied elsewhere, such as in Word, Google Docs or on a web page: headings, lists, tables, links
 * and emphasis, without styles, classes, pictures and addresses that lead nowhere. What was copied in an editor stays as it is.
 */
export const cleanPasted = (html: string): string => {
  if (/ data-pm-slice=/.test(html)) return html
  const { body } = new DOMParser().parseFromString(disarm(html), 'text/html')
  for (const element of body.querySelectorAll(NOTHING)) element.remove()
  joinListLines(body)
  for (const element of [...body.querySelectorAll('*')]) nameStyles(element)
  for (const cell of body.querySelectorAll('td, th')) flattenCell(cell)
  for (const element of [...body.querySelectorAll('*')]) {
    const address = element.getAttribute('href')
    if (element.tagName.includes(':') || (element.tagName === 'A' && !ADDRESS.test(address ?? '')))
      element.replaceWith(...element.childNodes)
    for (const { name } of [...element.attributes]) if (!KEPT.has(name)) element.removeAttribute(name)
  }
  return body.innerHTML
}
